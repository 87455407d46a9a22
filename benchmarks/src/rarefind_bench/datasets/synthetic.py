"""The synthetic sets of the papers: rare classes hidden inside a Gaussian crowd."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.names import unknown_name
from rarefind_bench.datasets.labelled_set import LabelledSet

ORDINARY = "ordinary"
"""The class of the crowd."""

_SET_2 = ((267, 1.5), (280, 1.2), (84, 0.8), (150, 1.0))
"""Sizes of the four compact classes of set 2 and how far from the mode each lies."""

_BALLS = (8, 10, 12, 15, 20, 30)
"""Sizes of six classes, from 8 to 30 among 3,000."""


def set_1(seed: int, *, away: float = 1.0) -> LabelledSet:
    """Draw set 1 of He and Carbonell (2008): 1000 Gaussian records and 10 in a disc of radius 0.1.

    The disc lies ``away`` standard deviations from the mode, in a random direction; 0 for the
    mode itself.
    """
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi)
    centre = away * np.array([np.cos(angle), np.sin(angle)])
    disc = centre + _disc(rng, 10, 0.1)
    name = "set 1" if away else "set 1 at the mode"
    return _shuffled(name, rng, [rng.normal(size=(1000, 2)), disc], [ORDINARY, "rare"])


def set_2(seed: int) -> LabelledSet:
    """Draw set 2: 3000 Gaussian records and four classes in discs of radius 0.25 inside them."""
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, 2 * np.pi)
    parts, names = [rng.normal(size=(3000, 2))], [ORDINARY]
    for number, (size, away) in enumerate(_SET_2):
        angle = turn + number * np.pi / 2
        centre = away * np.array([np.cos(angle), np.sin(angle)])
        parts.append(centre + _disc(rng, size, 0.25))
        names.append(f"disc of {size}")
    return _shuffled("set 2", rng, parts, names)


def set_2_shapes(seed: int) -> LabelledSet:
    """Draw set 2 with classes of four shapes, as the paper's text says: disc, ring, square and bar.

    Sizes and places are those of ``set_2``. Which shapes the paper drew is not printed.
    """
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0, 2 * np.pi)
    parts, names = [rng.normal(size=(3000, 2))], [ORDINARY]
    shapes = {"disc": _disc, "ring": _ring, "square": _square, "bar": _bar}
    for number, ((size, away), (name, shape)) in enumerate(
        zip(_SET_2, shapes.items(), strict=True)
    ):
        angle = turn + number * np.pi / 2
        centre = away * np.array([np.cos(angle), np.sin(angle)])
        parts.append(centre + shape(rng, size, 0.25))
        names.append(f"{name} of {size}")
    return _shuffled("set 2 of four shapes", rng, parts, names)


def six_balls(seed: int) -> LabelledSet:
    """Draw 3000 Gaussian records in four dimensions with six tight balls of 8 to 30 among them.

    Each ball has a deviation of 0.06 and lies 0.6 to 1.6 from the mode, inside the crowd.
    """
    rng = np.random.default_rng(seed)
    parts, names = [rng.normal(size=(3000, 4))], [ORDINARY]
    for size in _BALLS:
        direction = rng.normal(size=4)
        centre = direction / np.linalg.norm(direction) * rng.uniform(0.6, 1.6)
        parts.append(centre + rng.normal(scale=0.06, size=(size, 4)))
        names.append(f"ball of {size}")
    return _shuffled("six balls", rng, parts, names)


SYNTHETIC: dict[str, Callable[[int], LabelledSet]] = {
    "set 1": set_1,
    "set 1 at the mode": lambda seed: set_1(seed, away=0.0),
    "set 2": set_2,
    "six balls": six_balls,
}
"""By the names ``--set`` takes."""


OTHER_READINGS: dict[str, Callable[[int], LabelledSet]] = {"set 2 of four shapes": set_2_shapes}
"""Sets that the papers' words allow as well; they are drawn for the papers' tables alone."""


def draw_synthetic(name: str, seed: int) -> LabelledSet:
    """Draw a synthetic set by its name."""
    known = {**SYNTHETIC, **OTHER_READINGS}
    if name not in known:
        raise unknown_name("synthetic set", name, known)
    return known[name](seed)


def _disc(rng: np.random.Generator, size: int, radius: float) -> FloatArray:
    """Draw points evenly from a disc around the origin."""
    angle = rng.uniform(0, 2 * np.pi, size)
    length = radius * np.sqrt(rng.uniform(size=size))
    return np.column_stack([length * np.cos(angle), length * np.sin(angle)])


def _ring(rng: np.random.Generator, size: int, radius: float) -> FloatArray:
    """Draw points evenly from a ring whose hole is half as wide."""
    angle = rng.uniform(0, 2 * np.pi, size)
    length = radius * np.sqrt(rng.uniform(0.25, 1.0, size))
    return np.column_stack([length * np.cos(angle), length * np.sin(angle)])


def _square(rng: np.random.Generator, size: int, radius: float) -> FloatArray:
    return rng.uniform(-radius, radius, size=(size, 2))


def _bar(rng: np.random.Generator, size: int, radius: float) -> FloatArray:
    """Draw points evenly from a bar twice as long as a disc is wide, and an eighth as broad."""
    return rng.uniform(-1.0, 1.0, size=(size, 2)) * [2.0 * radius, radius / 8.0]


def _shuffled(
    name: str, rng: np.random.Generator, parts: Sequence[FloatArray], names: Sequence[str]
) -> LabelledSet:
    X = np.vstack(parts)
    labels = [label for part, label in zip(parts, names, strict=True) for _ in range(len(part))]
    order = rng.permutation(len(X))
    return LabelledSet(name, X[order], tuple(labels[row] for row in order))
