"""What a reply refers to, in both languages, and the words by which it says that it cannot see the code."""

from collections.abc import Sequence

import pytest

from navlog.projections.injecting.referring import blind, referred


class Shop:
    """The code of a small shop."""

    files = ("src/shop/till.py", "src/shop/door.py", "docs/README.md", "package.json")
    symbols = ("parse_price", "Cart", "total")
    words = ("threadpoolexecutor", "cart", "read_config")

    def has_file(self, path: str) -> bool:
        return any(one == path or one.endswith(f"/{path}") for one in self.files)

    def is_kind(self, suffix: str) -> bool:
        return any(one.endswith(suffix) for one in self.files)

    def defines(self, name: str) -> bool:
        return name in self.symbols

    def says(self, name: str) -> bool:
        return name.lower() in self.words


def missing(reply: str) -> tuple[int, Sequence[str]]:
    found = referred(reply, Shop())
    return found.total, found.missing


@pytest.mark.parametrize(
    ("reply", "count", "gone"),
    [
        ("The bug is in `src/shop/till.py:12`.", 1, []),
        ("See src/shop/till.py and shop/door.py.", 2, []),
        ("See `till.py#L3-L9` and `./docs/README.md`.", 2, []),
        ("It breaks in shop/checkout.py.", 1, ["shop/checkout.py"]),
        ("`parse_price()` calls `read_config`.", 2, []),
        ("`Cart.total` is wrong, and so is `Cart.discount_of`.", 2, ["Cart.discount_of"]),
        ("`compute_tax` rounds down; `ThreadPoolExecutor` does not.", 2, ["compute_tax"]),
        (
            "错误在 `src/shop/till.py` 里。`compute_tax` 调用了 shop/checkout.py。",
            3,
            ["compute_tax", "shop/checkout.py"],
        ),
        ("`parse_price` 没有处理小数;`Cart.total` 也没有。", 2, []),
        ("`compute_tax` again, and `compute_tax` once more.", 1, ["compute_tax"]),
    ],
)
def test_files_and_definitions_are_looked_up(reply: str, count: int, gone: list[str]) -> None:
    assert missing(reply) == (count, gone)


@pytest.mark.parametrize(
    "reply",
    [
        "I'll add `compute_tax` to shop/checkout.py.",
        "Rename it to `compute_tax`.",
        "`compute_tax` does not exist.",
        "我会新增 `compute_tax` 函数。",
        "建议把它放进 shop/checkout.py。",
        "`compute_tax` 并不存在。",
        "```python\ncompute_tax(shop.checkout.py)\nsrc/shop/checkout.py\n```",
        "~~~\n`compute_tax`",
        "`np.linalg.norm`, `self.compute_tax`, `response.json()` and `os.path.join(a, b)`",
        "Run `pytest -q tests/shop/test_x.py` or `make test`.",
        "`true`, `main`, `None`, `GET`, `NODE_ENV`, `x`",
        "`foo_bar` stands for any, so does path/to/file.py, and `your_module.py`",
        "https://example.org/a/b.py, ~/notes/x.py, /etc/x/y.py, src/*/x.py, src/{a,b}/x.py",
        "Node.js, e.g. version 3.12, and/or 1/2, file/py; `v1.2.3`",
        "image.png and data/table.parquet are no kinds of files here",
    ],
)  # fmt: skip
def test_what_is_no_reference_does_not_count(reply: str) -> None:
    assert missing(reply) == (0, [])


@pytest.mark.parametrize(
    "reply",
    [
        "I can't see the latest code, please paste it.",
        "Sorry, I cannot access your current files.",
        "I’m not able to view the updated file.",
        "I am unable to read the actual repository state.",
        "I do not have access to the code.",
        "I don't have the latest version of the file.",
        "I may be looking at an outdated version of this module.",
        "My view of the repository may be stale.",
        "我看不到最新的代码,请贴出来。",
        "我目前无法访问你的仓库。",
        "抱歉,无法查看当前的文件内容。",
        "我没有最新版本的代码。",
        "我看到的可能是旧版本。",
    ],
)
def test_a_reply_that_cannot_see_the_code_says_so(reply: str) -> None:
    assert blind(f"First of all. {reply} And more.")


@pytest.mark.parametrize(
    "reply",
    [
        "Users can't see the latest post.",
        "I can see the latest code.",
        "The test cannot access the file, so it fails.",
        "I can't see why this fails.",
        "I looked at the old version of the API and the new one.",
        "```\nI can't see the latest code\n```",
        "用户看不到最新的文件。",
        "按钮看不到最新消息",
        "我看到了最新的代码。",
        "页面无法访问当前文件时会报错。",
    ],
)
def test_other_replies_do_not(reply: str) -> None:
    assert blind(reply) == ""


def test_a_long_reply_makes_no_pattern_hang() -> None:
    for text in ("我" * 50_000, "I can't " * 20_000, "`a.b" * 30_000, "a/" * 50_000, "看不到最新" * 20_000):
        blind(text)
        referred(text, Shop())
