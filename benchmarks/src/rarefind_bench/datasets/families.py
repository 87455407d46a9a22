"""Families of made sets, each hard in a way of its own: where classes hide, and among what.

A family is a rule; every seed draws another set by it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.names import unknown_name
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.synthetic import SYNTHETIC

_CROWD = 1200
"""Ordinary records of most families: as many as a draw of a real set has."""


def heavy_tails(rng: np.random.Generator) -> list[FloatArray]:
    """Draw tails so heavy that many records lie apart, and four knots inside."""
    centres = rng.standard_t(3, size=(4, 3))
    knots = [centre + 0.02 * rng.normal(size=(20, 3)) for centre in centres]
    return [rng.standard_t(2, size=(2000, 3)), *knots]


def curved_sheet(rng: np.random.Generator) -> list[FloatArray]:
    """Draw a rolled-up sheet in space with four knots on it."""
    parts = [_on_sheet(rng, rng.uniform(0, 3 * np.pi, 2000), rng.uniform(0, 10, 2000))]
    for turn, along in zip(rng.uniform(2, 8, 4), rng.uniform(1, 9, 4), strict=True):
        centre = _on_sheet(rng, np.array([turn]), np.array([along]))
        parts.append(centre + 0.03 * rng.normal(size=(20, 3)))
    return parts


def subspaces(rng: np.random.Generator) -> list[FloatArray]:
    """Draw twelve columns, of which each of three classes differs in three, and in no other."""
    parts = [rng.normal(size=(_CROWD, 12))]
    for size in (8, 15, 25):
        part = rng.normal(size=(size, 12))
        own = rng.choice(12, 3, replace=False)
        centre = rng.uniform(1.0, 2.0, 3) * rng.choice([-1, 1], 3)
        part[:, own] = centre + 0.08 * rng.normal(size=(size, 3))
        parts.append(part)
    return parts


def tiny_classes(rng: np.random.Generator) -> list[FloatArray]:
    """Draw eight common classes, and five of five records beside and between them."""
    common = [4 * rng.normal(size=5) + rng.normal(size=(150, 5)) for _ in range(8)]
    tiny = [3 * rng.normal(size=5) + 0.15 * rng.normal(size=(5, 5)) for _ in range(5)]
    return [*common, *tiny]


def categories_only(rng: np.random.Generator) -> list[FloatArray]:
    """Draw eight columns of words; in four of them a rare class prefers the word that is rarest."""
    words = rng.integers(2, 7, 8)
    usual = [rng.dirichlet(np.ones(many)) for many in words]
    parts = [_drawn_words(rng, usual, _CROWD)]
    for size in (6, 12, 25):
        own = list(usual)
        for column in rng.choice(8, 4, replace=False):
            shares = np.full(words[column], 0.05)
            shares[np.argmin(usual[column])] = 1.0
            own[column] = shares / shares.sum()
        parts.append(_drawn_words(rng, own, size))
    return parts


def duplicates(rng: np.random.Generator) -> list[FloatArray]:
    """Draw two hundred different records, each many times, and three classes of rounded numbers."""
    different = rng.normal(size=(200, 3)).round(1)
    parts = [different[rng.integers(0, 200, _CROWD)]]
    for size in (8, 15, 30):
        parts.append((1.5 * rng.normal(size=3) + 0.15 * rng.normal(size=(size, 3))).round(1))
    return parts


def noise_columns(rng: np.random.Generator) -> list[FloatArray]:
    """Draw four balls in four columns, and twenty columns that say nothing."""
    parts = [rng.normal(size=(1000, 4)), rng.normal(size=(200, 4)) + 4]
    parts += [
        2.5 * rng.normal(size=4) + 0.2 * rng.normal(size=(size, 4)) for size in (8, 12, 20, 30)
    ]
    return [np.hstack([part, rng.normal(size=(len(part), 20))]) for part in parts]


def inside_the_crowd(rng: np.random.Generator) -> list[FloatArray]:
    """Draw two classes amid the crowd, hardly denser than it: in no knot, and nowhere apart."""
    parts = [rng.normal(size=(_CROWD, 5))]
    for size in (15, 30):
        parts.append(0.6 * rng.normal(size=5) + 0.8 * rng.normal(size=(size, 5)))
    return parts


def outlying(rng: np.random.Generator) -> list[FloatArray]:
    """Draw two crowds of different density, and four classes apart from them."""
    parts = [rng.normal(size=(700, 6)), 0.5 * rng.normal(size=(500, 6)) + 3]
    for size in (4, 8, 15, 30):
        away = rng.normal(size=6)
        away *= rng.uniform(4, 7) / np.linalg.norm(away)
        parts.append(away + 0.7 * rng.normal(size=(size, 6)))
    return parts


def many_columns(rng: np.random.Generator) -> list[FloatArray]:
    """Draw seven classes in twelve directions, seen through 256 columns cut off at zero."""
    mixed = rng.normal(size=(12, 256))
    parts = [1.2 * rng.normal(size=12) + rng.normal(size=(280, 12)) for _ in range(4)]
    for size in (6, 12, 25):
        parts.append(1.5 * rng.normal(size=12) + 0.8 * rng.normal(size=(size, 12)))
    noisy = (part @ mixed + 1.5 * rng.normal(size=(len(part), 256)) for part in parts)
    return [np.maximum(part, 0.0) for part in noisy]


FAMILIES: dict[str, Callable[[np.random.Generator], list[FloatArray]]] = {
    "heavy tails": heavy_tails,
    "curved sheet": curved_sheet,
    "subspaces": subspaces,
    "tiny classes": tiny_classes,
    "categories only": categories_only,
    "duplicates": duplicates,
    "noise columns": noise_columns,
    "inside the crowd": inside_the_crowd,
    "outlying": outlying,
    "many columns": many_columns,
}
"""By the names ``--set`` takes: the records of each class of a set."""

MADE = (*SYNTHETIC, *FAMILIES)
"""Those of the papers, and these."""


def draw_made(name: str, seed: int) -> LabelledSet:
    """Draw a set that is made, by the papers' rules or by one of ours."""
    if name in SYNTHETIC:
        return SYNTHETIC[name](seed)
    if name not in FAMILIES:
        raise unknown_name("synthetic set", name, MADE)
    rng = np.random.default_rng(seed)
    parts = FAMILIES[name](rng)
    labels = [f"class {number}" for number, part in enumerate(parts) for _ in part]
    order = rng.permutation(len(labels))
    return LabelledSet(
        name,
        np.vstack(parts)[order],
        tuple(labels[row] for row in order),
        scale="none" if name == "categories only" else "auto",
    )


def _on_sheet(rng: np.random.Generator, turn: FloatArray, along: FloatArray) -> FloatArray:
    rolled = np.column_stack([turn * np.cos(turn), along, turn * np.sin(turn)])
    return np.asarray(rolled + 0.1 * rng.normal(size=rolled.shape))


def _drawn_words(rng: np.random.Generator, shares: Sequence[FloatArray], size: int) -> FloatArray:
    """Draw words, written as columns such that two different words are a distance of one apart."""
    columns = []
    for each in shares:
        word = rng.choice(len(each), size, p=each)
        columns.append(np.sqrt(0.5) * (word[:, None] == np.arange(len(each))))
    return np.hstack(columns)
