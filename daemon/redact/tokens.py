"""Secrets known by a prefix their vendor gave them: one row per format, as the vendors publish it."""

import re

from navlog.daemon.redact.rule import Match, Rule, always, secret
from navlog.daemon.redact.values import is_token

# A token starts where no word runs on; the n of an escaped \n is no letter.
START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
END = r"(?![A-Za-z0-9])"
SHORTEST = 16  # characters of such a secret with its prefix; none holds a space
_HEX32 = r"[0-9a-f]{32}"


def _mixed(match: Match) -> bool:
    return is_token(secret(match))


# name of the rule, its keywords, the pattern from the keyword on
_PREFIXED = (
    # clouds
    ("aws-key-id", "AKIA ASIA ABIA ACCA", r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}" + END),
    ("google-key", "AIza", r"AIza[\w-]{35}"),
    ("google-oauth", "ya29.", r"ya29\.[\w-]{20,512}"),
    ("google-oauth", "GOCSPX-", r"GOCSPX-[\w-]{28}"),
    ("databricks-token", "dapi", rf"dapi{_HEX32}(?:-\d)?"),
    # forges and registries
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{36,255}"),
    ("github-token", "github_pat_", r"github_pat_\w{22,255}"),
    ("gitlab-token", "glpat- gldt- glrt-", r"gl(?:pat|dt|rt)-[\w.-]{20,255}"),
    ("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", "pypi-AgE", r"pypi-AgE[\w-]{50,512}"),
    ("docker-token", "dckr_", r"dckr_[po]at_[\w-]{27,64}"),
    ("rubygems-token", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    # services
    ("slack-token", "xox", r"xox[abceoprs][.-]\d[A-Za-z0-9-]{10,255}"),
    ("slack-token", "xapp-", r"xapp-\d[A-Za-z0-9-]{10,255}"),
    ("webhook-secret", "whsec_", r"whsec_[A-Za-z0-9+/]{24,128}"),
    ("twilio-key", "SK", rf"SK{_HEX32}" + END),
    ("sendgrid-key", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{32,64}"),
    ("mailgun-key", "key-", rf"key-{_HEX32}" + END),
    ("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("square-token", "sq0", r"sq0[a-z]{3}-[\w-]{22,43}"),
    ("telemetry-key", "NRAK-", r"NRAK-[A-Z0-9]{27}"),
    ("telemetry-key", "glsa_", r"glsa_\w{32,64}"),
    ("telemetry-key", "sntrys_", r"sntrys_[\w+/=]{40,255}"),
    ("vault-token", "hvs.", r"hvs\.[\w-]{24,300}"),
    ("vault-token", "dp.pt.", r"dp\.pt\.[A-Za-z0-9]{43}"),
    ("workspace-token", "lin_api_", r"lin_api_[A-Za-z0-9]{40}"),
    ("workspace-token", "figd_", r"figd_[\w-]{40,64}"),
    ("workspace-token", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("workspace-token", "ATATT3", r"ATATT3[\w=-]{60,255}"),
    # models
    ("anthropic-key", "sk-", r"sk-ant-[\w-]{24,255}"),
    ("model-key", "hf_", r"hf_[A-Za-z0-9]{34}"),
    ("model-key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    ("model-key", "pplx-", r"pplx-[A-Za-z0-9]{48}"),
    ("model-key", "nvapi-", r"nvapi-[\w-]{60,70}"),
)

TOKENS: tuple[Rule, ...] = (
    *(Rule(name, tuple(words.split()), re.compile(START + rest)) for name, words, rest in _PREFIXED),
    Rule("openai-key", ("sk-",), re.compile(START + r"sk-[\w-]{20,255}"), _mixed),
    Rule(
        "stripe-key", ("k_live_", "k_test_"), re.compile(START + r"[srp]k_(?:live|test)_\w{16,255}"), lead=1
    ),
    Rule("age-key", ("secret",), re.compile(START + r"AGE-SECRET-KEY-1[0-9A-Z]{58}"), lead=4),
    Rule("digitalocean-token", ("_v1_",), re.compile(START + r"do[opr]_v1_[0-9a-f]{64}"), lead=3),
    Rule("azure-client", ("Q~",), re.compile(START + r"[\w.~-]{3}\dQ~[\w.~-]{31,34}"), lead=4),
    Rule("mailchimp-key", ("-us",), re.compile(START + rf"{_HEX32}-us\d{{1,2}}(?!\w)"), always, lead=32),
    Rule("telegram-token", (":AA",), re.compile(r"(?<=\d{8}):(?P<s>AA[\w-]{33})(?![\w-])")),
)
