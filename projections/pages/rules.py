"""Files of rules: one page each, section by section, with the place that a rule names."""

from collections.abc import Iterator
from itertools import groupby

from navlog.projections.pages import inert
from navlog.projections.pages.model import Project, Rule, Rules
from navlog.projections.pages.names import Thing
from navlog.projections.pages.sheet import Desk, Page, Properties, own_page, section


def rules_pages(project: Project, desk: Desk) -> Iterator[Page]:
    """What must and must not be done in a project."""
    yield from (_page(project, rules, desk) for rules in project.rules)


def rules_links(project: Project, desk: Desk) -> list[str]:
    """The pages of a project's rules."""
    return [desk.link(Thing("rules", project.id, one.path), one.path) for one in project.rules]


def _page(project: Project, rules: Rules, desk: Desk) -> Page:
    words = desk.words
    sections = groupby(rules.rules, key=lambda rule: rule.section)
    parts = [
        [f"# {inert.text(rules.path)}"],
        [desk.file(project.id, rules.path)],
        *(
            section(inert.text(title, 80), [_line(project, one, desk) for one in told])
            for title, told in sections
        ),
    ]
    properties: Properties = {
        words.kind: words.rules.lower(),
        words.path: rules.path,
        words.part: len(rules.rules),
        "tags": ["navlog/rules"],
    }
    return own_page(Thing("rules", project.id, rules.path), project, desk, properties, parts)


def _line(project: Project, rule: Rule, desk: Desk) -> str:
    place = f" ({desk.file(project.id, rule.path)})" if rule.path else ""
    return f"- {inert.text(rule.says)}{place}"
