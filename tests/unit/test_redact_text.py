"""What the redactor takes from a text and from a file, and what it leaves."""

import base64
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navlog.daemon.redact import Redactor, redactor
from navlog.daemon.redact.dresses import find_all
from navlog.daemon.redact.finding import KEYWORDS, RULES, Found
from navlog.daemon.redact.values import (
    entropy,
    is_basic,
    is_identifier,
    is_placeholder,
    looks_random,
    unbase64,
)
from navlog.schemas.settings import Security

REDACTOR = Redactor(Security())
GITHUB = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
BODY = "\n".join(char * 31 + "1+/x" for char in "ABCD")
ARMOURED = ("-----BEGIN " + "PRIVATE KEY-----", BODY, "-----END " + "PRIVATE KEY-----")


def redact(text: str) -> str:
    return REDACTOR.text(text).text


def test_the_mark_names_the_rule_and_the_rest_of_the_line_stays() -> None:
    redacted = REDACTOR.text(f"token = {GITHUB}  # ours\n")
    assert redacted.text == "token = [redacted:github-token]  # ours\n"
    assert redacted.found == {"github-token": 1}


@pytest.mark.parametrize(
    "text",
    [
        "password = forms.CharField(widget=forms.PasswordInput)",
        'password = "changeme"',
        "password: ${DB_PASSWORD}",
        'api_key = os.environ["API_KEY"]',
        "SECRET_KEY = 'django_tests_secret_key'",
        '"token": "<your-token-1234>"',
        "postgres://user:password@localhost/db",
        "postgres://postgres:postgres@localhost/db",
        "https://example.org:8080/a@b",
        "AKIA is a prefix, and so is ghp_",
        "-----BEGIN " + "PRIVATE KEY-----",
        "if line.startswith('-----BEGIN " + "PRIVATE KEY-----') or '-----END " + "PRIVATE KEY-----' in line:",
        "max_tokens: 12345678901",
        "Authorization: Bearer <token>",
        '"auth.hashers.PBKDF2PasswordHasher", "django.contrib.auth.hashers.Argon2PasswordHasher",',
        "risk-assessment-of-the-whole-thing-in-2024",
        "publicKey = 'x'; public_key: MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A",
        "e83c5163316f89bfbde7d9ab23ca2e25604af290",
        "# Return with login / password\n    login_i = 0 if entry[0] else 1",
        "give your login and password\nthen_go_on()",
    ],
)
def test_innocent_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ('password = "', "q8Zt4Vw1Xk", '"'),
        ("PASSWORD: str = '", "q8Zt4Vw1Xk", "'"),
        ('settings["secret_key"] = "', "q8Zt4Vw1Xk!", '"'),
        ('setdefault("API_KEY", "', "q8Zt4Vw1Xk", '")'),
        ("<password>", "q8Zt4Vw1Xk", "</password>"),
        ("curl --token ", "q8Zt4Vw1Xk", " https://example.org"),
        ('- name: DB_PASSWORD\n  value: "', "q8Zt4Vw1Xk", '"\n'),
        ('{\\"apiKey\\": \\"', "q8Zt4Vw1Xk", '\\"}'),
        ('"auth": "', base64.b64encode(b"web:q8Zt4Vw1Xk").decode(), '"'),
        ("?sv=2024&sig=", "q8Zt4Vw1Xk" * 4 + "abc=", "&se=1"),
        ("see\\n", GITHUB, "\\n"),
        ("machine x.example.org\n  login web@example.org\n  password ", "q8Zt4Vw1Xk", "\n"),
    ],
)
def test_a_secret_goes_and_what_stands_around_it_stays(before: str, secret: str, after: str) -> None:
    redacted = redact(before + secret + after)
    assert secret not in redacted
    assert redacted.startswith(before)
    assert redacted.endswith(after)


def test_a_private_key_leaves_its_mark_and_its_line_ends() -> None:
    text = "\n".join(["before", *ARMOURED, "after"])
    assert redact(text) == "before\n[redacted:private-key]" + "\n" * (BODY.count("\n") + 3) + "after"


@pytest.mark.parametrize("lines", [ARMOURED[:2], ARMOURED[1:]], ids=["no end", "no beginning"])
def test_half_a_private_key_is_one_too(lines: tuple[str, ...]) -> None:
    redacted = redact("log:\n" + "\n".join(lines) + "\nbye\n")
    assert "[redacted:private-key]" in redacted
    assert not [line for line in BODY.split("\n") if line in redacted]
    assert redacted.startswith("log:\n")
    assert redacted.endswith("\nbye\n")


def test_a_key_that_quoting_or_a_language_breaks_into_lines_is_found() -> None:
    for prefix, suffix in (("> ", ""), ('    "', '\\n" +'), ("  | ", ""), ("# ", "")):
        quoted = "\n".join(prefix + line + suffix for line in "\n".join(ARMOURED).split("\n"))
        assert not [line for line in BODY.split("\n") if line in redact(quoted)]


def test_a_letter_that_grows_when_lowered_does_not_shift_the_mark() -> None:
    assert redact("\u0130" * 5 + f" {GITHUB}.") == "\u0130" * 5 + " [redacted:github-token]."


def test_powershells_encoded_utf16_is_read() -> None:
    run = base64.b64encode(f"set {GITHUB}".encode("utf-16-le")).decode()
    assert redact(f"-enc {run}") == "-enc [redacted:github-token]"


def test_switched_off_it_changes_nothing() -> None:
    assert Redactor(Security(redact=False)).text(GITHUB).text == GITHUB


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "latin-1", "gbk"])
def test_a_files_bytes_are_redacted_in_its_own_encoding(encoding: str) -> None:
    before = "größe = 1\n" if encoding != "gbk" else "缓存 = 1\n"
    clean, found = REDACTOR.content(f"{before}key = '{GITHUB}'\n".encode(encoding))
    assert clean.decode(encoding) == f"{before}key = '[redacted:github-token]'\n"
    assert found.total() == 1


@settings(deadline=None)
@given(st.binary())
def test_bytes_without_secrets_come_back_as_they_are(data: bytes) -> None:
    clean, found = REDACTOR.content(data)
    assert found or clean is data


FRAGMENTS = st.sampled_from(
    [
        *KEYWORDS, *ARMOURED, GITHUB, base64.b64encode(GITHUB.encode()).decode(), "password=", "_key",
        "q8Zt4Vw1Xk",
        '"', "'", "\\n", "\n", " ", ":", "@", "]", "%3D", "\\u003d", "\\/", "[redacted:jwt]", "[redacted:",
    ]
)  # fmt: skip
TEXTS = st.lists(FRAGMENTS | st.text(max_size=12) | st.text(string.ascii_letters + string.digits)).map(
    "".join
)


@settings(deadline=None)
@given(TEXTS)
def test_any_text_redacted_twice_is_redacted_once_and_keeps_its_lines(text: str) -> None:
    once = REDACTOR.text(text)
    assert REDACTOR.text(once.text).found.total() == 0
    assert once.text.count("\n") == text.count("\n")
    assert once.found or once.text == text


@pytest.mark.parametrize(
    "glue", ["", "\n", "-", "_", ".", " ", "=", '":"', "A1", "/", "@", ": ", "\\n", "=a1"]
)
def test_no_text_makes_a_rule_slow(glue: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = 0

    def counted(text: str) -> list[Found]:
        nonlocal rounds
        rounds += 1
        return find_all(text)

    monkeypatch.setattr(redactor, "find_all", counted)
    for keyword in KEYWORDS:
        # A cost that grows with the square of such a text would end in the time limit of a test.
        rounds = 0
        REDACTOR.text((keyword + glue) * (5_000 // len(keyword + glue)))
        assert rounds <= 3, keyword


def test_every_rule_is_tried_by_a_keyword_it_can_match() -> None:
    assert all(rule.keywords for rule in RULES)
    assert len({rule.name for rule in RULES}) >= 30


def test_judgements_on_values() -> None:
    assert looks_random("q8Zt4Vw1Xk")
    assert not looks_random("password123")
    assert not looks_random("aaaaaaaa1")
    assert is_identifier("form.cleaned_data.password1")
    assert is_identifier("MyTestCase2")
    assert not is_identifier("q8Zt4Vw1Xk")
    assert is_placeholder("{{ token }}")
    assert not is_placeholder("q8Zt4Vw1Xk")
    assert entropy("abcdefgh") == 3.0
    assert is_basic(base64.b64encode(b"web:q8Zt").decode())
    assert not is_basic(base64.b64encode(b"no colon here").decode())
    assert unbase64("_-8") == b"\xff\xef"
    assert unbase64("no base64!") == b""
