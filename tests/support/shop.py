"""A small repository: Python, JavaScript and Markdown, some of it commented in Chinese."""

import subprocess
from pathlib import Path

GIT = ("git", "-c", "user.name=Shop", "-c", "user.email=shop@example.org", "-c", "init.defaultBranch=main")

FILES = {
    ".gitignore": "build/\n*.pyc\n",
    "README.md": "# Shop\n\n## Checkout\n\nSee [checkout](docs/checkout.md) and `shop/checkout.py`.\n",
    "docs/checkout.md": "# Checkout\n\nAn order is priced, then paid: `shop/pricing/total.py`.\n",
    "docs/sessions.md": "# Sessions\n\nA session ends with its cookie: `shop/sessions/cookies.py`.\n",
    "docs/deploy.md": "# Deployment\n\nOne container, one volume.\n",
    "docs/折扣.md": "# 折扣规则\n\n满减与会员折扣不能同时使用。\n",
    "shop/__init__.py": "",
    "shop/checkout.py": (
        "from shop.pricing.total import order_total\n\n\n"
        "def pay(order, card):\n"
        '    """Charges a card for an order."""\n'
        "    return card.charge(order_total(order))\n"
    ),
    "shop/pricing/__init__.py": "",
    "shop/pricing/total.py": (
        "from shop.pricing.discount import discount_of\n\n\n"
        "def order_total(order):\n"
        '    """Adds up the lines of an order, less its discount."""\n'
        "    return sum(line.price * line.count for line in order.lines) - discount_of(order)\n"
    ),
    "shop/pricing/discount.py": (
        "# 计算购物车的折扣：会员折扣优先于满减。\n\n\n"
        "def discount_of(order):\n"
        '    """按照会员等级计算折扣金额。"""\n'
        "    return order.member.rate * order.amount\n"
    ),
    "shop/sessions/__init__.py": "",
    "shop/sessions/cookies.py": (
        "COOKIE_AGE = 1209600\n\n\n"
        "def expire_session_cookie(response, name):\n"
        '    """Makes the browser forget the session\'s cookie."""\n'
        "    response.set_cookie(name, '', max_age=0)\n"
    ),
    "shop/sessions/store.py": (
        "from shop.sessions.cookies import COOKIE_AGE\n\n\n"
        "class SessionStore:\n"
        '    """Keeps what a visitor did."""\n\n'
        "    def load(self, key):\n        return self.rows.get(key)\n\n"
        "    def save(self, key, row):\n        self.rows[key] = (row, COOKIE_AGE)\n"
    ),
    "shop/stock.py": (
        "# 库存：下单时扣减，取消时归还。\n\n\n"
        "def reserve(item, count):\n"
        '    """扣减库存，不足时报错。"""\n'
        "    if item.left < count:\n        raise ValueError(item)\n    item.left -= count\n"
    ),
    "tests/test_total.py": (
        "from shop.pricing.total import order_total\n\n\n"
        "def test_an_empty_order_costs_nothing():\n    assert order_total([]) == 0\n"
    ),
    "tests/test_cookies.py": (
        "from shop.sessions.cookies import expire_session_cookie\n\n\n"
        "def test_the_cookie_is_gone():\n    assert expire_session_cookie\n"
    ),
    "web/cart.js": (
        "import { currency } from './format.js';\n\n"
        "// 购物车显示在右上角\n"
        "export function renderCart(cart) {\n  return cart.lines.map((line) => currency(line.price));\n}\n"
    ),
    "web/format.js": "export function currency(cents) {\n  return `${cents / 100} €`;\n}\n",
    "web/login.js": (
        "export async function logIn(name, password) {\n"
        "  return fetch('/login', { method: 'POST', body: JSON.stringify({ name, password }) });\n}\n"
    ),
    **{
        f"shop/mail/letter_{number}.py": (
            f'"""Letter {number} to a customer."""\n\n\n'
            f"def letter_{number}(customer):\n    return f'Dear {{customer.name}}, letter {number}'\n"
        )
        for number in range(10)
    },
}


def make_shop(folder: Path) -> Path:
    """The repository, committed; the folder is made."""
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "A shop opens")
    return folder


def git(folder: Path, *arguments: str) -> str:
    """What git says in ``folder``."""
    done = subprocess.run([*GIT, "-C", str(folder), *arguments], capture_output=True, text=True, check=True)
    return done.stdout
