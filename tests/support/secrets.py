"""Synthetic secrets, drawn from a fixed seed when a test runs: none stands in this repository.

A `Sample` is a secret of one format; `dressed` puts it into the five dresses it is met in.
"""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote

SAMPLES_PER_FORMAT = 5
_ALNUM = string.ascii_letters + string.digits
_WORD = _ALNUM + "_-"
_HEX = "0123456789abcdef"
_B64 = _ALNUM + "+/"
_UPPER = string.ascii_uppercase + string.digits


class Sample(NamedTuple):
    """``statement`` stands in a text under the name ``name``; ``needles`` are what must not be left."""

    format: str
    name: str
    statement: str
    needles: tuple[str, ...]


Draw = Callable[[str, int], str]


def _drawer(rng: random.Random) -> Draw:
    def draw(alphabet: str, size: int) -> str:
        # A letter and a digit at least: what was drawn without is rare, and no vendor's token.
        while True:
            text = "".join(rng.choices(alphabet, k=size))
            if any(map(str.isdigit, text)) and any(map(str.isalpha, text)):
                return text

    return draw


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


# format: (name of the setting, the value)
_VALUES: dict[str, tuple[str, Callable[[Draw], str]]] = {
    "aws key id": ("AWS_ID", lambda d: "AKIA" + d(_UPPER, 16)),
    "aws temporary id": ("AWS_ID", lambda d: "ASIA" + d(_UPPER, 16)),
    "aws secret": ("AWS_SECRET_ACCESS_KEY", lambda d: d(_B64, 40)),
    "google key": ("MAPS", lambda d: "AIza" + d(_WORD, 35)),
    "google token": ("GOOGLE", lambda d: "ya29." + d(_WORD, 60)),
    "google client": ("GOOGLE", lambda d: "GOCSPX-" + d(_WORD, 28)),
    "azure client": ("AZURE", lambda d: d(_ALNUM, 3) + "8Q~" + d(_ALNUM + ".~-_", 33) + "a"),
    "digitalocean": ("DO", lambda d: "dop_v1_" + d(_HEX, 64)),
    "databricks": ("DBX", lambda d: "dapi" + d(_HEX, 32)),
    "github classic": ("GH", lambda d: "ghp_" + d(_ALNUM, 36)),
    "github server": ("GH", lambda d: "ghs_" + d(_ALNUM, 36)),
    "github fine": ("GH", lambda d: "github_pat_" + d(_ALNUM, 22) + "_" + d(_ALNUM, 59)),
    "gitlab": ("GL", lambda d: "glpat-" + d(_WORD, 19) + "x"),
    "npm": ("NPM", lambda d: "npm_" + d(_ALNUM, 36)),
    "pypi": ("PYPI", lambda d: "pypi-AgE" + d(_WORD, 120)),
    "docker": ("HUB", lambda d: "dckr_pat_" + d(_WORD, 27)),
    "rubygems": ("GEMS", lambda d: "rubygems_" + d(_HEX, 48)),
    "slack bot": ("SLACK", lambda d: "xoxb-1" + d(string.digits + "a", 11) + "-" + d(_ALNUM, 24)),
    "slack app": ("SLACK", lambda d: "xapp-1-" + d(_UPPER, 11) + "-" + d(_HEX, 40)),
    "telegram": ("BOT", lambda d: "123456789:AA" + d(_ALNUM, 33)),
    "stripe live": ("PAY", lambda d: "sk_live_" + d(_ALNUM, 24)),
    "stripe restricted": ("PAY", lambda d: "rk_test_" + d(_ALNUM, 40)),
    "webhook": ("HOOK", lambda d: "whsec_" + d(_ALNUM, 32)),
    "twilio": ("SMS", lambda d: "SK" + d(_HEX, 32)),
    "sendgrid": ("MAIL", lambda d: "SG." + d(_WORD, 22) + "." + d(_WORD, 42) + "q"),
    "mailgun": ("MAIL", lambda d: "key-" + d(_HEX, 32)),
    "mailchimp": ("MAIL", lambda d: d(_HEX, 32) + "-us12"),
    "shopify": ("SHOP", lambda d: "shpat_" + d(_HEX, 32)),
    "square": ("PAY", lambda d: "sq0atp-" + d(_WORD, 21) + "z"),
    "new relic": ("APM", lambda d: "NRAK-" + d(_UPPER, 27)),
    "grafana": ("APM", lambda d: "glsa_" + d(_ALNUM, 32) + "_" + d(_HEX, 8)),
    "sentry": ("APM", lambda d: "sntrys_" + d(_ALNUM, 80)),
    "vault": ("VAULT", lambda d: "hvs." + d(_WORD, 90) + "v"),
    "linear": ("TASKS", lambda d: "lin_api_" + d(_ALNUM, 40)),
    "figma": ("DRAW", lambda d: "figd_" + d(_WORD, 42) + "f"),
    "postman": ("MAN", lambda d: "PMAK-" + d(_HEX, 24) + "-" + d(_HEX, 34)),
    "atlassian": ("JIRA", lambda d: "ATATT3" + d(_ALNUM, 180) + "=" + d(_HEX.upper(), 8)),
    "age": ("AGE", lambda d: "AGE-SECRET-KEY-1" + d(_UPPER, 58)),
    "anthropic": ("LLM", lambda d: "sk-ant-api03-" + d(_WORD, 93) + "AA"),
    "openai": ("LLM", lambda d: "sk-proj-" + d(_ALNUM, 74)),
    "openai classic": ("LLM", lambda d: "sk-" + d(_ALNUM, 48)),
    "hugging face": ("HUB", lambda d: "hf_" + d(_ALNUM, 34)),
    "groq": ("LLM", lambda d: "gsk_" + d(_ALNUM, 52)),
    "jwt": ("JWT", lambda d: f"{_segment({'alg': 'x'})}.{_segment({'sub': d(_ALNUM, 9)})}.{d(_WORD, 42)}e"),
    "password": ("DB_PASSWORD", lambda d: d(_ALNUM + "_@%^", 15) + "m"),
    "api key": ("SERVICE_API_KEY", lambda d: d(_ALNUM, 32)),
    "secret": ("client_secret", lambda d: d(_HEX, 40)),
    "token": ("accessToken", lambda d: d(_ALNUM, 28)),
    "signing key": ("signing-key", lambda d: d(_B64, 43) + "="),
}  # fmt: skip

# format: (the statement with {} where the secret stands, the secret); the name does not matter
_STATEMENTS: dict[str, tuple[str, Callable[[Draw], str]]] = {
    "slack hook": ("https://hooks.slack.com/services/T0123/B0123/{}", lambda d: d(_ALNUM, 24)),
    "discord hook": ("https://discord.com/api/webhooks/10000000000000000/{}", lambda d: d(_WORD, 68)),
    "azure storage": ("Protocol=https;AccountName=a;AccountKey={};X=y", lambda d: d(_B64, 86) + "=="),
    "azure bus": ("Endpoint=sb://b.example.org;SharedAccessKey={}", lambda d: d(_B64, 43) + "="),
    "sql server": ("Server=db.example.org;Database=shop;User Id=web;Password={};", lambda d: d(_ALNUM, 11)),
    "libpq": ("host=db.example.org dbname=shop user=web password={}", lambda d: d(_ALNUM, 12)),
    "database url": ("postgres://web:{}@db.example.org:5432/shop", lambda d: d(_ALNUM, 14)),
    "git url": ("https://{}@git.example.org/team/shop.git", lambda d: d(_HEX, 40)),
    "azure share": ("https://a.example.org/c?sv=2024&sig={}", lambda d: d(_ALNUM, 43) + "="),
    "docker auth": ('{"auths": {"r": {"auth": "{}"}}}', lambda d: _b64("web:" + d(_ALNUM, 14))),
    "bearer": ("Authorization: Bearer {}", lambda d: d(_ALNUM + "._-", 39) + "r"),
    "basic": ("Authorization: Basic {}", lambda d: _b64("web:" + d(_ALNUM, 14))),
    "netrc": ("machine git.example.org login web password {}", lambda d: d(_ALNUM, 12)),
    "command line": ("mysql --host db.example.org --password {} shop", lambda d: d(_ALNUM, 16)),
}  # fmt: skip


def _armoured(draw: Draw, kind: str) -> Sample:
    body = [draw(_B64, 64) for _ in range(6)] + [draw(_B64, 30) + "=="]
    edge = kind + " KEY"
    block = "\n".join(["-----BEGIN " + edge + "-----", *body, "-----END " + edge + "-----"])
    return Sample(kind.lower(), "CERT", block, tuple(body))


def samples() -> Iterator[Sample]:
    """At least 200, the same in every run."""
    draw = _drawer(random.Random(20261129))
    for _ in range(SAMPLES_PER_FORMAT):
        for format_, (name, make) in _VALUES.items():
            value = make(draw)
            yield Sample(format_, name, value, (value,))
        for format_, (statement, make) in _STATEMENTS.items():
            value = make(draw)
            yield Sample(format_, "SETTING", statement.replace("{}", value), (value,))
        for kind in ("RSA PRIVATE", "PRIVATE", "OPENSSH PRIVATE", "EC PRIVATE", "ENCRYPTED PRIVATE"):
            yield _armoured(draw, kind)


class Dressed(NamedTuple):
    """A text that holds a secret, and the pieces of it that must be gone."""

    dress: str
    text: str
    needles: tuple[str, ...]


def dressed(sample: Sample, turn: int) -> Iterator[Dressed]:
    """The sample in its five dresses; ``turn`` changes how exactly each is worn."""
    yield _json(sample, turn)
    yield _env(sample, turn)
    yield _url(sample)
    yield _lines(sample, turn)
    yield _base64(sample, turn)


def _json(sample: Sample, turn: int) -> Dressed:
    def escape(text: str) -> str:
        inner = json.dumps(text)[1:-1]
        return (inner, inner.replace("/", "\\/"), inner.replace("=", "\\u003d"))[turn % 3]

    text = f'{{"id": 7, "settings": {{"{sample.name}": "{escape(sample.statement)}"}}, "on": true}}'
    nested = json.dumps({"output": text}) if turn % 2 else text
    return Dressed("json", nested, tuple(map(escape, sample.needles)))


def _env(sample: Sample, turn: int) -> Dressed:
    name, quote_ = sample.name.replace("-", "_"), ("", '"', "'")[turn % 3]
    return Dressed(
        "env", f"DEBUG=1\nexport {name}={quote_}{sample.statement}{quote_}\nPORT=80\n", sample.needles
    )


def _url(sample: Sample) -> Dressed:
    query = f"https://api.example.org/v1?page=2&{sample.name}={quote(sample.statement, safe='')}&sort=up"
    return Dressed("url", query, tuple(quote(needle, safe="") for needle in sample.needles))


def _lines(sample: Sample, turn: int) -> Dressed:
    folded = sample.statement.replace("\n", "\n    ")
    text = (
        f"settings:\n  {sample.name}: >-\n    {folded}\n  other: 1\n",
        f'connect(\n    {sample.name}=\n        "{sample.statement}",\n    retries=3,\n)\n',
        f"cat > settings <<END\n{sample.name}={sample.statement}\nEND\n",
    )[turn % 3]
    return Dressed("lines", text, sample.needles)


def _base64(sample: Sample, turn: int) -> Dressed:
    encode = base64.b64encode if turn % 2 else base64.urlsafe_b64encode
    encoded = encode(f"{sample.name}={sample.statement}\n".encode()).decode()
    wrapped = [encoded[at : at + 76] for at in range(0, len(encoded), 76)] if turn % 3 == 0 else [encoded]
    indented = "\n    ".join(wrapped)
    return Dressed(
        "base64", f"data:\n  blob: {indented}\nkind: x\n", tuple(line for line in wrapped if line.strip("="))
    )


def leaks(dressed_: Dressed, output: str) -> list[str]:
    """The needles that are still there, whole or by a half."""
    return [
        piece
        for needle in dressed_.needles
        for piece in (needle, needle[: len(needle) // 2], needle[len(needle) // 2 :])
        if len(piece) >= min(8, len(needle)) and piece in output
    ]
