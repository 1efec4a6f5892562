"""The map of a project's concepts, as a canvas: the first few dozen of them, and what needs what."""

from collections.abc import Sequence

import msgspec

from navlog.projections.concepts import Concept
from navlog.projections.pages import inert
from navlog.projections.pages.layout import GAP_X, GAP_Y, HEIGHT, WIDTH, Arrow, Corner, layout, telling
from navlog.projections.pages.model import Project
from navlog.projections.pages.names import Thing, short_hash
from navlog.projections.pages.sheet import MARK, Desk, Page

CONCEPTS = 32
ARROWS = 3  # that leave one concept
PART = "6"  # purple, in Obsidian's own palette


def has_map(project: Project) -> bool:
    """Whether there is anything to draw: a map of nothing is a page for nobody."""
    return any(one.shown for one in project.concepts)


def map_page(project: Project, desk: Desk) -> Page:
    """The canvas; its legend bears the mark."""
    path = desk.places[Thing("map", project.id, "")]
    concepts = [one for one in project.concepts if one.shown][:CONCEPTS]
    arrows = _arrows(concepts)
    ids = [one.id for one in concepts]
    corners = layout(ids, list(arrows))
    told = set(telling(ids, list(arrows)))
    nodes = [_legend(path, desk, corners), *(_node(project, one, corners[one.id], desk) for one in concepts)]
    edges = [
        _edge(start, end, part=part) for (start, end), part in arrows.items() if part or (start, end) in told
    ]
    canvas = msgspec.json.format(msgspec.json.encode({"nodes": nodes, "edges": edges}), indent=2)
    return Page(path, canvas.decode() + "\n")


def _arrows(concepts: Sequence[Concept]) -> dict[Arrow, bool]:
    """From whole to part (True), from what needs to what is needed (False); the surest few of each."""
    ids = {one.id for one in concepts}
    found: dict[Arrow, bool] = {}
    for concept in concepts:
        for relation in ("contains", "depends_on"):
            links = [one for one in concept.relations if one.relation == relation and one.concept in ids]
            links.sort(key=lambda one: -one.confidence)
            for link in links if relation == "contains" else links[:ARROWS]:
                found.setdefault((concept.id, link.concept), relation == "contains")
    return found


def _legend(path: str, desk: Desk, corners: dict[str, Corner]) -> dict[str, object]:
    top = min((y for _, y in corners.values()), default=0)
    return {
        "id": f"{MARK}:{path}", "type": "text", "text": desk.words.legend,
        "x": 0, "y": top - HEIGHT - 2 * GAP_Y, "width": 2 * WIDTH + GAP_X, "height": HEIGHT,
    }  # fmt: skip


def _node(project: Project, concept: Concept, corner: Corner, desk: Desk) -> dict[str, object]:
    files = len({claim.path for claim in concept.files})
    link = desk.link(Thing("concept", project.id, concept.id), concept.label)
    text = f"**{link}**\n{inert.text(desk.words.kinds[concept.kind])} · {desk.words.of_files(files)}"
    return {
        "id": short_hash(concept.id), "type": "text", "text": text,
        "x": corner[0], "y": corner[1], "width": WIDTH, "height": HEIGHT,
    }  # fmt: skip


def _edge(start: str, end: str, *, part: bool) -> dict[str, object]:
    edge: dict[str, object] = {
        "id": short_hash(start, end), "fromNode": short_hash(start), "fromSide": "right",
        "toNode": short_hash(end), "toSide": "left",
    }  # fmt: skip
    return edge | {"color": PART} if part else edge
