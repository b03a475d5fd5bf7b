"""The picture of the results: ratios to the echo, latency against load, and what batches bring."""

import math
from collections.abc import Sequence
from typing import Any

WIDTH, HEIGHT, TOP, BOTTOM = 1148, 360, 60, 300
COLOURS = {
    "echo": "#64748b",
    "nothing": "#94a3b8",
    "same replica": "#15803d",
    "in turns": "#ca8a04",
    "memory off": "#b91c1c",
}
INK = "#0f172a"


def drawn(parts: dict[str, dict[str, Any]]) -> str:
    """The picture as SVG, of the parts unary, offered and batch."""
    body = [
        *_ratios(parts["unary"], 50, 330),
        *_latency(parts["offered"], 440, 330),
        *_batches(parts["batch"], 830, 280),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"',
            '  font-family="Helvetica, Arial, sans-serif" font-size="12">',
            "  <title>Speed of the Tarneeb service</title>",
            f'  <rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
            *(f"  {line}" for line in body),
            "</svg>",
            "",
        ]
    )


def _text(
    x: float, y: float, text: str, anchor: str = "start", colour: str = INK, *, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}"{weight}>{text}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, colour: str = "#cbd5e1") -> str:
    return f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{to_x:.0f}" y2="{to_y:.0f}" stroke="{colour}"/>'


def _ratios(unary: dict[str, Any], left: float, width: float) -> list[str]:
    """A bar a way for each kind of call."""
    ways = ("nothing", "same replica", "in turns", "memory off")
    found = [_text(left, 24, "Calls per CPU second, of an echo on the same server", bold=True)]

    def height(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * min(share, 1.0)

    for share in (0, 0.25, 0.5, 0.75, 1):
        found += [
            _line(left, height(share), left + width, height(share)),
            _text(left - 6, height(share) + 4, f"{share:g}", "end"),
        ]
    group = width / len(unary)
    bar = group / (len(ways) + 1)
    for number, (kind, costs) in enumerate(unary.items()):
        start = left + number * group + bar / 2
        for place, way in enumerate(ways):
            ratio = costs[way]["ratio_by_cpu"][0]
            x, y, tall = start + place * bar, height(ratio), BOTTOM - height(ratio)
            found += [
                f'<rect x="{x:.0f}" y="{y:.0f}" width="{bar - 3:.0f}" height="{tall:.0f}" fill="{COLOURS[way]}"/>',
                _text(x + bar / 2 - 1, y - 4, f"{ratio:.2f}".lstrip("0"), "middle"),
            ]
        found.append(_text(start + group / 2 - bar / 2, BOTTOM + 18, kind, "middle"))
    return found + _legend(ways, left, BOTTOM + 44)


def _latency(offered: dict[str, Any], left: float, width: float) -> list[str]:
    """Lines of p50 and p99 over calls a second."""
    found = [_text(left, 24, "p50 and p99 (dashed) of whole hands, ms", bold=True)]
    loads = [load for server in offered.values() for load in server["loads"]]
    most = _round_up(max(load["offered_per_second"] for load in loads))
    low = math.floor(math.log10(min(load["p50_us"] for load in loads) / 1000))
    high = math.ceil(math.log10(max(load["p99_us"] for load in loads) / 1000))

    def at(load: dict[str, float], name: str) -> tuple[float, float]:
        share = (math.log10(load[name] / 1000) - low) / (high - low)
        return left + width * load["offered_per_second"] / most, BOTTOM - (BOTTOM - TOP) * share

    for power in range(low, high + 1):
        y = BOTTOM - (BOTTOM - TOP) * (power - low) / (high - low)
        found += [_line(left, y, left + width, y), _text(left - 6, y + 4, f"{10.0**power:g}", "end")]
    found += [
        _text(left + width * share, BOTTOM + 18, f"{most * share:,.0f}/s", "middle")
        for share in (0.25, 0.5, 0.75, 1)
    ]
    for name, server in offered.items():
        for quantile, dashes in (("p50_us", ""), ("p99_us", "5 4")):
            found.append(_path([at(load, quantile) for load in server["loads"]], COLOURS[name], dashes))
    return found + _legend(list(offered), left, BOTTOM + 44)


def _batches(batch: dict[str, Any], left: float, width: float) -> list[str]:
    """Lines of moves per CPU second over the size of the batch, of a single call's."""
    found = [_text(left, 24, "Moves per CPU second in a batch, of unary", bold=True)]
    sizes = [name for name in next(iter(batch.values())) if name.startswith("batch")]
    ratios = {way: [costs[size]["ratio_by_cpu"][0] for size in sizes] for way, costs in batch.items()}
    most = math.ceil(max(ratio for way in ratios.values() for ratio in way) / 4) * 4

    def at(place: int, ratio: float) -> tuple[float, float]:
        return left + width * place / (len(sizes) - 1), BOTTOM - (BOTTOM - TOP) * ratio / most

    for number in range(5):
        y = at(0, most * number / 4)[1]
        found += [_line(left, y, left + width, y), _text(left - 6, y + 4, f"{most * number / 4:g} ×", "end")]
    for place, size in enumerate(sizes):
        found.append(_text(at(place, 0)[0], BOTTOM + 18, size.removeprefix("batch of "), "middle"))
    for way, points in ratios.items():
        found.append(_path([at(place, ratio) for place, ratio in enumerate(points)], COLOURS[way]))
    return found + _legend(list(batch), left, BOTTOM + 44)


def _round_up(most: float) -> float:
    """The next number that has round quarters."""
    power: float = 10 ** math.floor(math.log10(most))
    return next(step * power for step in (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10, 12) if step * power >= most)


def _path(points: Sequence[tuple[float, float]], colour: str, dashes: str = "") -> str:
    places = " ".join(f"{x:.0f},{y:.0f}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'


def _legend(names: Sequence[str], left: float, y: float) -> list[str]:
    found, x = [], left
    for name in names:
        found += [
            f'<rect x="{x:.0f}" y="{y - 9:.0f}" width="10" height="10" fill="{COLOURS[name]}"/>',
            _text(x + 14, y, name),
        ]
        x += 30 + 6.4 * len(name)
    return found
