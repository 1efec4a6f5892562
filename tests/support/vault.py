"""A small world for pages: two projects with concepts, tasks and sessions, made of any texts."""

from collections.abc import Sequence

from navlog.projections.concepts import Claim, Concept, Evidence, Link
from navlog.projections.pages.model import Commit, Decision, File, Project, Row, Rule, Rules, Session, Task
from navlog.schemas.events import Symbol

AT = "2026-01-02T03:04:05Z"


def row(path: str, says: str = "", changed_at: str = AT) -> Row:
    return Row(path, "python", 10, says, changed_at)


def file(path: str, says: str = "", **given: object) -> File:
    return File(row(path, says), "source", **given)  # type: ignore[arg-type]


def concept(key: str, label: str, files: Sequence[tuple[str, str]] = (), **given: object) -> Concept:
    """``files``: (relation, path)."""
    id_ = f"concept:{key}"
    claims = tuple(Claim(f"{id_}:{path}", relation, path, "rules", 0.9) for relation, path in files)  # type: ignore[arg-type]
    whole = {"aliases": (), "kind": "package", "status": "found", "source": "rules", "confidence": 0.9}
    return Concept(id=id_, key=key, label=label, **{**whole, "files": claims, **given})  # type: ignore[arg-type]


def link(relation: str, key: str) -> Link:
    return Link(f"{relation}:{key}", relation, f"concept:{key}", "rules", 0.8)  # type: ignore[arg-type]


def shop() -> Project:
    """Something of each kind."""
    commits = (Commit("c1", AT, "Ada", "Prices are rounded", ("shop/total.py",)),)
    return Project(
        id="shop-1",
        name="shop",
        root="/home/ada/shop",
        branch="main",
        head="a" * 40,
        about="A shop",
        rows=(row("README.md"), row("shop/cart.py", "The cart."), row("shop/total.py", "Adds up.")),
        files={
            "shop/total.py": file(
                "shop/total.py",
                "Adds up.",
                users=("shop/cart.py",),
                tests=("tests/test_total.py",),
                commits=commits,
                symbols=(Symbol("order_total", "function", 3, 9, doc="The sum."),),
                former=("shop/sum.py",),
            ),
            "shop/cart.py": file("shop/cart.py", "The cart.", uses=("shop/total.py",)),
        },
        concepts=(
            concept(
                "pricing",
                "Pricing",
                [("implemented_by", "shop/total.py"), ("tested_by", "tests/test_total.py")],
                aliases=("prices",),
                merged=("concept:sums",),
                evidence=(Evidence("a folder", "shop/total.py", 3),),
            ),
            concept(
                "cart",
                "Cart",
                [("implemented_by", "shop/cart.py")],
                relations=(link("depends_on", "pricing"),),
            ),
            concept("noise", "Noise", status="rejected"),
        ),
        commits=commits,
        changed=(row("shop/cart.py", "The cart."),),
        moved={"shop/sum.py": "shop/total.py"},
        tasks=(
            Task(
                "t1",
                "Round the prices",
                "completed",
                AT,
                AT,
                "Done.",
                ("s1",),
                ("shop/cart.py",),
                ("shop/total.py",),
                ("pytest: 3 passed",),
                ("c1",),
                ("concept:pricing",),
                "codex",
                ("Round the prices", "Half a cent, too"),
                ("pytest: nope",),
            ),
        ),
        sessions=(Session("s1-long-id", "claude-code", AT, AT, "a model", "t1", ("round prices",)),),
        decisions=(Decision("d1", "t1", "Half a cent is rounded up", AT, "Ada"),),
    )


def made_of(texts: Sequence[str], project: str = "p") -> Project:
    """A project in which every word is one of ``texts``, taken in turns."""
    turn = iter(range(1 << 30))

    def word() -> str:
        return texts[next(turn) % len(texts)]

    paths = list(dict.fromkeys(f"{word()}/{word()}"[:200] for _ in range(4)))
    commits = tuple(Commit(f"c{n}", AT, word(), word(), (paths[0],)) for n in range(2))
    concepts = tuple(
        concept(
            f"{word()}{n}",
            word(),
            [("implemented_by", path), ("documented_by", word())],
            aliases=(word(),),
            evidence=(Evidence(word(), path, 1),),
            merged=(f"concept:{word()}{n}!",),
            relations=(link("contains", f"{word()}{n}"),),
        )
        for n, path in enumerate(paths)
    )
    return Project(
        id=project,
        name=word(),
        root=word(),
        branch=word(),
        head=word(),
        about=word(),
        rows=tuple(Row(path, word(), 1, word(), AT) for path in paths),
        files={
            path: File(
                Row(path, word(), 3, word(), AT),
                "source",
                commits=commits,
                former=(word(),),
                symbols=(Symbol(word(), "function", 1, 2, doc=word()),),
                users=(word(),),
                documents=(word(),),
            )
            for path in paths
        },
        concepts=concepts,
        commits=commits,
        changed=tuple(Row(path, word(), 1, word(), AT) for path in paths[:2]),
        moved={f"{word()}//gone": paths[0]},
        tasks=(
            Task(
                "t",
                word(),
                "open",
                AT,
                "",
                f"{word()}\n{word()}",
                (word(),),
                (word(),),
                (paths[0],),
                (word(),),
                ("c0",),
                (word(),),
                word(),
                (word(),),
                (word(),),
            ),
        ),
        sessions=(Session(word(), word(), AT, "", word(), "t", (word(), word())),),
        decisions=(
            Decision(word(), "t", f"{word()}\n{word()}", AT, word()),
            Decision(f"{word()}!", "", word(), "", path=paths[0], says=word(), rule=word()),
        ),
        rules=tuple(
            Rules(path, (Rule(word(), word(), paths[0]), Rule(word(), word()))) for path in paths[:2]
        ),
    )
