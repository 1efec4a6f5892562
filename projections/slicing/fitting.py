"""Places fitted under a cap of tokens: pointers first, then texts, and what found no room is counted.

Pure and greedy, in the order given: the same offers fit in the same way. No cap is ever passed: a place that
does not even fit as a pointer is left out, and counted by its role.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from navlog.projections.tokens import count_tokens
from navlog.schemas.slices import Role

LINE_END = 3  # tokens of the line break between two places


class Form(NamedTuple):
    """A text that a place can be given with; ``cut``: it is less than the place."""

    text: str
    cut: bool


class Offer(NamedTuple):
    """A place and its forms, the best first; without any it is a pointer."""

    path: str
    line: int
    end_line: int
    symbol: str
    role: Role
    reason: str
    forms: Sequence[Form] = ()


class Fitted(NamedTuple):
    """An offer in the form it found room for (None: a pointer), and what it costs."""

    offer: Offer
    form: Form | None
    tokens: int


def head(path: str, line: int, symbol: str, reason: str) -> str:
    """The line that points at a place."""
    return f"{path}:{line}  {symbol}  {reason}" if symbol else f"{path}:{line}  {reason}"


def shown(offer: Offer, form: Form | None) -> str:
    """A place as it is counted and shown."""
    pointer = head(offer.path, offer.line, offer.symbol, offer.reason)
    return f"{pointer}\n{form.text}" if form else pointer


def fit(offers: Sequence[Offer], cap: int, soft: int, late: frozenset[Role] = frozenset()) -> list[Fitted]:
    """The offers that fit under ``cap``.

    Pointers come first, then texts while all together cost at most ``soft``; then, as far as ``soft`` still
    reaches, the roles in ``late``, with their texts.
    """
    first = _pointers([offer for offer in offers if offer.role not in late], cap)
    first = _with_texts(first, min(soft, cap))
    room = max(0, min(soft, cap) - sum(one.tokens for one in first))
    return [*first, *_with_texts(_pointers([offer for offer in offers if offer.role in late], room), room)]


def _pointers(offers: Sequence[Offer], cap: int) -> list[Fitted]:
    fitted: list[Fitted] = []
    total = 0
    for offer in offers:
        cost = count_tokens(shown(offer, None)) + LINE_END
        if total + cost <= cap:
            fitted.append(Fitted(offer, None, cost))
            total += cost
    return fitted


def _with_texts(fitted: Sequence[Fitted], cap: int) -> list[Fitted]:
    """Each with the best form that still fits, in order."""
    total = sum(one.tokens for one in fitted)
    better: list[Fitted] = []
    for offer, _, pointer in fitted:
        chosen = Fitted(offer, None, pointer)
        for form in offer.forms:
            cost = count_tokens(shown(offer, form)) + LINE_END
            if total - pointer + cost <= cap:
                chosen = Fitted(offer, form, cost)
                break
        total += chosen.tokens - pointer
        better.append(chosen)
    return better


def left(offers: Sequence[Offer], fitted: Sequence[Fitted]) -> dict[str, int]:
    """How many offers found no room, by role."""
    counts = Counter(offer.role for offer in offers)
    counts.subtract(one.offer.role for one in fitted)
    return {role: count for role, count in sorted(counts.items()) if count > 0}
