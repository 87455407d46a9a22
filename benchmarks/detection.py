"""Average precision and seconds of every detector, on rare classes of real and made-up data.

    python benchmarks/detection.py --quick            a few minutes
    python benchmarks/detection.py --only sets --splits 3

Data are read from the folder in RAREFIND_DATA (default: ../shared/datasets). Each split halves
the records at random, stratified; shown are the mean and the spread over splits of the average
precision on the second half, and the seconds for fitting and for scoring.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
from sklearn.datasets import make_classification
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer, StandardScaler
from sklearn.svm import LinearSVC

from rarefind.core.ranking import average_precision
from rarefind.detection import Lago, RareRanker, make

FOLDER = Path(os.environ.get("RAREFIND_DATA", Path(__file__).parents[1] / "../shared/datasets"))


@dataclass
class Problem:
    """Records, which of them are wanted, and the models that are compared on them."""

    name: str
    X: object
    wanted: np.ndarray
    models: dict[str, Callable[[], object]]


def vector_models(*, many_features: bool = False) -> dict[str, Callable[[], object]]:
    names = ["lago", "lago-density", "svm", "logistic", "lda", "forest", "boosting", "auto"]
    models = {name: (lambda name=name: make(name)) for name in names}
    try:
        make("kernel-logistic")
    except ImportError:
        print("kernel-logistic is not installed here and left out")
    else:
        models["kernel-logistic"] = lambda: make("kernel-logistic")
    if many_features:
        models["sphere-lago"] = lambda: make("sphere-lago")
    return models


def direction_models() -> dict[str, Callable[[], object]]:
    """Models for texts: angles, and the linear machine they are compared with."""
    return {
        "sphere-lago": lambda: make("sphere-lago"),
        "sphere-lago-density": lambda: Lago("sphere", density_correction=True),
        "sphere-lago-centred": lambda: make_pipeline(
            StandardScaler(with_std=False), make("sphere-lago")
        ),
        "sphere-lago-whitened": lambda: make_pipeline(StandardScaler(), make("sphere-lago")),
        "linear-svm": lambda: RareRanker(LinearSVC(C=1.0)),
        "svm": lambda: make("svm"),
        "logistic": lambda: make("logistic"),
        "lda": lambda: make("lda"),
        "forest": lambda: make("forest"),
        "auto": lambda: make("auto"),
    }


def table(name: str) -> dict[str, np.ndarray]:
    path = FOLDER / f"{name}.parquet"
    if not path.exists():
        sys.exit(f"{path} is missing: set RAREFIND_DATA to the folder with the data sets.")
    read = parquet.read_table(path)
    return {column: read[column].to_numpy(zero_copy_only=False) for column in read.column_names}


def numeric(name: str, classes: list[str], *, many_features: bool = False) -> Callable[[], Problem]:
    def load() -> Problem:
        columns = table(name)
        wanted = np.isin(columns.pop("label"), classes)
        X = np.column_stack([v for k, v in columns.items() if k not in ("split", "row")])
        title = f"{name} {'+'.join(classes)}"
        return Problem(title, X.astype(float), wanted, vector_models(many_features=many_features))

    return load


def webkb(target: str, dimensions: int) -> Callable[[], Problem]:
    """Pages of one kind, in the feature space of the latent semantic kernel."""

    def load() -> Problem:
        columns = table("webkb")
        words = TfidfVectorizer(
            sublinear_tf=True, min_df=3, max_features=30_000, stop_words="english"
        )
        latent = TruncatedSVD(dimensions, random_state=0)
        X = make_pipeline(words, latent, Normalizer()).fit_transform(columns["text"])
        wanted = columns["label"] == target
        return Problem(f"webkb {target}, {dimensions} topics", X, wanted, direction_models())

    return load


def caspase() -> Problem:
    """Cleavage sites, in the feature space of a blended spectrum kernel with positions folded."""
    columns = table("caspase3_sites")
    wanted = columns["label"] == "1"
    rows = np.sort(
        np.concatenate(
            [
                np.flatnonzero(wanted),
                np.random.default_rng(0).permutation(np.flatnonzero(~wanted))[:20_000],
            ]
        )
    )
    letters = CountVectorizer(analyzer="char", ngram_range=(1, 3), lowercase=False, min_df=5)
    X = letters.fit_transform(columns["sequence"][rows]).astype(float)
    latent = TruncatedSVD(100, random_state=0).fit_transform(X)
    return Problem("caspase3 sites, spectrum 1-3", latent, wanted[rows], direction_models())


def made_up(kind: str) -> Callable[[], Problem]:
    """The two sets of 50,000 + 50,000 records with one in a hundred rare."""

    def load() -> Problem:
        n, rng = 100_000, np.random.default_rng(0)
        if kind == "A":
            X, y = make_classification(
                n, 10, n_informative=6, n_redundant=0, n_clusters_per_class=3, class_sep=1.0,
                weights=[0.99], flip_y=0, random_state=0,
            )  # fmt: skip
        else:
            centres = rng.normal(size=(8, 10))
            y = rng.random(n) < 0.01
            X = rng.normal(size=(n, 10))
            noise = 0.35 * rng.normal(size=(int(y.sum()), 10))
            X[y] = centres[rng.integers(8, size=int(y.sum()))] + noise
        return Problem(f"set {kind}, 50k + 50k", X, np.asarray(y) == 1, vector_models())

    return load


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "mammography": numeric("mammography", ["1"]),
    "hiv_bcut": numeric("hiv_bcut", ["CA"]),
    "hiva": numeric("hiva", ["1"], many_features=True),
    "page_blocks": numeric("page_blocks", ["3", "4", "5"]),
    "shuttle": numeric("shuttle_train", ["2", "3", "6", "7"]),
    "webkb-course": webkb("course", 100),
    "webkb-course-20": webkb("course", 20),
    "webkb-project": webkb("project", 100),
    "webkb-project-20": webkb("project", 20),
    "caspase": caspase,
    "sets-A": made_up("A"),
    "sets-B": made_up("B"),
}


def measure(problem: Problem, name: str, splits: int, largest: int) -> tuple[list[float], ...]:
    precisions, fitting, scoring = [], [], []
    for seed in range(splits):
        rows = np.arange(len(problem.wanted))
        splitter = StratifiedShuffleSplit(
            1,
            train_size=min(len(rows) // 2, largest),
            test_size=min(len(rows) // 2, 2 * largest),
            random_state=seed,
        )
        train, test = next(splitter.split(rows, problem.wanted))
        model = problem.models[name]()
        begin = clocks()
        model.fit(problem.X[train], problem.wanted[train])
        fitted = clocks()
        scores = model.decision_function(problem.X[test])
        scoring.append(clocks() - fitted)
        fitting.append(fitted - begin)
        precisions.append(average_precision(problem.wanted[test], scores))
    return precisions, fitting, scoring


def clocks() -> np.ndarray:
    """Seconds on the wall, and of all processors."""
    return np.array([time.perf_counter(), time.process_time()])


def seconds(values: list[np.ndarray]) -> str:
    wall, processors = np.mean(values, axis=0)
    return f"{wall:.2f} ({processors:.2f})"


def run(problem: Problem, splits: int, largest: int, only: list[str]) -> None:
    n = len(problem.wanted)
    print(f"\n{problem.name}: {n} records, {int(problem.wanted.sum())} wanted")
    print("| model | average precision | fit s (CPU s) | score s (CPU s) |\n|---|---|---|---|")
    means: dict[str, float] = {}
    for name in problem.models:
        if only and name not in only:
            continue
        precisions, fitting, scoring = measure(problem, name, splits, largest)
        means[name] = float(np.mean(precisions))
        print(
            f"| {name} | {means[name]:.3f} ± {np.std(precisions):.3f} "
            f"| {seconds(fitting)} | {seconds(scoring)} |",
            flush=True,
        )
    if "auto" in means and len(means) > 1:
        best = max((value, name) for name, value in means.items() if name != "auto")
        print(f"auto minus the best single model ({best[1]}): {means['auto'] - best[0]:+.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="data sets whose name starts so, comma apart")
    parser.add_argument("--models", default="", help="only these models, comma apart")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="at most 2,000 training records")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    starts = tuple(options.only.split(","))
    models = [name for name in options.models.split(",") if name]
    for name, load in PROBLEMS.items():
        if name.startswith(starts):
            run(load(), options.splits, 2_000 if options.quick else 100_000, models)


if __name__ == "__main__":
    main()
