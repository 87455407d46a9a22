"""Small ranking problems as a person meets them: a few labels, from a hunt or at random."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

import numpy as np

import rarefind as rf
from rarefind.core.arrays import BoolArray, FloatArray, IntArray
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.plan import Plan

SETS = (
    "shuttle", "ecoli", "glass", "page_blocks", "abalone", "winequality", "pendigits", "optdigits",
    "mammography", "yeast", "satellite", "letter", "vowel", "segment", "ann_thyroid", "covertype",
)  # fmt: skip
REGIMES = (
    "hunt 30",
    "hunt 100",
    "random 30",
    "random 100",
    *(f"examples {n}" for n in range(1, 5)),
)
_ROWS = 2_000
_OTHERS = 60
"""Labels of other records beside one to four examples."""
_LEFT = 5
"""So many records of the class must be left to find."""


@dataclass(frozen=True)
class Cell:
    """One problem: vectors, their labels, the class sought, and which rows are labelled."""

    name: str
    seed: int
    regime: str
    X: FloatArray
    labels: tuple[str, ...]
    target: str
    rows: IntArray

    @property
    def rest(self) -> IntArray:
        """The rows that nobody has labelled."""
        return np.setdiff1d(np.arange(len(self.labels)), self.rows)

    @property
    def wanted(self) -> BoolArray:
        """Which records are of the class."""
        return np.array([label == self.target for label in self.labels])


def cells(name: str, seed: int, regimes: tuple[str, ...], plan: Plan) -> Iterator[Cell]:
    """Draw one problem for every way of coming by labels, where the set allows it."""
    drawn = open_set(name).draw(seed, _ROWS)
    labels = np.array(drawn.labels)
    for regime in regimes:
        rng = np.random.default_rng([seed, crc32(f"{name} {regime}".encode())])
        for target in rng.permutation(drawn.rare):
            rows = _labelled(drawn, labels == target, regime, seed, rng, plan)
            if (
                rows is not None
                and (labels == target).sum() - (labels[rows] == target).sum() >= _LEFT
            ):
                X = np.asarray(drawn.records, dtype=np.float64)
                yield Cell(name, seed, regime, X, drawn.labels, str(target), rows)
                break


def _labelled(
    drawn: LabelledSet,
    wanted: BoolArray,
    regime: str,
    seed: int,
    rng: np.random.Generator,
    plan: Plan,
) -> IntArray | None:
    """Choose the rows with a label; None if the class would not be among them."""
    kind, _, number = regime.partition(" ")
    n = int(number)
    if kind == "hunt":
        asked = plan.journal.result(
            ["detection", "hunt", drawn.name, seed, _ROWS], lambda: json.loads(_hunt(drawn, seed))
        )
        rows = np.array(asked[:n], dtype=np.int64)
        return rows if wanted[rows].any() else None
    if kind == "random":
        rows = rng.permutation(len(wanted))[:n]
        if not wanted[rows].any():
            rows[0] = rng.choice(np.flatnonzero(wanted))
        return rows
    examples, others = (rng.permutation(np.flatnonzero(group)) for group in (wanted, ~wanted))
    return np.concatenate([examples[:n], others[:_OTHERS]])


def _hunt(drawn: LabelledSet, seed: int) -> str:
    """Ask a hundred questions, and answer them by the truth."""
    hunt = rf.Hunt(np.asarray(drawn.records, dtype=np.float64), random_state=seed)
    asked: list[int] = []
    while len(asked) < 100 and (question := hunt.ask()) is not None:
        hunt.tell(question.row, drawn.labels[question.row])
        asked.append(int(question.row))
    return json.dumps(asked)
