"""What each way found, as figures. Pure.

AgentNavi's figures (recall, precision, how much smaller the candidates and their tokens are than the whole
project) are taken over the first ``limit`` files; Acc@k is ours: all expected files within the first k. What
navlog saves beside another way is told over the cases in which both found what was needed, as AgentNavi does.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

import msgspec

from navlog.daemon.comparing.cases import Case

KS = (1, 3, 5, 10)
# A saving is worth nothing where the files that were needed are not among those that are left.
ENOUGH = 0.95


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What one way gave for one case: paths in order, what reading it costs, how long it took."""

    case: Case
    paths: Sequence[str]
    tokens: int
    seconds: float


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Means over the cases; ``saving`` shares are None where recall is under `ENOUGH`, with ``why``."""

    way: str
    cases: int
    acc: Mapping[str, float]
    recall: float
    precision: float
    tokens: float
    recall_per_1000_tokens: float
    milliseconds: float
    candidate_reduction: float | None = None
    token_reduction: float | None = None
    why: str = ""


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """navlog beside another way, over the ``counted`` of the ``cases``: those in which both have a recall of
    `ENOUGH` or more. The share of the other's tokens that is saved: negative where it is more, None without
    such a case.
    """

    beside: str
    cases: int
    counted: int
    token_reduction: float | None


def saved(beside: str, ours: Sequence[Found], theirs: Sequence[Found]) -> Saved:
    """``ours`` and ``theirs`` case by case, in the same order."""
    both = [
        (our.tokens, their.tokens)
        for our, their in zip(ours, theirs, strict=True)
        if min(recall(our), recall(their)) >= ENOUGH
    ]
    whole = sum(tokens for _, tokens in both)
    share = 1 - sum(tokens for tokens, _ in both) / whole if whole else None
    return Saved(beside=beside, cases=len(ours), counted=len(both), token_reduction=share)


def recall(one: Found) -> float:
    """The share of the expected files among those given."""
    return len(one.case.expected.intersection(one.paths)) / len(one.case.expected)


def figures(way: str, found: Sequence[Found], *, files: int, tokens: int, limit: int | None) -> Figures:
    """Figures of one way; ``files`` and ``tokens`` are the whole project's; ``limit`` None: all paths."""
    kept = [one.paths[:limit] for one in found]
    shares = [
        recall(msgspec.structs.replace(one, paths=paths)) for one, paths in zip(found, kept, strict=True)
    ]
    mean, cost = fmean(shares), fmean(one.tokens for one in found)
    saves = mean >= ENOUGH
    return Figures(
        way=way,
        cases=len(found),
        acc={f"@{k}": fmean(one.case.expected <= set(one.paths[:k]) for one in found) for k in KS},
        recall=mean,
        precision=fmean(
            len(one.case.expected.intersection(paths)) / len(paths) if paths else 0.0
            for one, paths in zip(found, kept, strict=True)
        ),
        tokens=cost,
        recall_per_1000_tokens=fmean(
            1000 * share / one.tokens if one.tokens else 0.0 for share, one in zip(shares, found, strict=True)
        ),
        milliseconds=fmean(one.seconds for one in found) * 1000,
        candidate_reduction=1 - fmean(map(len, kept)) / files if saves and files else None,
        token_reduction=1 - cost / tokens if saves and tokens else None,
        why="" if saves else f"no saving is told: recall is under {ENOUGH}",
    )
