"""Secrets known by the place they stand at: a header, a URL, a connection string, a named setting."""

import re

from navlog.daemon.redact.rule import Match, Rule, secret
from navlog.daemon.redact.values import is_basic, is_placeholder, is_token, looks_random

QUOTE = r"\\*[\"'`]"
_KEY_END = rf"(?:{QUOTE})?\]?\s{{0,4}}"
_JOINT = (
    rf"(?:{_KEY_END}(?::\s?[A-Za-z_][\w.\[\] |]{{0,30}}=|=>|:=|\|\|=|={{1,3}}|:)|{QUOTE},|>"
    rf"|(?:{QUOTE})?,?\s{{1,40}}[\"']?value[\"']?\s?:)"
)
_GAP = rf"\s{{0,20}}(?:[>|][+-]?\s{{1,40}})?[rbfu]?(?:{QUOTE})?"
_HELD = r"(?<=[\"'`])[^\s\"'`\\]{8,256}(?=\\*[\"'`])"
_LOOSE = r"[^\s\"'`\\,;<>(){}\[\]|&]{8,256}"
_VALUE = rf"{_GAP}(?P<s>{_HELD}|{_LOOSE})"
_BASE64 = r"[A-Za-z0-9+/]"

# The names that settings of secrets bear; a key must say whose it is, and not that it is public.
_KEY = r"(?:(?<=[a-z0-9][_-])|(?<=api)|(?<=access)|(?<=account)|(?<=auth))(?<!public[_-])key"
_NAMES = ("pass", "pwd", "secret", "token", "credential", "key")
_NAME = rf"(?i:pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|{_KEY})[\w.-]{{0,40}}+"
_BESIDE = re.compile(r"(?i)(?:server|data source|host|user id|uid|user|database|dbname|initial catalog)\s?=")


def _random(match: Match) -> bool:
    return looks_random(secret(match))


def _basic(match: Match) -> bool:
    return is_basic(secret(match))


def _token_or_basic(match: Match) -> bool:
    return is_token(secret(match)) or is_basic(secret(match))


def _chosen(match: Match) -> bool:
    return not is_placeholder(secret(match))


def _of_user(match: Match) -> bool:
    return _chosen(match) and secret(match) != match["user"]


def _beside_others(match: Match) -> bool:
    """A password between other settings of the same line."""
    start, end = match.span()
    around = match.string[max(0, start - 200) : start].rpartition("\n")[2]
    around += match.string[end : end + 200].partition("\n")[0]
    return _BESIDE.search(around) is not None and _chosen(match)


def _place(name: str, keywords: tuple[str, ...], *parts: str) -> Rule:
    return Rule(name, keywords, re.compile("".join(parts)), _random)


PLACES: tuple[Rule, ...] = (
    Rule(
        "aws-secret",
        ("secret",),
        re.compile(
            rf"(?i:secret[_-]?(?:access[_-]?)?key){_JOINT}{_GAP}(?P<s>[A-Za-z0-9/+]{{40}})(?![\w/+=])"
        ),
    ),
    Rule(
        "azure-key",
        ("key",),
        re.compile(rf"(?:(?<=[Aa]ccount)|(?<=[Aa]ccess))(?i:key)=(?P<s>{_BASE64}{{40,90}}={{0,2}})"),
    ),
    Rule("azure-sas", ("sig=",), re.compile(r"(?<=[?&;])sig=(?P<s>[\w+/-]{40,90}={0,2})")),
    Rule(
        "slack-hook",
        ("hooks.slack.com/",),
        re.compile(r"(?i:hooks\.slack\.com/)(?:services|workflows|triggers)/(?P<s>[A-Za-z0-9/+]{30,120})"),
    ),
    Rule("discord-hook", ("/api/webhooks/",), re.compile(r"/api/webhooks/\d{16,20}/(?P<s>[\w-]{60,80})")),
    Rule(
        "jwt",
        ("eyJ",),
        re.compile(r"(?:(?<![\w-])|(?<=\\[nrt]))eyJ[\w-]{8,4096}+\.(?:[\w-]{0,8192}+\.){1,3}[\w-]{16,4096}+"),
    ),
    Rule(
        "url-credentials",
        ("://",),
        re.compile(r"://(?P<user>[^\s/?#@:\"'<>\\]{0,64}):(?P<s>[^\s/?#@\"'<>\\]{3,256})@"),
        _of_user,
    ),
    Rule("url-credentials", ("://",), re.compile(r"://(?P<s>[\w-]{20,255})@"), _random),
    Rule(
        "authorization",
        ("auth",),
        re.compile(
            rf"(?i:authorization){_JOINT}{_GAP}(?i:bearer|basic|token|apikey|digest|bot)"
            r"\s+(?P<s>[\w.~+/=:-]{8,2048})"
        ),
        _token_or_basic,
    ),
    Rule("authorization", ("bearer",), re.compile(r"(?i:bearer)\s+(?P<s>[\w.~+/-]{16,2048}={0,2})"), _random),
    Rule(
        "authorization", ("basic",), re.compile(rf"(?i:basic)\s+(?P<s>{_BASE64}{{12,512}}={{0,2}})"), _basic
    ),
    Rule(
        "docker-auth",
        ("auth",),
        re.compile(rf"(?<=\")auth\\*\"\s?:\s?\\*\"(?P<s>{_BASE64}{{12,1024}}={{0,2}})"),
        _basic,
    ),
    Rule(
        "connection-string",
        ("pass", "pwd"),
        re.compile(r"(?i:password|pwd)\s?=\s?(?P<s>[^\s;,&\"'`\\<>{}()]{4,128})"),
        _beside_others,
    ),
    Rule(  # prose says "login / password" and ends its line there
        "netrc",
        ("login",),
        re.compile(r"login\s+[\w.@+-]{1,80}\s+password[ \t]+(?P<s>[^\s\"'\\]{4,128})"),
        _chosen,
    ),
    _place("assignment", _NAMES, _NAME, _JOINT, _VALUE),
    _place("assignment", ("pass", "secret", "token", "key"), rf"(?<=-){_NAME}\s", _VALUE),
)
