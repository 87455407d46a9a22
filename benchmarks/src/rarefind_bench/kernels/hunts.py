"""What a hunt costs in records that only a kernel can compare, beside their Gram matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from rarefind.core.progress import announce
from rarefind.hunting import Hunt
from rarefind.kernels import AllSubtree, CoRootedSubtree, ShortestPath, Walk, WeisfeilerLehman
from rarefind.kernels.contract import Kernel
from rarefind_bench.kernels.graphs import random_graphs
from rarefind_bench.measuring.turns import cpu_seconds, verdict
from rarefind_bench.tables_and_charts import Grid

RECORDS = 240
"""How many trees, and how many graphs, are hunted in."""

_NODES, _DEEPEST, _LEAF = 5, 4, 0.25
"""Trees are drawn from so many labels, down to this depth, with this share of early leaves."""

_TURNS = 3
"""Set-ups and matrices are made so often, and the least time counts."""

_SETUP_GOAL, _QUESTION_GOAL = 2.0, 0.02
"""Goals: set-up in times of the Gram matrix, and seconds a question."""

_HEADER = ("records", "kernel", "Gram, s", "set-up, s", "set-up / Gram", "question, s", "goals")
"""Columns of the table printed."""


def hunt_times() -> Grid:
    """Time set-up and questions of the default strategy; answers are drawn at random."""
    rows = []
    trees, graphs = random_trees(), random_graphs(number=RECORDS)
    with threadpool_limits(1):
        for place, (kind, kernel) in enumerate(_KERNELS):
            announce(f"hunts, {type(kernel).__name__}", place, len(_KERNELS))
            rows.append((kind, *_timed(kernel, trees if kind == "trees" else graphs)))
    return Grid(f"A hunt in {RECORDS} records, CPU seconds", _HEADER, rows)


def random_trees(seed: int = 0, number: int = RECORDS) -> list[str]:
    """Draw trees in the brackets of tree banks."""
    rng = np.random.default_rng(seed)

    def grown(depth: int) -> str:
        label = int(rng.integers(_NODES))
        if depth == _DEEPEST or rng.random() < _LEAF:
            return f"(N{label} w{int(rng.integers(_NODES))})"
        return f"(N{label} {' '.join(grown(depth + 1) for _ in range(int(rng.integers(1, 4))))})"

    return [grown(0) for _ in range(number)]


def _timed(kernel: Kernel, records: Sequence[Any]) -> tuple[object, ...]:
    hunt = Hunt(records, kernel=kernel)  # compiles what is compiled
    gram = _least(lambda: kernel(records))
    setup = _least(lambda: Hunt(records, kernel=kernel))
    labels = np.random.default_rng(0).integers(3, size=len(records)).tolist()

    def questions() -> None:
        for _ in range(len(records)):
            row = hunt.ask().row
            hunt.tell(row, labels[row])

    question = cpu_seconds(questions) / len(records)
    goals = f"{verdict(setup / gram, _SETUP_GOAL)}, {verdict(question, _QUESTION_GOAL)}"
    return str(kernel), gram, setup, setup / gram, question, goals


def _least(work: Callable[[], Any]) -> float:
    return min(cpu_seconds(work) for _ in range(_TURNS))


_KERNELS: tuple[tuple[str, Kernel], ...] = (
    ("trees", AllSubtree()),
    ("trees", CoRootedSubtree()),
    ("graphs", Walk(0.01)),
    ("graphs", Walk(0.01, labelled=True)),
    ("graphs", ShortestPath()),
    ("graphs", WeisfeilerLehman()),
)
"""Cheap ones and dear ones: beside a cheap matrix the fixed costs of a hunt are seen."""
