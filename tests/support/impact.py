"""A project's facts in lists, for what is computed from them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from navlog.projections.impact.facts import Companion, ImportRow, Pointer, Target, Text
from navlog.projections.impact.uses import uses
from navlog.schemas.events import Reference, Symbol


@dataclass
class Project:
    """Facts in lists. ``define`` and ``use`` fill ``texts``; a definition covers five lines."""

    imports: list[ImportRow] = field(default_factory=list)
    pointers: list[Pointer] = field(default_factory=list)
    together: dict[str, list[Companion]] = field(default_factory=dict)
    written: dict[str, Text] = field(default_factory=dict)

    def imports_of(self, targets: Collection[str]) -> Sequence[ImportRow]:
        return [row for row in self.imports if row.target in targets]

    def pointers_to(self, targets: Collection[str]) -> Sequence[Pointer]:
        return [pointer for pointer in self.pointers if pointer.target in targets]

    def texts(self, paths: Collection[str]) -> Mapping[str, Text]:
        return {path: self.written[path] for path in paths if path in self.written}

    def mentioning(self, name: str) -> Collection[str]:
        return [path for path, text in self.written.items() if any(r.name == name for r in text.references)]

    def deriving(self, names: Collection[str], among: Collection[str]) -> Collection[str]:
        return [
            path
            for path, text in self.written.items()
            if path in among and any(r.kind == "base" and r.name in names for r in text.references)
        ]

    def documenting(self, name: str) -> Collection[str]:
        return [path for path, text in self.written.items() if any(name in one.target for one in text.links)]

    def through(self, names: Collection[str], receivers: Collection[str]) -> Collection[str]:
        return [
            path
            for path, text in self.written.items()
            if any(r.name in names and r.receiver in receivers for r in text.references)
        ]

    def mates(self, path: str) -> Collection[str]:
        folder = path.rpartition("/")[0]
        return [
            other
            for other in self.written
            if other.endswith(".go") and path.endswith(".go") and other.rpartition("/")[0] == folder
        ]

    def companions(self, path: str) -> Sequence[Companion]:
        return self.together.get(path, [])

    def defining(self, name: str) -> int:
        return sum(symbol.name == name for text in self.written.values() for symbol in text.symbols)

    def file(self, path: str, *symbols: str, uses: Sequence[Reference] = ()) -> "Project":
        """``symbols`` like ``Class.method`` stand one after another from line 1, methods in their class.

        A class is what begins with a capital letter, a constant what has no other.
        """
        found: list[Symbol] = []
        for number, name in enumerate(symbols):
            owner, _, own = name.rpartition(".")
            parent = next((n for n, one in enumerate(found) if one.name == owner), -1)
            kind = "method" if owner else "constant" if own.isupper() else "class" if own[0].isupper() else ""
            last = max(n for n, other in enumerate(symbols) if n == number or other.startswith(f"{name}."))
            found.append(Symbol(own, kind or "function", number * 5 + 1, last * 5 + 5, parent))
        self.written[path] = Text(found, list(uses))
        return self

    def imported(
        self, path: str, target: str, *names: str, form: str = "from", module: str = ""
    ) -> "Project":
        pairs = (name.partition(" as ") for name in names)
        self.imports.append(ImportRow(path, 1, form, module, tuple((n, a) for n, _, a in pairs), target))
        return self


def call(name: str, line: int = 1, receiver: str = "", kind: str = "call") -> Reference:
    return Reference(name, kind, [line], receiver)


def used(project: Project, target: Target) -> list[tuple[str, str, float, str]]:
    return [
        (use.user.path, use.user.symbol, round(use.confidence, 2), use.reason)
        for use in uses(project, target)
    ]


RUN = Target("app.py", "run", "run", 1, "function")
SAVE = Target("app.py", "save", "Model", 6, "method")


def app() -> Project:
    return Project().file("app.py", "run")


def models() -> Project:
    return Project().file("app.py", "Model", "Model.save")
