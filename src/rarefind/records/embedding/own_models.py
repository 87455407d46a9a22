"""Models of our own for pictures, which need nothing but their points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray

_SIDE = 64
"""Points a side of the pictures that are looked at: edges survive, and noise does not."""

_SHADES = 4
"""Shades of red, green and blue each: 64 colours, enough to tell a lawn from a beach."""

_CELLS, _DIRECTIONS = 4, 8
"""A picture is cut into 4 x 4 parts, the edges of each counted by eight directions."""


class Pixels:
    """The points themselves, of the whole picture made small: 16 x 16 in three colours."""

    takes: str = "pictures"
    side = 16

    def __call__(self, pictures: Sequence[Any]) -> FloatArray:
        """Return a row of numbers from 0 to 1 for each picture."""
        return np.stack([_points(picture, self.side).ravel() for picture in pictures])


class Looks:
    """Colours, edges and texture, counted: what a picture looks like, not what it shows.

    Three histograms side by side: 64 colours of the whole picture, the directions of edges in each
    of 4 x 4 parts of it, and the 59 uniform local binary patterns. Roots of counts are taken, so
    that rare colours count, and each of the three has length one.
    """

    takes: str = "pictures"

    def __call__(self, pictures: Sequence[Any]) -> FloatArray:
        """Return a row of 251 numbers for each picture."""
        return np.stack([_looks(_points(picture, _SIDE)) for picture in pictures])


def _points(picture: Any, side: int) -> FloatArray:
    small = picture.convert("RGB").resize((side, side), reducing_gap=2.0)
    return np.asarray(small, dtype=np.float64) / 255.0


def _looks(points: FloatArray) -> FloatArray:
    grey = points @ np.array([0.299, 0.587, 0.114])  # as eyes weigh the three
    return np.concatenate([_colours(points), _edges(grey), _patterns(grey)])


def _colours(points: FloatArray) -> FloatArray:
    shade = np.minimum((points * _SHADES).astype(np.int64), _SHADES - 1)
    numbers = shade @ np.array([_SHADES**2, _SHADES, 1])
    return _rooted(np.bincount(numbers.ravel(), minlength=_SHADES**3))


def _edges(grey: FloatArray) -> FloatArray:
    down, right = np.gradient(grey)
    strength = np.hypot(down, right)
    # A line has no front and no back: opposite directions are one.
    direction = (np.arctan2(down, right) % np.pi) / np.pi * _DIRECTIONS
    direction = direction.astype(np.int64) % _DIRECTIONS
    part = np.arange(len(grey)) * _CELLS // len(grey)
    place = (part[:, None] * _CELLS + part) * _DIRECTIONS + direction
    weights = np.bincount(place.ravel(), strength.ravel(), minlength=_CELLS**2 * _DIRECTIONS)
    return _rooted(weights)


def _patterns(grey: FloatArray) -> FloatArray:
    middle = grey[1:-1, 1:-1]
    rows, columns = middle.shape
    around = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
    codes = np.zeros(middle.shape, dtype=np.int64)
    for place, (down, right) in enumerate(around):
        # A difference that eyes do not see is none, or even grounds would be full of noise.
        brighter = grey[down : down + rows, right : right + columns] - middle > 1 / 255
        codes += brighter.astype(np.int64) << place
    return _rooted(np.bincount(_UNIFORM[codes].ravel(), minlength=59))


def _uniform_patterns() -> Any:
    """Give a number to each pattern of at most two changes around the circle, one to the rest."""
    numbers = np.full(256, 58, dtype=np.int64)
    found = 0
    for code in range(256):
        turned = (code >> 1) | ((code & 1) << 7)
        if (code ^ turned).bit_count() <= 2:
            numbers[code] = found
            found += 1
    return numbers


_UNIFORM = _uniform_patterns()
"""The numbers of all patterns, made once."""


def _rooted(counts: Any) -> FloatArray:
    roots = np.sqrt(counts.astype(np.float64))
    return np.asarray(roots / (np.linalg.norm(roots) or 1.0))
