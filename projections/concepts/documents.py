"""Which documents are about a name: by their own name, their folder, their title, a chapter's heading.

Reads titles, never texts: a page that only mentions a thing documents nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from navlog.projections.concepts.facts import Page
from navlog.projections.concepts.naming import compact, is_generic, stems

Key = tuple[str, ...]
TITLE_WORDS = 4  # a longer title names many things
PAGE, TITLE, FOLDER, CHAPTER, PART = 0.9, 0.85, 0.7, 0.6, 0.5


class Said(NamedTuple):
    """A document about a key; ``text`` is what names it, ``line`` where; ``sure`` between 0 and 1."""

    path: str
    line: int
    text: str
    sure: float


class Documents:
    """The documents of a project by the keys of what they are about."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._by_key: dict[Key, dict[str, Said]] = defaultdict(dict)
        self._by_word: dict[str, dict[str, Said]] = defaultdict(dict)
        self._by_name: dict[str, Said] = {}
        for page in pages:
            if page.kind == "document" and page.names and not is_record(page):
                self._take(page)

    def about(self, key: Key) -> list[Said]:
        """The surest first; a document once."""
        found = dict(self._by_key.get(key, {}))
        if len(key) == 1:
            for path, said in self._by_word.get(key[0], {}).items():
                found.setdefault(path, said)
        return sorted(found.values(), key=lambda said: (-said.sure, said.path.count("/"), said.path))

    def named(self, name: str) -> Said | None:
        """The page whose name or title is ``name``, written together."""
        return self._by_name.get(compact(name))

    def _take(self, page: Page) -> None:
        for key, said in _claims(page):
            known = self._by_key[key].get(page.path)
            if known is None or known.sure < said.sure:
                self._by_key[key][page.path] = said
        title = page.names[0]
        key = stems(title.name)
        if 1 < len(key) <= TITLE_WORDS:
            for word in key:
                self._by_word[word].setdefault(page.path, Said(page.path, title.line, title.name, PART))
        for name in (page.stem, "".join(key)):
            self._by_name.setdefault(compact(name), Said(page.path, title.line, title.name, PAGE))


def _claims(page: Page) -> Iterator[tuple[Key, Said]]:
    title = page.names[0]
    if not is_generic(page.stem):
        yield stems(page.stem), Said(page.path, title.line, title.name, PAGE)
    yield stems(title.name), Said(page.path, title.line, title.name, TITLE)
    folder = page.folder.rpartition("/")[2]
    if folder and not is_generic(folder):
        yield stems(folder), Said(page.path, title.line, title.name, FOLDER)
    for heading in page.names[1:]:
        yield stems(heading.name), Said(page.path, heading.line, heading.name, CHAPTER)


def is_record(page: Page) -> bool:
    """Whether it tells what happened (change logs, release notes): it names everything once."""
    parts = set(page.path.lower().replace("-", "_").split("/"))
    return bool(parts & RECORDS) or page.stem.lower() in RECORDS


RECORDS = frozenset(
    {"releases", "release_notes", "changes", "changelog", "history", "news", "newsfragments", "whatsnew"}
)
