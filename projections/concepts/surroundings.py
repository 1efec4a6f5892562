"""Who imports, tests and changes what: the edges and commits of a project, turned round once.

Counts only; what they are worth is decided in `navlog.projections.concepts.weighing`.
"""

import re
from collections import Counter, defaultdict

from navlog.projections.concepts.facts import Facts
from navlog.projections.concepts.naming import stem, stems

SWEEP = 12  # paths of a commit that still is about one thing
_SCOPE = re.compile(r"(?:\w+\(([\w./ -]{2,30})\)!?:|\[([\w./ -]{2,30})\]|([\w./-]{2,30}):)\s")


class Surroundings:
    """``importers``: file -> the sources that import it; ``tests``: file -> test -> why; ``touched`` counts
    commits; ``scopes``: a word before a subject's colon -> how often it stood over which path; ``settings``:
    the stems of a name -> the files of settings and data that bear it."""

    def __init__(self, facts: Facts) -> None:
        self.importers: dict[str, set[str]] = defaultdict(set)
        self.tests: dict[str, dict[str, str]] = defaultdict(dict)
        self.links: dict[str, set[str]] = defaultdict(set)
        self.touched: Counter[str] = Counter()
        self.scopes: dict[str, Counter[str]] = defaultdict(Counter)
        self.settings: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for one in facts.pages.values():
            if one.kind in ("settings", "data"):
                self.settings[stems(one.stem)].append(one.path)
        for path, edges in facts.edges.items():
            page = facts.pages.get(path)
            for kind, target in edges if page else ():
                self._edge(path, page.kind if page else "", kind, target)
        for change in facts.changes:
            self._change(change.subject, change.paths)

    def _edge(self, path: str, page: str, kind: str, target: str) -> None:
        if kind == "test" or (kind == "import" and page == "test"):
            if self.tests[target].get(path) != "name":
                self.tests[target][path] = "name" if kind == "test" else "import"
        elif kind == "import" and page == "source":
            self.importers[target].add(path)
        elif kind == "link" and page == "document":
            self.links[target].add(path)

    def _change(self, subject: str, paths: tuple[str, ...]) -> None:
        self.touched.update(set(paths))
        found = _SCOPE.match(subject)
        if found and len(paths) <= SWEEP:
            scope = stem((found[1] or found[2] or found[3]).rpartition("/")[2].lower())
            self.scopes[scope].update(set(paths))
