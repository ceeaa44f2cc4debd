"""Figures as plots: SVG images, grey on the ground of the pages. Loaded when the first one is asked for.

pygal writes a script into each; an image runs none, and the policy of the pages allows none, so it is taken out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from io import BytesIO
from itertools import count
from math import ceil, floor
from typing import Final
from xml.etree import ElementTree

import pygal
from pygal.style import Style

from tablectl.statistics.figures import Figures

# pygal looks for plugins of its own with a finder of a kind that Python has given up, and every import behind it would
# warn. There are no plugins here.
sys.meta_path[:] = [
    finder_protocol for finder_protocol in sys.meta_path if type(finder_protocol).__name__ != "PluginImportFixer"
]

_SVG: Final = "http://www.w3.org/2000/svg"
_WIDTH: Final = 720
_HEIGHT: Final = 300
#: More names than these in one plot cannot be read; the table beside it has all of them.
_MOST_NAMES: Final = 12
#: About as many lines of an axis can be told apart.
_MOST_LINES: Final = 6
#: More labels than these on an axis run into each other.
_MOST_LABELS: Final = 9
_LINES: Final = frozenset({"float", "expected"})
#: Of a tray with tens of thousands nobody would see a change of hundreds on an axis that begins with nothing.
_WITHOUT_ZERO: Final = frozenset({"expected"})
_STYLE: Final = Style(
    background="#1f2226",
    plot_background="#1f2226",
    foreground="#f3f2ee",
    foreground_strong="#f3f2ee",
    foreground_subtle="#b4b8bf",
    guide_stroke_color="#3a3f47",
    major_guide_stroke_color="#59616d",
    colors=("#b4b8bf",),
    value_colors=("#16181b",),
    opacity=".95",
    font_family="Liberation Sans, DejaVu Sans, Arial, sans-serif",
    label_font_size=19,
    major_label_font_size=19,
    value_font_size=13,
    no_data_font_size=30,
    stroke_width=2,
)


def plot(name: str, figures: Figures, *, exponent: int, nothing: str, nobody: str) -> bytes:
    """The plot of a name in `PLOTS`, as an SVG document. `exponent`: decimal places of the currency; `nothing` stands
    where there are no figures, `nobody` where nobody had signed on. Raises `KeyError`."""
    labels, values = PLOTS[name](figures, exponent)
    made = _chart(name, labels, nothing)
    made.x_labels = [label or nobody for label in labels]
    known = [value for value in values if value is not None]
    if known:
        made.add(name, values)
        made.y_labels = _whole(min(known), max(known), with_zero=name not in _WITHOUT_ZERO)
    return _written(made)


def _chart(name: str, labels: list[str], nothing: str) -> pygal.Graph:
    kind = pygal.Line if name in _LINES else pygal.Bar
    every = 1 + (len(labels) - 1) // _MOST_LABELS
    return kind(
        style=_STYLE,
        width=_WIDTH,
        height=_HEIGHT,
        show_legend=False,
        print_values=False,
        x_label_rotation=30 if sum(map(len, labels)) > 60 else 0,
        x_labels_major_every=every,
        show_minor_x_labels=every == 1,
        no_data_text=nothing,
        show_y_labels=bool(labels),
        dots_size=4,
        explicit_size=True,
        include_x_axis=name not in _WITHOUT_ZERO,
        margin=12,
        margin_right=34,
        truncate_label=20,
        js=(),
    )


def _whole(least: float, most: float, *, with_zero: bool) -> list[int]:
    """Whole numbers for the axis, 0 among them where it says something, and few enough to be read: nobody counts half
    an incident."""
    low, high = floor(least), ceil(most)
    if with_zero:
        low, high = min(low, 0), max(high, 0)
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    step = next(width for width in steps if high - low <= width * _MOST_LINES)
    return list(range(low // step * step, -(-high // step) * step + 1, step))


def _written(made: pygal.Graph) -> bytes:
    tree = made.render_tree()
    for parent in list(tree.iter()):
        for child in list(parent):
            if child.tag in ("script", f"{{{_SVG}}}script"):
                parent.remove(child)
    ElementTree.register_namespace("", _SVG)
    written = BytesIO()
    ElementTree.ElementTree(tree).write(written, encoding="utf-8", xml_declaration=True)
    return written.getvalue()


_Values = tuple[list[str], list[int | float | None]]


def _rates(figures: Figures, _exponent: int) -> _Values:
    return [bucket.label for bucket in figures.buckets], [round(bucket.rate, 1) for bucket in figures.buckets]


def _float(figures: Figures, exponent: int) -> _Values:
    """In whole units of the currency."""
    buckets = figures.buckets if figures.has_amounts else ()
    return [bucket.label for bucket in buckets], [bucket.since_start / 10**exponent for bucket in buckets]


def _expected(figures: Figures, exponent: int) -> _Values:
    """In whole units of the currency; nothing where nobody could know it."""
    buckets = figures.buckets if any(bucket.expected is not None for bucket in figures.buckets) else ()
    values = [None if bucket.expected is None else bucket.expected / 10**exponent for bucket in buckets]
    return [bucket.label for bucket in buckets], list(values)


def _counts(counted: Callable[[Figures], tuple[tuple[str, int], ...]]) -> Callable[[Figures, int], _Values]:
    def counts(figures: Figures, _exponent: int) -> _Values:
        shown = counted(figures)[:_MOST_NAMES] if figures.incidents else ()
        return [name for name, _ in shown], [count for _, count in shown]

    return counts


#: Every plot there is, in the order of the page: from figures to labels and values.
PLOTS: Final[Mapping[str, Callable[[Figures, int], _Values]]] = {
    "hands": _rates,
    "clauses": _counts(lambda figures: figures.clauses),
    "croupiers": _counts(lambda figures: figures.croupiers),
    "shifts": _counts(lambda figures: figures.shifts),
    "devices": _counts(lambda figures: figures.devices),
    "float": _float,
    "expected": _expected,
}
