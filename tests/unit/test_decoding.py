"""Sources in other encodings keep their symbols; what is no text is called binary."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navlog.daemon.extract import decode, outline
from navlog.schemas.settings import Extract

PYTHON = 'class 缓存:\n    """写入之后缓存会失效。"""\n\n    def 清除(self):\n        pass  # 清除全部内容\n'
FRENCH = "# Les modèles déjà chargés\ndef charge(modele):\n    return 'été'\n"


@pytest.mark.parametrize(
    ("text", "data", "encoding"),
    [
        (PYTHON, PYTHON.encode(), "utf-8"),
        (PYTHON, codecs.BOM_UTF8 + PYTHON.encode(), "utf-8-sig"),
        (PYTHON, PYTHON.encode("utf-16"), "utf-16"),
        (PYTHON, codecs.BOM_UTF16_BE + PYTHON.encode("utf-16-be"), "utf-16"),
        (PYTHON, PYTHON.encode("utf-32"), "utf-32"),
        (PYTHON, PYTHON.encode("gbk"), "gb18030"),
        (FRENCH, FRENCH.encode("utf-16-le"), "utf-16-le"),
        (FRENCH, FRENCH.encode("utf-16-be"), "utf-16-be"),
        (FRENCH, FRENCH.encode("latin-1"), "latin-1"),
        ("x = '“quoted” – €'\n", "x = '“quoted” – €'\n".encode("cp1252"), "cp1252"),
        (
            "# -*- coding: euc-jp -*-\n# 日本語\n",
            "# -*- coding: euc-jp -*-\n# 日本語\n".encode("euc-jp"),
            "euc-jp",
        ),
        ("a\nb\nc", b"a\r\nb\rc", "utf-8"),
        ("", b"", "utf-8"),
    ],
)
def test_a_text_is_read_in_its_encoding(text: str, data: bytes, encoding: str) -> None:
    assert decode(data) == (text, encoding)


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01" + bytes(64),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 4,
        bytes(range(256)) * 40,
        b"PK\x03\x04\x14\0\x08\0" + bytes(range(255, 0, -1)) * 4,
    ],
)
def test_what_is_no_text_is_binary(data: bytes) -> None:
    read = outline("tool.py", data, Extract())
    assert (read.language, read.lines, read.chunks, read.words) == ("binary", 0, [], {})


@pytest.mark.parametrize("encoding", ["gbk", "utf-16", "utf-8-sig"])
def test_symbols_survive_the_encoding(encoding: str) -> None:
    read = outline("缓存.py", PYTHON.encode(encoding), Extract())
    assert [(symbol.name, symbol.kind) for symbol in read.symbols] == [("缓存", "class"), ("清除", "method")]
    assert read.symbols[0].doc == "写入之后缓存会失效。"
    assert read.encoding != "utf-8"
    assert "失效" in read.words["1"].split()


def test_a_declared_codec_that_is_no_encoding_of_text_is_ignored() -> None:
    assert decode(b"# coding: unicode_escape\n# \xe9\n") == ("# coding: unicode_escape\n# é\n", "latin-1")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"])))
def test_utf8_comes_back_as_it_was(text: str) -> None:
    found = decode(text.encode())
    assert found is not None
    assert found.text == text.removeprefix("\ufeff")


@given(st.binary())
def test_no_bytes_raise(data: bytes) -> None:
    decode(data)
