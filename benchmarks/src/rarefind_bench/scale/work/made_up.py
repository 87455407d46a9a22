"""Records of any size to measure on: crowds with small knots among them, strings, graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray

_CROWDS, _DIRECTIONS, _KNOTS = 12, 12, 6
"""Crowds of records, directions they spread in, and knots hidden in them."""


class MadeUp(NamedTuple):
    """Records, and the class of each: 0 for the crowd, 1, 2, ... for the knots."""

    X: FloatArray
    classes: IntArray


def made_up(what: Mapping[str, Any]) -> MadeUp:
    """Draw what a point asks for: its rows, dimensions, classes and kind of data.

    >>> drawn = made_up({"rows": 2000, "dimensions": 3, "classes": 4})
    >>> drawn.X.shape, sorted(set(drawn.classes.tolist()))
    ((2000, 3), [0, 1, 2, 3])
    """
    rows = int(what["rows"])
    if what.get("data") == "shuttle":
        return jittered_shuttle(rows)
    return crowds(rows, int(what["dimensions"]), int(what.get("classes", _KNOTS + 1)) - 1)


def crowds(rows: int, dimensions: int, knots: int) -> MadeUp:
    """Draw twelve overlapping crowds with small knots hidden among them.

    No more than twelve directions are real: in more dimensions they are mixed, with a little noise.
    """
    rng = np.random.default_rng(0)
    spread = min(dimensions, _DIRECTIONS)
    centres = rng.normal(0.0, 3.0, size=(_CROWDS, spread))
    widths = rng.uniform(0.3, 1.5, size=(_CROWDS, spread))
    crowd = rng.integers(_CROWDS, size=rows)
    X = centres[crowd] + widths[crowd] * rng.normal(size=(rows, spread))
    classes = np.zeros(rows, dtype=np.int64)
    size = max(2, min(60, rows // (20 * max(1, knots))))
    for knot in range(knots):
        part = slice(knot * size, (knot + 1) * size)
        X[part] = X[-1 - knot] + rng.normal(0.0, 0.02, size=(size, spread))
        classes[part] = knot + 1
    if spread < dimensions:
        X = X @ rng.normal(size=(spread, dimensions)) / np.sqrt(spread)
        X += rng.normal(0.0, 0.05, size=X.shape)
    order = rng.permutation(rows)
    return MadeUp(X[order], classes[order])


def jittered_shuttle(rows: int) -> MadeUp:
    """Draw Shuttle's training records again and again, a little beside where they are."""
    from rarefind_bench.datasets.catalogue import open_set

    read = open_set("shuttle").read
    known = np.asarray(read.records, dtype=np.float64)
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(known), size=rows)
    jitter = rng.normal(0.0, 0.02, size=(rows, known.shape[1])) * known.std(axis=0)
    classes = np.asarray(read.labels).astype(np.int64) - 1
    return MadeUp(known[drawn] + jitter, classes[drawn])


def made_up_strings(number: int, length: int) -> list[str]:
    """Draw strings of four letters.

    >>> made_up_strings(2, 5)
    ['TGGCC', 'AAAAT']
    """
    letters = np.random.default_rng(0).integers(4, size=(number, length))
    return ["".join("ACGT"[letter] for letter in row) for row in letters]
