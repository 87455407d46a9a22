"""Plots in one calm style: readable in print, in grey, and by people who do not see all colours."""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError, MissingPackageError
from rarefind.evaluation.bands import Band

PICTURES = (".png", ".svg", ".pdf", ".jpg", ".webp")
"""Endings of pictures."""

INK, FAINT, ACCENT = "#22303c", "#c4ccd4", "#0b6e8a"
"""Text, what is only compared with, and what it is about; the last is dark enough in grey."""

# Okabe and Ito's colours, which stay apart for colour-blind readers.
CLASSES = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#5e3c99")

# The same for lines, beginning with our own; what follows each other is far apart.
_LINES = tuple((ACCENT, *CLASSES)[place] for place in (0, 1, 4, 5, 8, 3, 2, 7, 6))
_DASHES = ("-", "--", "-.", ":")
"""Lines that differ without colour; neighbours in a legend never share one."""

_SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")
"""As many as there are colours of classes, so that both change together."""

STYLE: Any = {
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 10,
    "svg.fonttype": "none",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""Settings of matplotlib for the house style."""

# Matplotlib's settings belong to the process: two threads would draw into each other's.
_drawing = threading.RLock()


@contextmanager
def figure(width: float = 6.4, height: float = 4.0) -> Iterator[tuple[Any, Any]]:
    """Give an empty figure and its axes in the house style, and close it afterwards."""
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot as plt
    except ImportError:
        raise MissingPackageError("A plot", "matplotlib", "plots") from None
    with _drawing, mpl.rc_context(STYLE):
        drawn, axes = plt.subplots(figsize=(width, height), layout="constrained")
        try:
            yield drawn, axes
        finally:
            plt.close(drawn)


def own_axes() -> Any:
    """Give empty axes in the house style that stay open, for the reader's own notebook."""
    try:
        import matplotlib as mpl
        from matplotlib import pyplot as plt
    except ImportError:
        raise MissingPackageError("A plot", "matplotlib", "plots") from None
    with _drawing, mpl.rc_context(STYLE):
        return plt.subplots(layout="constrained")[1]


def as_svg(drawn: Any, description: str) -> str:
    """Return a figure as inline SVG with a description for people who cannot see it."""
    import matplotlib as mpl

    text = io.StringIO()
    # Names inside the picture follow from the description: one page may hold many pictures.
    with mpl.rc_context({"svg.hashsalt": description}):
        drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    svg = text.getvalue()
    start = svg.index("<svg")
    return svg[start:].replace("<svg", f'<svg role="img" aria-label="{escape(description)}"', 1)


def plain(name: object) -> str:
    r"""Write a name so that a dollar in it is a dollar and begins no formula.

    >>> plain("over $100")
    'over \\$100'
    """
    return str(name).replace("$", r"\$")


def _line(place: int) -> dict[str, Any]:
    """Return how the line at a place is drawn: dashes differ as well as colours, for print."""
    return {
        "color": _LINES[place % len(_LINES)],
        "linestyle": _DASHES[place % len(_DASHES)],
        "linewidth": 2,
    }


def check_picture(path: Path) -> None:
    """Refuse a path that no picture can be written to, before work is spent on the picture."""
    if path.suffix.lower() not in PICTURES:
        raise DataError(f"{path} cannot be drawn: a picture ends in one of {', '.join(PICTURES)}.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise DataError(f"{path} cannot be drawn: it must be a file in a folder that exists.")
    if find_spec("matplotlib") is None:
        raise MissingPackageError("A plot", "matplotlib", "plots")


def save_picture(drawn: Any, path: Path) -> None:
    """Write a figure to a file; its ending says how."""
    try:
        drawn.savefig(path, dpi=110)
    except (OSError, ValueError) as problem:
        raise DataError(f"{path} cannot be drawn: {problem}.") from None


def draw_discovery(
    axes: Any, curves: Mapping[str, Sequence[float]], classes: int, random: FloatArray
) -> None:
    """Draw how many classes were seen after how many labels, against random sampling."""
    axes.plot(random, color=FAINT, linewidth=2, label="random sampling, on average")
    for place, (name, curve) in enumerate(curves.items()):
        axes.step(range(len(curve)), curve, where="post", label=plain(name), **_line(place))
    axes.axhline(classes, color=FAINT, linewidth=1, linestyle=":")
    axes.set(xlabel="labels given", ylabel="rare classes seen", ylim=(0, classes * 1.08))
    axes.set_xlim(left=0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False, loc="lower right")


def draw_found(
    axes: Any, curve: Sequence[float], random: Sequence[float] | None, step: float = 1.0
) -> None:
    """Draw the discovery curve of one hunt, a point every ``step`` labels, and that of chance.

    What random sampling sees on average is None where the true classes are not known.
    """
    labels = np.arange(len(curve)) * step
    if random is not None and len(random) == len(curve):
        words = "random sampling, on average"
        axes.plot(labels, random, color=FAINT, linewidth=2, label=words)
    axes.step(labels, curve, where="post", color=ACCENT, linewidth=2, label="this hunt")
    # A little room behind, so that a class found by the last label shows.
    axes.set(xlabel="labels given", ylabel="rare classes seen", xlim=(0, max(labels[-1], 1) * 1.02))
    axes.set_ylim(0, max(max(curve), 1) * 1.08)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False, loc="lower right")


def draw_bands(axes: Any, bands: Mapping[str, Band], classes: int) -> None:
    """Draw the mean discovery curve of every strategy with its band."""
    for place, (name, band) in enumerate(bands.items()):
        line = _line(place)
        labels = np.arange(len(band.mean))
        axes.fill_between(labels, band.low, band.high, color=line["color"], alpha=0.12, linewidth=0)
        axes.plot(labels, band.mean, label=plain(name), **line)
    axes.axhline(classes, color=FAINT, linewidth=1, linestyle=":")
    axes.set(xlabel="labels given", ylabel="rare classes seen", ylim=(0, classes * 1.08))
    axes.set_xlim(left=0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False, loc="best")


def draw_hits(axes: Any, curve: FloatArray, wanted: int) -> None:
    """Draw how many wanted records are among the first t of a ranking, against a random order."""
    n = len(curve) - 1
    axes.plot([0, n], [0, wanted], color=FAINT, linewidth=2, label="random order")
    axes.plot(np.arange(n + 1), curve, color=ACCENT, linewidth=2, label="ranked")
    axes.set(xlabel="records looked at, best first", ylabel="records of the class", xlim=(0, n))
    axes.set_ylim(0, wanted * 1.08)
    axes.legend(frameon=False, loc="lower right")


def draw_scores(axes: Any, scores: FloatArray, target: str) -> None:
    """Draw the scores of a ranking from the first place to the last."""
    axes.plot(np.arange(1, len(scores) + 1), scores, color=ACCENT, linewidth=2)
    axes.set(xlabel="place in the ranking", ylabel=f"score for {plain(target)}")
    axes.set_xscale("log")
    axes.set_xlim(1, max(2, len(scores)))


def draw_looked_at(axes: Any, found: Sequence[int]) -> None:
    """Draw how many of the ranked records looked at so far were of the class, best first."""
    most = len(found)
    axes.plot([0, most], [0, most], color=FAINT, linewidth=1, linestyle=":", label="all of them")
    axes.plot(range(most + 1), [0, *found], color=ACCENT, linewidth=2, label="confirmed")
    axes.set(xlabel="records looked at, best first", ylabel="records of the class")
    axes.set(xlim=(0, most), ylim=(0, most * 1.08))
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_major_locator().set_params(integer=True)
    axes.legend(frameon=False, loc="upper left")


_SHARES = (0, 0.1, 1, 5, 10, 25, 50, 100)
"""Per cent that are marked on an axis whose left end counts most."""


def draw_comparison(axes: Any, curves: Mapping[str, Sequence[float]], target: str) -> None:
    """Draw the share of a class found in the first part of each model's ranking.

    The left end, where rare records should be, gets the most room.
    """
    axes.set_xscale("function", functions=(np.sqrt, np.square))
    axes.set_xticks(_SHARES, [f"{share:g}" for share in _SHARES])
    axes.plot([0, 100], [0, 100], color=FAINT, linewidth=2, label="random order")
    for place, (name, curve) in enumerate(curves.items()):
        share = np.linspace(0.0, 100.0, len(curve))
        axes.plot(share, 100 * np.asarray(curve), label=plain(name), **_line(place))
    axes.set(
        xlabel="records looked at, best first (%)",
        ylabel=f"records of {plain(target)} found (%)",
        xlim=(0, 100),
        ylim=(0, 103),
    )
    axes.legend(frameon=False, loc="lower right")


def draw_map(
    axes: Any,
    places: FloatArray,
    labels: Mapping[int, Hashable],
    background: frozenset[Hashable],
) -> None:
    """Draw all records in the plane, and the first of each class with the number of its label.

    Every class has a shape as well as a colour.
    """
    axes.scatter(*places.T, s=6, color=FAINT, linewidths=0, label="not looked at")
    rare = [label for label in dict.fromkeys(labels.values()) if label not in background]
    place_of = {label: place for place, label in enumerate(rare)}
    ordinary = [row for row, label in labels.items() if label in background]
    if ordinary:
        axes.scatter(*places[ordinary].T, s=22, color=INK, linewidths=0, label="asked: ordinary")
    seen: set[Hashable] = set()
    for number, (row, label) in enumerate(labels.items(), start=1):
        if label not in place_of:
            continue
        place = place_of[label]
        colour, shape = CLASSES[place % len(CLASSES)], _SHAPES[place % len(_SHAPES)]
        name = f"found: {plain(label)}, at label {number}" if label not in seen else None
        axes.scatter(*places[row], s=60, color=colour, marker=shape, label=name, zorder=3)
        if label not in seen:
            axes.annotate(str(number), places[row], (5, 5), textcoords="offset points", zorder=4)
        seen.add(label)
    axes.set(xticks=[], yticks=[])
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=9)


def picture_uri(values: FloatArray, shape: tuple[int, int]) -> str:
    """Return a grid of numbers as a small PNG picture, dark ink on white, as a data address."""
    with figure():
        from matplotlib import image

        grid = np.asarray(values, dtype=float).reshape(shape)
        buffer = io.BytesIO()
        image.imsave(buffer, grid, cmap="gray_r", format="png")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
