"""A budget of tokens among sources: each has a share, and what one leaves the next may take.

Above a softer target there are only pointers: they say where, and an agent that needs more reads it.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from navlog.projections.injecting.block import Found, cost
from navlog.projections.injecting.knowing import Known


class Offer(NamedTuple):
    """What a source has, the best first; ``share`` of the budget is its own, from 0 to 1."""

    share: float
    found: Sequence[Found]


class Shared(NamedTuple):
    """``known``: how many were left out because the session has them, ``cut``: because they cost too much."""

    chosen: list[Found]
    known: int
    cut: int


def share(
    offers: Iterable[Offer], known: Known, budget: int, target: int, count: Callable[[str], int]
) -> Shared:
    """The pieces to give, in the order of the offers; texts as long as all cost at most ``target``."""
    chosen: list[Found] = []
    seen, cut, left, spent = 0, 0, 0.0, 0
    taken: set[str] = set()
    for offer in offers:
        left = min(left + offer.share * budget, budget - spent)
        for found in offer.found:
            if known.has(found):
                seen += 1
            elif found.id not in taken:
                one = _within(found, left, target - spent, count)
                cut += one != found
                if one:
                    taken.add(one.id)
                    chosen.append(one)
                    price = cost(one, count)
                    left, spent = left - price, spent + price
    return Shared(chosen, seen, cut)


def _within(found: Found, left: float, texts: float, count: Callable[[str], int]) -> Found | None:
    """The piece as far as it fits: the pointer is worth more than its text."""
    if cost(found, count) <= (min(left, texts) if found.text else left):
        return found
    bare = found._replace(text="")
    return bare if cost(bare, count) <= left else None
