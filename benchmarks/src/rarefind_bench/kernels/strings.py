"""How fast the string kernels are beside counting n-grams and one sparse product."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Hashable
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.arrays import take
from rarefind.core.progress import announce
from rarefind.kernels import strings
from rarefind.records.formats.by_ending import read_table
from rarefind_bench.datasets.location import data_file
from rarefind_bench.measuring.turns import Timed, in_turns, verdict
from rarefind_bench.tables_and_charts import Grid

_ALIKE: dict[tuple[Hashable, Hashable], float] = {("A", "G"): 0.5, ("C", "T"): 0.5}
"""Purines are alike, and pyrimidines: half as good as the same letter."""

_GOALS: list[tuple[Any, float | None, int]] = [
    (strings.Spectrum(4), 1.5, 9),
    (strings.GapWeighted(4, 0.5), 1.5, 9),
    (strings.Mismatch(5, 1), 1.5, 9),
    (strings.Mismatch(5, 1, alphabet="ACGT"), 1.5, 9),
    (strings.BlendedSpectrum(4, 0.5), None, 5),
    (strings.FixedSubsequences(3), None, 5),
    (strings.CharacterWeighted(4, {"N": 0.1}, 0.5), None, 5),
    (strings.GapNumberWeighted(4, 0.5), None, 5),
    (strings.RestrictedGapWeighted(4, 2, 0.5), None, 5),
    (strings.GappedKmer(6, 4), None, 3),
    (strings.GappedKmer(8, 4), None, 3),
    (strings.SoftMatching(4, 0.5, _ALIKE), 200, 3),
    (strings.AllSubsequences(), 200, 2),
]
"""Kernels, the largest ratio allowed, and how often each is timed."""

_WHOLE_SETS = (
    ("hiv", "CA", strings.Spectrum(4)),
    ("hiv", "CA", strings.GapWeighted(3, 0.5)),
    ("caspase3_sites", "1", strings.Spectrum(3)),
    ("caspase3_sites", "1", strings.GapWeighted(2, 0.5)),
)
"""Sets of thousands of strings, with the class to rank for."""


def gram_times() -> Grid:
    """Gram matrices of 1000 DNA strings of 60 letters."""
    from sklearn.feature_extraction.text import CountVectorizer

    sequences = _read("splice")[0][:1000]

    def count_and_multiply() -> Any:
        counts = CountVectorizer(analyzer="char", ngram_range=(4, 4)).fit_transform(sequences)
        return (counts @ counts.T).toarray()

    rows = []
    for place, (kernel, goal, repeats) in enumerate(_GOALS):
        announce(f"strings, {type(kernel).__name__}", place, len(_GOALS))
        kernel(sequences[:4])  # compiles what is compiled
        timed: Timed = in_turns(partial(kernel, sequences), count_and_multiply, repeats)
        rows.append(
            (name_of(kernel), timed.ours, timed.ratio, _at_most(goal), verdict(timed.ratio, goal))
        )
    header = ("kernel", "CPU s", "ratio", "goal", "")
    return Grid("1000 DNA strings of 60 beside CountVectorizer and a sparse product", header, rows)


def whole_sets() -> Grid:
    """Features of whole data sets and a linear model on them: no n x n matrix anywhere."""
    rows = []
    for place, (data, rare, kernel) in enumerate(_WHOLE_SETS):
        announce(f"{data}, {type(kernel).__name__}", place, len(_WHOLE_SETS))
        rows.append((data, name_of(kernel), *_ranked(data, rare, kernel)))
    header = (
        "set", "kernel", "strings", "columns", "features, s", "peak GB", "linear model, s",
        "average precision", "chance",
    )  # fmt: skip
    return Grid("Features of whole data sets, ranked by a linear model", header, rows)


def name_of(kernel: Any) -> str:
    """Write a kernel with its parameters on one line."""
    name = " ".join(repr(kernel).split())
    return name if len(name) < 57 else name[:53] + "..."


def _ranked(data: str, rare: str, kernel: Any) -> tuple[object, ...]:
    from sklearn.linear_model import SGDClassifier
    from sklearn.metrics import average_precision_score
    from sklearn.preprocessing import MaxAbsScaler

    sequences, labels = _read(data)
    wanted = labels == rare
    test = np.random.default_rng(0).random(len(sequences)) < 0.5
    train_rows, test_rows = np.flatnonzero(~test), np.flatnonzero(test)
    known, unknown = take(sequences, train_rows), take(sequences, test_rows)
    tracemalloc.start()
    begun = time.process_time()
    train = kernel.fit(known).features(known)
    ahead = kernel.features(unknown)
    made = time.process_time() - begun
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    begun = time.process_time()
    scale = MaxAbsScaler().fit(train)
    model = SGDClassifier(loss="log_loss", class_weight="balanced", random_state=0)
    model.fit(scale.transform(train), wanted[train_rows])
    scores = model.decision_function(scale.transform(ahead))
    fitted = time.process_time() - begun
    precision = float(average_precision_score(wanted[test_rows], scores))
    return (
        len(sequences), train.shape[1], made, peak / 1e9, fitted, precision, float(wanted.mean())
    )  # fmt: skip


def _read(name: str) -> tuple[list[str], np.ndarray]:
    table = read_table(data_file(f"{name}.parquet", "The benchmark of string kernels"))
    return [str(word) for word in table.column("sequence")], np.array(table.words("label"))


def _at_most(goal: float | None) -> str:
    return "" if goal is None else f"<= {goal:g}"
