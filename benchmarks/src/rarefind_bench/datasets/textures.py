"""Textures drawn by a recipe: a stand-in for the pictures of the paper's second table.

The paper's 5000 pictures in six classes, 244 features each, were never published. Here grey
pictures of 28 by 28 points are drawn anew: the ordinary class is clouds, and five rare classes are
stripes, checks, dots, rings and edges, each with its own range of sizes, turned and shifted at
random, under noise. The paper does not say what its features are; ours are as many: a thumbnail of
14 by 14 (196), a histogram of brightness (32) and one of the directions of edges (16).

Nor does it print the sizes of its classes. They are chosen so that random sampling needs about the
labels that are printed for it (10, 22, 39, 61 and 112 until the 1st to 5th rare class).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind_bench.datasets.labelled_set import LabelledSet

SIDE, THUMBNAIL = 28, 14
"""Points on a side of a picture, and of its thumbnail."""

BRIGHTNESSES, DIRECTIONS = 32, 16
"""Bins of the two histograms."""

SIZES = {"stripes": 130, "checks": 110, "dots": 100, "rings": 95, "edges": 90}
"""Pictures of the rare classes among 5000."""

TOTAL, ORDINARY = 5000, "clouds"
"""Pictures in all, and what the crowd shows."""

_NOISE = 0.08
"""Deviation of the noise upon every point, where brightness goes from 0 to 1."""


def textures(seed: int) -> LabelledSet:
    """Draw the 5000 pictures and describe each by 244 numbers."""
    rng = np.random.default_rng(seed)
    labels = [name for name, size in SIZES.items() for _ in range(size)]
    labels += [ORDINARY] * (TOTAL - len(labels))
    order = rng.permutation(TOTAL)
    features = np.stack([described(picture(labels[row], rng)) for row in order])
    return LabelledSet("textures", features, tuple(labels[row] for row in order))


def picture(name: str, rng: np.random.Generator) -> FloatArray:
    """Draw one picture of a class; brightness goes from 0 to 1."""
    drawn = _DRAWN[name](rng) + rng.normal(scale=_NOISE, size=(SIDE, SIDE))
    return np.clip(drawn, 0.0, 1.0)


def described(drawn: FloatArray) -> FloatArray:
    """Describe a picture by its thumbnail and two histograms, shares each."""
    step = SIDE // THUMBNAIL
    small = drawn.reshape(THUMBNAIL, step, THUMBNAIL, step).mean(axis=(1, 3))
    bright = np.histogram(drawn, BRIGHTNESSES, (0.0, 1.0))[0] / drawn.size
    down, right = np.gradient(drawn)
    turned = np.arctan2(down, right) % np.pi
    strength = np.hypot(down, right)
    along = np.histogram(turned, DIRECTIONS, (0.0, np.pi), weights=strength)[0]
    return np.concatenate([small.ravel(), bright, along / max(float(along.sum()), 1e-12)])


def _plane(rng: np.random.Generator, angle: float) -> FloatArray:
    """Place of every point along a direction, shifted at random."""
    down, right = np.mgrid[:SIDE, :SIDE] / SIDE
    return np.cos(angle) * right + np.sin(angle) * down + rng.uniform(0, 0.1)


def _clouds(rng: np.random.Generator) -> FloatArray:
    """Draw noise that is smooth: strong where waves are long."""
    waves = np.hypot(np.fft.fftfreq(SIDE)[:, None], np.fft.fftfreq(SIDE)[None, :])
    power = 1.0 / np.maximum(waves, 1.0 / SIDE) ** rng.uniform(1.0, 1.8)
    drawn = np.fft.ifft2(np.fft.fft2(rng.normal(size=(SIDE, SIDE))) * power).real
    return 0.5 + 0.18 * (drawn - drawn.mean()) / drawn.std()


def _stripes(rng: np.random.Generator) -> FloatArray:
    place = _plane(rng, rng.normal(0.6, 0.05))
    return 0.5 + 0.35 * np.sin(2 * np.pi * rng.normal(4.0, 0.1) * place)


def _checks(rng: np.random.Generator) -> FloatArray:
    waves = rng.normal(3.0, 0.05)
    across, down = _plane(rng, 0.0), _plane(rng, np.pi / 2)
    return 0.5 + 0.3 * np.sign(
        np.sin(2 * np.pi * waves * across) * np.sin(2 * np.pi * waves * down)
    )


def _dots(rng: np.random.Generator) -> FloatArray:
    waves = rng.normal(5.0, 0.1)
    across, down = _plane(rng, np.pi / 4), _plane(rng, 3 * np.pi / 4)
    both = np.cos(2 * np.pi * waves * across) + np.cos(2 * np.pi * waves * down)
    return np.where(both > 1.0, 0.8, 0.3)


def _rings(rng: np.random.Generator) -> FloatArray:
    middle = rng.normal(0.5, 0.03, size=2)
    down, right = np.mgrid[:SIDE, :SIDE] / SIDE
    return 0.5 + 0.35 * np.cos(2 * np.pi * 4.5 * np.hypot(down - middle[0], right - middle[1]))


def _edges(rng: np.random.Generator) -> FloatArray:
    beyond = _plane(rng, rng.normal(2.4, 0.05)) > rng.normal(0.05, 0.03)
    return np.where(beyond, 0.75, 0.25)


_DRAWN: dict[str, Callable[[np.random.Generator], FloatArray]] = {
    ORDINARY: _clouds,
    "stripes": _stripes,
    "checks": _checks,
    "dots": _dots,
    "rings": _rings,
    "edges": _edges,
}
"""How a picture of each class is drawn."""
