"""How fast the kernels are, beside the nearest thing one can install, in one run.

    python benchmarks/kernels.py            Gram matrices of strings, then of graphs
    python benchmarks/kernels.py --large    features of whole data sets as well, and what they rank

Data sets are looked for in RAREFIND_DATA (default ../shared/datasets). Graph kernels are timed
beside GraKeL where it is installed (``pip install "rarefind[bench]"``).
"""

from __future__ import annotations

import argparse
import os
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kernels_graphs
import numpy as np
import pyarrow.parquet as pq
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import average_precision_score
from sklearn.preprocessing import MaxAbsScaler
from threadpoolctl import threadpool_limits

from rarefind.core.arrays import take
from rarefind.kernels.strings import (
    AllSubsequences,
    BlendedSpectrum,
    CharacterWeighted,
    FixedSubsequences,
    GapNumberWeighted,
    GappedKmer,
    GapWeighted,
    Mismatch,
    RestrictedGapWeighted,
    SoftMatching,
    Spectrum,
)

DATA = Path(os.environ.get("RAREFIND_DATA", "../shared/datasets"))


@dataclass(frozen=True)
class Row:
    """One line of the table: what was run, how long it took, beside what, and the goal."""

    what: str
    seconds: float
    beside: str
    ratio: float
    goal: float | None

    def __str__(self) -> str:
        verdict = "" if self.goal is None else "met" if self.ratio <= self.goal else "MISSED"
        goal = "" if self.goal is None else f"<= {self.goal:g}"
        numbers = f"{self.seconds:>9.3f}{self.ratio:>9.2f}"
        return f"{self.what:<58}{numbers}  {goal:<8}{verdict:<8}{self.beside}"


def read(name: str) -> tuple[list[str], np.ndarray]:
    table = pq.read_table(DATA / f"{name}.parquet")
    return table["sequence"].to_pylist(), np.array(table["label"].to_pylist())


def seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(
    what: str,
    work: Callable[[], Any],
    beside: str,
    anchor: Callable[[], Any],
    goal: float | None = None,
    repeats: int = 7,
) -> Row:
    """Time both in turns, so that a busy machine slows both, and take the best of each.

    BLAS gets one thread: a second one that has to wait costs more than it brings.
    """
    ours, theirs = [], []
    with threadpool_limits(1):
        for _ in range(repeats):
            theirs.append(seconds(anchor))
            ours.append(seconds(work))
    return Row(what, min(ours), beside, min(ours) / min(theirs), goal)


def string_rows() -> Iterator[Row]:
    """Gram matrices of 1000 DNA strings of 60 letters."""
    strings = read("splice")[0][:1000]

    def count_and_multiply() -> Any:
        counts = CountVectorizer(analyzer="char", ngram_range=(4, 4)).fit_transform(strings)
        return (counts @ counts.T).toarray()

    alike = {("A", "G"): 0.5, ("C", "T"): 0.5}
    kernels: list[tuple[Any, float | None, int]] = [
        (Spectrum(4), 1.5, 9),
        (GapWeighted(4, 0.5), 1.5, 9),
        (Mismatch(5, 1), 1.5, 9),
        (Mismatch(5, 1, alphabet="ACGT"), 1.5, 9),
        (BlendedSpectrum(4, 0.5), None, 5),
        (FixedSubsequences(3), None, 5),
        (CharacterWeighted(4, {"N": 0.1}, 0.5), None, 5),
        (GapNumberWeighted(4, 0.5), None, 5),
        (RestrictedGapWeighted(4, 2, 0.5), None, 5),
        (GappedKmer(6, 4), None, 3),
        (GappedKmer(8, 4), None, 3),
        (SoftMatching(4, 0.5, alike), 200, 3),
        (SoftMatching(4, 0.5, alike, route="recursion"), None, 1),
        (AllSubsequences(), 200, 2),
    ]
    beside = "CountVectorizer, sparse product"
    for kernel, goal, repeats in kernels:
        kernel(strings[:4])  # compiles what is compiled

        def work(kernel: Any = kernel) -> Any:
            return kernel(strings)

        yield compare(_name(kernel), work, beside, count_and_multiply, goal, repeats)


def _name(kernel: Any) -> str:
    name = " ".join(repr(kernel).split())
    return name if len(name) < 57 else name[:53] + "..."


def string_features() -> Iterator[str]:
    """Features of whole data sets, and a linear model on them: no n x n matrix anywhere."""
    for data, rare, kernel in [
        ("hiv", "CA", Spectrum(4)),
        ("hiv", "CA", GapWeighted(3, 0.5)),
        ("caspase3_sites", "1", Spectrum(3)),
        ("caspase3_sites", "1", GapWeighted(2, 0.5)),
    ]:
        strings, labels = read(data)
        wanted = labels.astype(str) == rare
        test = np.random.default_rng(0).random(len(strings)) < 0.5
        train_rows, test_rows = np.flatnonzero(~test), np.flatnonzero(test)
        tracemalloc.start()
        start = time.perf_counter()
        known, unknown = take(strings, train_rows), take(strings, test_rows)
        train = kernel.fit(known).features(known)
        ahead = kernel.features(unknown)
        made = time.perf_counter() - start
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        size = sum(x.data.nbytes + x.indices.nbytes + x.indptr.nbytes for x in (train, ahead))
        start = time.perf_counter()
        scale = MaxAbsScaler().fit(train)
        model = SGDClassifier(loss="log_loss", class_weight="balanced", random_state=0)
        model.fit(scale.transform(train), wanted[train_rows])
        scores = model.decision_function(scale.transform(ahead))
        ranked = time.perf_counter() - start
        start = time.perf_counter()
        found = train_rows[wanted[train_rows]][:100]
        nearest = (kernel.features(take(strings, found)) @ ahead.T).max(axis=0)
        asked = time.perf_counter() - start
        precision = average_precision_score(wanted[test_rows], scores)
        yield (
            f"{data}: {_name(kernel)}: {len(strings)} strings, {train.shape[1]} columns; "
            f"features {made:.1f} s, {size / 1e9:.2f} GB (peak {peak / 1e9:.2f} GB), linear model "
            f"{ranked:.1f} s, average precision {precision:.3f} (chance {wanted.mean():.4f}); "
            f"{nearest.shape[0]} records against 100 known ones {asked:.2f} s"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--large", action="store_true", help="features of whole data sets too")
    large = arguments.parse_args().large
    print(f"{'':<58}{'seconds':>9}{'ratio':>9}  {'goal':<16}beside")
    for rows in (string_rows,):
        print((rows.__doc__ or "").strip())
        for row in rows():
            print(f"{row}", flush=True)
    print()
    kernels_graphs.main()
    for lines in (string_features,) if large else ():
        print((lines.__doc__ or "").strip())
        for line in lines():
            print(line, flush=True)


if __name__ == "__main__":
    main()
