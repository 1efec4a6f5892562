"""A plot for a page: values over a size, both by powers of ten, as SVG without any library."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 560, 300, 60, 40, 30
COLOURS = ("#1f6feb", "#d1242f", "#1a7f37", "#8250df")


class Line(NamedTuple):
    """``points`` are (size, value), all above 0."""

    name: str
    points: Sequence[tuple[float, float]]


def draw(what: str, lines: Sequence[Line]) -> str:
    """The whole picture; ``what`` is counted along the lower edge. A slope of 1 is linear growth."""
    sizes = [size for line in lines for size, _ in line.points]
    values = [value for line in lines for _, value in line.points]
    across = _Scale(min(sizes), max(sizes), LEFT, WIDTH - 20)
    up = _Scale(min(values), max(values), HEIGHT - BELOW, ABOVE)
    look = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {look}>',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    parts += [_grid(LEFT, up.at(tick), WIDTH - 20, up.at(tick)) for tick in up.ticks]
    parts += [_grid(across.at(tick), HEIGHT - BELOW, across.at(tick), ABOVE) for tick in across.ticks]
    parts += [_text(LEFT - 6, up.at(tick) + 4, "end", f"{tick:,g}") for tick in up.ticks]
    parts += [_text(across.at(tick), HEIGHT - BELOW + 16, "middle", f"{tick:,g}") for tick in across.ticks]
    parts.append(_text((LEFT + WIDTH) / 2, HEIGHT - 8, "middle", what))
    for number, line in enumerate(lines):
        parts += _drawn(line, COLOURS[number % len(COLOURS)], across, up)
        parts.append(_text(LEFT + 10 + 200 * number, 18, "start", line.name, COLOURS[number % len(COLOURS)]))
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Scale:
    """From a value to a place: whole powers of ten around all values, over ``start`` to ``end``."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self._low = floor(log10(low))
        self._high = max(self._low + 1, ceil(log10(high)))
        self._start, self._end = start, end
        self.ticks = [10.0**power for power in range(self._low, self._high + 1)]

    def at(self, value: float) -> float:
        share = (log10(value) - self._low) / (self._high - self._low)
        return round(self._start + share * (self._end - self._start), 1)


def _drawn(line: Line, colour: str, across: _Scale, up: _Scale) -> list[str]:
    places = [(across.at(size), up.at(value)) for size, value in line.points]
    path = " ".join(f"{x},{y}" for x, y in places)
    dots = [f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in places]
    said = [
        _text(x, y - 8, "middle", f"{value:,.3g}", colour)
        for (x, y), (_, value) in zip(places, line.points, strict=True)
    ]
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>', *dots, *said]


def _grid(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="#ddd"/>'


def _text(x: float, y: float, anchor: str, text: str, colour: str = "#444") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{text}</text>'
