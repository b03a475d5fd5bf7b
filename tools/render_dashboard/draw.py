"""Draw panels from a file of series, in matplotlib's own environment; see ``tools/render_dashboard``."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from matplotlib import pyplot as plt  # type: ignore[import-not-found]
from matplotlib.ticker import FuncFormatter, MaxNLocator  # type: ignore[import-not-found]

BACKGROUND, CARD, TEXT, FAINT = "#111217", "#181b1f", "#d8d9da", "#8e9197"
COLOURS = ("#73bf69", "#f2cc0c", "#5794f2", "#ff9830", "#b877d9", "#8ab8ff", "#ff7383", "#37872d", "#e0b400")
RED, GREEN = "#f2495c", "#73bf69"
COLUMNS = 3


def shown(value: float, unit: str) -> str:
    """A value as Grafana would write it."""
    if unit == "percentunit":
        return f"{value * 100:.3g}%"
    if unit == "s":
        return f"{value * 1000:.3g} ms" if value < 1 else f"{value:.3g} s"
    if unit == "bytes":
        return f"{value / 2**20:.0f} MiB"
    suffix = {"reqps": " req/s", "ops": "/s"}.get(unit, "")
    return f"{value:.0f}{suffix}" if value >= 1000 else f"{value:.3g}{suffix}"


def draw_stat(axes: Any, panel: dict[str, Any]) -> None:
    series = panel["series"][0]["points"] if panel["series"] else []
    last = series[-1][1] if series else 0.0
    colour = RED if panel["alarm"] is not None and last >= panel["alarm"] else GREEN
    axes.plot([point[0] for point in series], [point[1] for point in series], color=colour, linewidth=1)
    axes.fill_between([p[0] for p in series], [p[1] for p in series], color=colour, alpha=0.15)
    axes.set_ylim(0, max([point[1] for point in series] + [1e-9]) * 2.6)
    axes.text(0.5, 0.62, shown(last, panel["unit"]), color=colour, fontsize=19, ha="center", va="center",
              transform=axes.transAxes)  # fmt: skip
    axes.set_xticks([])
    axes.set_yticks([])


def draw_graph(axes: Any, panel: dict[str, Any], start: float) -> None:
    floor: dict[float, float] = {}
    # Lines that stay at zero would fill the legend with what did not happen.
    some = [each for each in panel["series"] if any(point[1] for point in each["points"])]
    series = sorted(some or panel["series"], key=lambda each: -sum(point[1] for point in each["points"]))
    for number, each in enumerate(series):
        colour = COLOURS[number % len(COLOURS)]
        times = [point[0] - start for point in each["points"]]
        low = [floor.get(time, 0.0) if panel["stacked"] else 0.0 for time in times]
        high = [point[1] + base for point, base in zip(each["points"], low, strict=True)]
        if panel["stacked"]:
            floor.update(zip(times, high, strict=True))
        axes.plot(times, high, color=colour, linewidth=1.2, label=each["name"])
        axes.fill_between(times, low, high, color=colour, alpha=0.3 if panel["stacked"] else 0.05)
    highest = axes.get_ylim()[1] if some else 1.0
    if panel["alarm"] is not None:
        highest = max(highest, panel["alarm"] * 1.15)
        axes.axhline(panel["alarm"], color=RED, linewidth=1, linestyle="--")
    axes.set_ylim(0, highest)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(value, panel["unit"])))
    axes.xaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{int(value) // 60}:{int(value) % 60:02d}")
    )
    axes.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 3, 6]))
    axes.grid(color="#2c3235", linewidth=0.6)
    axes.tick_params(colors=FAINT, labelsize=7, length=0)
    if len(series) > 0 and series[0]["name"]:
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=4, fontsize=6.5, frameon=False,
                    labelcolor=TEXT, handlelength=1)  # fmt: skip


def draw(data: dict[str, Any], out: Path) -> None:
    """Stats in a line on top, graphs below, three in a row."""
    stats = [panel for panel in data["panels"] if panel["kind"] == "stat"]
    graphs = [panel for panel in data["panels"] if panel["kind"] != "stat"]
    rows = -(-len(graphs) // COLUMNS)
    figure = plt.figure(figsize=(15, 1.6 + 2.75 * rows), facecolor=BACKGROUND)
    top, below = figure.subfigures(2, 1, height_ratios=[1.6, 2.75 * rows], hspace=0)
    for part in (top, below):
        part.set_facecolor(BACKGROUND)
    when = datetime.fromtimestamp(data["start"], tz=UTC).strftime("%Y-%m-%d")
    top.text(0.012, 0.9, f"Tarneeb rules service · {data['title']}, {when}", color=TEXT, fontsize=11)
    for axes, panel in zip(top.subplots(1, len(stats)), stats, strict=True):
        draw_stat(axes, panel)
        _dress(axes, panel)
    top.subplots_adjust(left=0.012, right=0.988, top=0.68, bottom=0.05, wspace=0.06)
    grid = list(below.subplots(rows, COLUMNS).flat)
    for axes, panel in zip(grid, graphs, strict=False):
        draw_graph(axes, panel, data["start"])
        _dress(axes, panel)
    for axes in grid[len(graphs) :]:
        axes.set_visible(False)
    below.subplots_adjust(left=0.05, right=0.988, top=0.97, bottom=0.05, wspace=0.2, hspace=0.55)
    figure.savefig(out, dpi=100, facecolor=BACKGROUND, metadata={"Software": None})


def _dress(axes: Any, panel: dict[str, Any]) -> None:
    axes.set_facecolor(CARD)
    axes.set_title(panel["title"], color=TEXT, fontsize=8.5, loc="left", pad=4)
    for spine in axes.spines.values():
        spine.set_visible(False)


if __name__ == "__main__":
    draw(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), Path(sys.argv[2]))
