"""How many functions and types that universal-ctags finds are found here, at the same line.

    python -m benchmarks.ctags_agreement TREE…

Prints the share by language and the first differences of each; needs ``ctags`` (universal-ctags) on the path.
"""

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.extraction import files
from navlog.daemon.extract import outline
from navlog.schemas.events import Symbol
from navlog.schemas.settings import Extract

KINDS = frozenset({
    "function", "func", "method", "class", "interface", "struct", "enum", "trait", "module",
    "singletonMethod",
    "methodSpec", "prototype", "generator",
})  # fmt: skip
OURS = frozenset({"function", "method", "class", "interface", "struct", "enum", "trait", "module", "type"})
# Their names for what is compared; other languages are too weakly read there to learn from.
LANGUAGES = {
    "Python": "python", "JavaScript": "javascript", "TypeScript": "typescript", "Go": "go", "Rust": "rust",
    "Java": "java", "C": "c, c++", "C++": "c, c++", "Ruby": "ruby", "C#": "csharp", "PHP": "php",
    "Sh": "bash",
}  # fmt: skip
ANONYMOUS = re.compile(r"__anon|Anonymous(?:Function|Class)[0-9a-f]+")
MACRO = re.compile(r"/\^[A-Z][A-Z0-9_]{2,}\(")
SHOWN = 12

Place = tuple[str, int, str]


def main() -> None:
    """Print the agreement for each tree."""
    for tree in map(Path, sys.argv[1:]):
        ours = found_here(tree)
        for language, theirs in sorted(found_by_ctags(tree).items()):
            report(tree.name, language, theirs, ours.get(language, set()))


def report(tree: str, language: str, theirs: set[Place], ours: set[Place]) -> None:
    missed = sorted(theirs - ours)
    share = 1 - len(missed) / len(theirs)
    print(f"{tree} {language}: {share:.1%} of {len(theirs)}; {len(ours - theirs)} more here")
    for path, line, name in missed[:SHOWN]:
        print(f"    not here: {path}:{line} {name}")


def found_by_ctags(tree: Path) -> dict[str, set[Place]]:
    """Functions and types by language."""
    options = ["--output-format=json", "--fields=+nlK", "--languages=" + ",".join(LANGUAGES), "-R", "-f", "-"]
    printed = subprocess.run(["ctags", *options, "."], cwd=tree, capture_output=True, check=True).stdout
    found: defaultdict[str, set[Place]] = defaultdict(set)
    for tag in map(msgspec.json.decode, printed.splitlines()):
        if tag["_type"] == "tag" and is_compared(tag):
            place = (
                tag["path"].removeprefix("./"),
                tag["line"],
                tag["name"].rpartition("::")[2].replace(" ", ""),
            )
            found[LANGUAGES[tag["language"]]].add(place)
    return found


def is_compared(tag: dict[str, str]) -> bool:
    """Functions and types that have a name.

    ctags calls Python's methods members, JavaScript's object literals classes, Rust's ``mod x;``, which is
    an import here, a module, the shell's arrays functions, and of ``TEST(name) {`` the macro a function.
    """
    language, kind, written = tag["language"], tag["kind"], tag["pattern"]
    if ANONYMOUS.match(tag["name"]) or (language == "Sh" and tag["name"].endswith("=")):
        return False
    if language == "JavaScript" and kind == "class":
        return "class" in written
    if language in ("C", "C++") and MACRO.match(written):
        return False
    if language == "Rust" and kind == "module":
        return not written.endswith(";$/")
    return kind in KINDS or (language == "Python" and kind == "member")


def found_here(tree: Path) -> dict[str, set[Place]]:
    """The same by our outlines."""
    found: defaultdict[str, set[Place]] = defaultdict(set)
    for path in files(tree):
        name = str(path.relative_to(tree))
        read = outline(name, path.read_bytes(), Extract(parse_s=10.0))
        language = "c, c++" if read.language in ("c", "cpp") else read.language  # headers are of both
        found[language].update(places(name, read.symbols))
    return found


def places(path: str, symbols: list[Symbol]) -> Iterator[Place]:
    return ((path, symbol.line, symbol.name) for symbol in symbols if symbol.kind in OURS)


if __name__ == "__main__":
    main()
