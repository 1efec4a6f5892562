"""What redaction costs a line and how many lines of a source tree it touches: ``redaction.py TREE…``.

Prints microseconds of CPU a line (the best of three passes over every file that is UTF-8) and the lines in
which something was found, with where they are, so that a person can say whether they are secrets.
"""

import sys
import time
from pathlib import Path

from navlog.daemon.redact.dresses import find_all


def main(trees: list[str]) -> None:
    """One table row a tree; then the places."""
    for tree in trees:
        texts = dict(read(Path(tree)))
        lines = sum(text.count("\n") + 1 for text in texts.values())
        seconds = min(measured(list(texts.values())) for _ in range(3))
        places = [
            (path, text.count("\n", 0, found.start) + 1, found.rule)
            for path, text in texts.items()
            for found in find_all(text)
        ]
        share = len({place[:2] for place in places}) / lines
        print(f"{tree}: {lines} lines, {seconds / lines * 1e6:.2f} us a line, {share:.4%} touched")
        for path, line, rule in places:
            print(f"  {path}:{line} {rule}")


def read(tree: Path) -> list[tuple[Path, str]]:
    """Every file of the tree that is UTF-8."""
    found = []
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink():
            text = path.read_bytes().decode("utf-8", "replace")
            if "\ufffd" not in text:
                found.append((path, text))
    return found


def measured(texts: list[str]) -> float:
    """Seconds of CPU for all texts."""
    start = time.process_time()
    for text in texts:
        find_all(text)
    return time.process_time() - start


if __name__ == "__main__":
    main(sys.argv[1:])
