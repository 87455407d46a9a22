"""Small ranking problems as a person meets them: a few labels, from a hunt or at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from zlib import crc32

import numpy as np

import rarefind as rf
from rarefind.core.arrays import BoolArray, IntArray, Records, count
from rarefind.detection.auto.quality import FEWEST
from rarefind.kernels.contract import Kernel
from rarefind_bench.datasets.catalogue import group_of, open_set
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.plan import Plan

_MOLECULES = ("tox21", "hiv")
"""Sets of molecules, which have peers of their own."""

TABLES = (
    "page_blocks", "letter", "ann_thyroid", "wilt", "yeast", "krkopt", "covertype", "mammography",
    "satellite", "winequality", "pendigits", "unsw_nb15", "abalone", "caravan", "shuttle",
    "segment", "optdigits", "celeba_bald", "vowel", "ecoli", "glass", "nursery",
)  # fmt: skip
"""Tables with a rare class and rows enough to draw from."""

OTHERS = (
    "furin_sites", *_MOLECULES, "sms_spam", "NCI1", "caspase3_sites", "reuters_r52", "surnames",
    "PROTEINS", "webkb4_stemmed", "splice", "amp_peptides",
)  # fmt: skip
"""Strings, texts, graphs and molecules."""

REGIMES = (
    *(f"hunt {n}" for n in (30, 100, 300)),
    *(f"random {n}" for n in (30, 100, 300)),
    *(f"examples {n}" for n in (1, 2, 3, 4)),
)
"""Where labels come from, and how many: a hunt, chance, or a few examples."""

OTHER_REGIMES = ("hunt 100", "random 100", "random 300")
"""For records that a kernel compares, where everything takes longer."""

JUDGED = {"hunt 100": 1, "hunt 300": FEWEST, "random 100": FEWEST, "random 300": FEWEST}
"""Where what is told is compared with what is true: examples it takes. Of fewer nothing is told,
but chances of the first records are, after hunts of 100 labels."""

_ROWS = 2_000
"""Rows drawn of each set: more would take days with every model. A choice."""

_OTHERS = 60
"""Labels of other records beside one to four examples."""
_LEFT = 5
"""So many records of the class must be left to find."""
_ASKED = 300
"""Questions of a hunt: as many as the longest needs."""


@dataclass(frozen=True)
class Cell:
    """One problem: records, their labels, the class sought, and which rows are labelled."""

    name: str
    group: str
    seed: int
    regime: str
    X: Records
    kernel: Kernel | None
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


def cells(name: str, seed: int, regimes: Mapping[str, int], plan: Plan) -> Iterator[Cell]:
    """Draw one problem for every way of coming by labels, where the set allows it.

    With every way stands how many examples of the class sought it takes.
    """
    drawn = open_set(name).draw(seed, _ROWS)
    labels = np.array(drawn.labels)
    group = "molecules" if name in _MOLECULES else group_of(name)
    for regime, least in regimes.items():
        rng = np.random.default_rng([seed, crc32(f"{name} {regime}".encode())])
        for target in rng.permutation(drawn.sought):
            rows = _labelled(drawn, labels == target, regime, seed, rng, plan)
            wanted = labels == target
            if rows is None or wanted[rows].sum() < least:
                continue
            if wanted.sum() - wanted[rows].sum() >= _LEFT:
                yield Cell(
                    name, group, seed, regime, drawn.records, drawn.kernel, drawn.labels,
                    str(target), rows,
                )  # fmt: skip
                break


def _labelled(
    drawn: LabelledSet,
    wanted: BoolArray,
    regime: str,
    seed: int,
    rng: np.random.Generator,
    plan: Plan,
) -> IntArray | None:
    """Choose the rows with a label; None if the class or the rest would not be among them."""
    kind, _, number = regime.partition(" ")
    n = int(number)
    if kind == "hunt":
        key = ["detection", "hunt of 300", drawn.name, seed, _ROWS]
        asked = plan.journal.result(key, lambda: _hunt(drawn, seed))
        rows = np.array(asked[:n], dtype=np.int64)
    elif kind == "random":
        rows = rng.permutation(len(wanted))[:n]
        if not wanted[rows].any():
            rows[0] = rng.choice(np.flatnonzero(wanted))
    else:
        examples, others = (rng.permutation(np.flatnonzero(group)) for group in (wanted, ~wanted))
        rows = np.concatenate([examples[:n], others[:_OTHERS]])
    return rows if 0 < wanted[rows].sum() < len(rows) else None


def _hunt(drawn: LabelledSet, seed: int) -> list[int]:
    """Ask questions, and answer them by the truth."""
    hunt = rf.Hunt(drawn.records, kernel=drawn.kernel, scale=drawn.scale, random_state=seed)
    asked: list[int] = []
    while len(asked) < min(_ASKED, count(drawn.records) // 2):
        question = hunt.ask()
        hunt.tell(question.row, drawn.labels[question.row])
        asked.append(int(question.row))
    return asked
