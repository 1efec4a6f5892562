"""What a person means by a name: a concept, a relation, a file; and what is near when nothing is called so.

Refuses to guess: a name that several concepts have is an error that names them. Pure.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches

from navlog.projections.concepts.judgements import Triple
from navlog.projections.concepts.naming import slug
from navlog.schemas.concept import CONCEPT_RELATIONS, FILE_RELATIONS, Concept
from navlog.schemas.errors import UsageError

NEAR = 5


def concept_named(concepts: Sequence[Concept], wanted: str) -> Concept:
    """By id, key, id of a merged one, label or alias; raises `UsageError`."""
    for names in (_ids, _labels, _aliases):
        found = [one for one in concepts if _same(wanted, names(one))]
        if len(found) > 1:
            raise UsageError(
                f"{len(found)} concepts are called {wanted!r}.",
                hint="Name one by its id: " + ", ".join(one.id for one in found),
            )
        if found:
            return found[0]
    raise UsageError(f"There is no concept {wanted!r}.", hint=_near_concepts(concepts, wanted))


def relation_of(concepts: Iterable[Concept], id_: str) -> Triple | None:
    """The concept, relation and other end of a relation's id, among those that are shown."""
    for one in concepts:
        for claim in one.files:
            if claim.id == id_:
                return one.id, claim.relation, claim.path
        for link in one.relations:
            if link.id == id_:
                return one.id, link.relation, link.concept
    return None


def file_named(paths: Collection[str], wanted: str) -> str:
    """A path of the project; raises `UsageError` with the nearest ones."""
    if wanted in paths:
        return wanted
    name = wanted.rpartition("/")[2]
    same = sorted(path for path in paths if path.rpartition("/")[2] == name)
    near = same or get_close_matches(wanted, list(paths), NEAR, 0.6)
    hint = f"Near: {', '.join(near[:NEAR])}" if near else "Name it from the project's root."
    raise UsageError(f"The project has no file {wanted!r}.", hint=hint)


def relation_word(wanted: str, *, files: bool, concepts: bool) -> str:
    """A relation to files, to concepts or to both; raises `UsageError` with those there are."""
    words = dict.fromkeys((*(FILE_RELATIONS if files else ()), *(CONCEPT_RELATIONS if concepts else ())))
    if wanted in words:
        return wanted
    raise UsageError(f"There is no relation {wanted!r}.", hint=f"There are: {', '.join(words)}.")


def _ids(one: Concept) -> Iterator[str]:
    yield from (one.id, one.key, *one.merged, *(id_.partition(":")[2] for id_ in one.merged))


def _labels(one: Concept) -> Iterator[str]:
    yield one.label


def _aliases(one: Concept) -> Iterator[str]:
    yield from one.aliases


def _same(wanted: str, names: Iterable[str]) -> bool:
    return any(wanted == name or (slug(wanted) and slug(wanted) == slug(name)) for name in names)


def _near_concepts(concepts: Sequence[Concept], wanted: str) -> str:
    names = {slug(name): one.key for one in concepts for name in (one.key, one.label, *one.aliases)}
    close = get_close_matches(slug(wanted), list(names), NEAR, 0.5)
    near = list(dict.fromkeys(names[name] for name in close))
    return f"Near: {', '.join(near)}" if near else "See which there are:  navlog concept list"
