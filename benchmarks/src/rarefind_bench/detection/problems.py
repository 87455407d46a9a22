"""Rare classes to rank: records, which of them are wanted, and the models compared on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import BoolArray
from rarefind.detection import Lago, RareRanker, make
from rarefind.records.formats.by_ending import read_table
from rarefind_bench.datasets.location import data_file
from rarefind_bench.datasets.readers import without_small_print

Maker = Callable[[], Any]


@dataclass(frozen=True)
class RankingProblem:
    """Records, which of them are wanted, and the models that are compared on them."""

    name: str
    X: Any
    wanted: BoolArray
    models: dict[str, Maker]


def _vector_models(*, many_features: bool = False) -> dict[str, Maker]:
    names = [
        "lago", "lago-density", "svm", "logistic", "lda", "forest", "boosting", "kernel-logistic",
        *(["sphere-lago"] if many_features else []), "auto",
    ]  # fmt: skip
    return {name: partial(make, name) for name in names}


def _direction_models() -> dict[str, Maker]:
    """Models for texts: angles, and the linear machine they are compared with."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    return {
        "sphere-lago": partial(make, "sphere-lago"),
        "sphere-lago-density": partial(Lago, "sphere", density_correction=True),
        "sphere-lago-centred": lambda: make_pipeline(
            StandardScaler(with_std=False), make("sphere-lago")
        ),
        "sphere-lago-whitened": lambda: make_pipeline(StandardScaler(), make("sphere-lago")),
        "linear-svm": lambda: RareRanker(LinearSVC(C=1.0)),
        **{name: partial(make, name) for name in ("svm", "logistic", "lda", "forest", "auto")},
    }


def _columns(name: str) -> dict[str, NDArray[Any]]:
    table = read_table(data_file(f"{name}.parquet", "This part"))
    features = {title: table.columns[title] for title in without_small_print(table.columns)}
    return {**features, "label": np.array(table.words("label"), dtype=object)}


def _numeric(name: str, classes: tuple[str, ...], *, many_features: bool = False) -> RankingProblem:
    columns = _columns(name)
    wanted = np.isin(columns.pop("label").astype(str), classes)
    X = np.column_stack(list(columns.values())).astype(float)
    title = f"{name} {'+'.join(classes)}"
    return RankingProblem(title, X, wanted, _vector_models(many_features=many_features))


def _webkb(target: str, dimensions: int) -> RankingProblem:
    """Pages of one kind, in the feature space of our latent semantic kernel."""
    from rarefind.kernels import LatentSemantic, Normalized, VectorSpace

    columns = _columns("webkb")
    texts = columns["text"].tolist()
    words = VectorSpace(sublinear=True, stop_words="english", min_df=3)
    kernel = Normalized(LatentSemantic(dimensions, kernel=words))
    X = np.asarray(kernel.fit(texts).features(texts))
    title = f"webkb {target}, {dimensions} topics"
    return RankingProblem(title, X, columns["label"] == target, _direction_models())


def _caspase() -> RankingProblem:
    """Cleavage sites among 20,000 others, in the feature space of a blended spectrum kernel."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import CountVectorizer

    columns = _columns("caspase3_sites")
    wanted = columns["label"] == "1"
    others = np.random.default_rng(0).permutation(np.flatnonzero(~wanted))[:20_000]
    rows = np.sort(np.concatenate([np.flatnonzero(wanted), others]))
    letters = CountVectorizer(analyzer="char", ngram_range=(1, 3), lowercase=False, min_df=5)
    counts = letters.fit_transform(columns["sequence"][rows]).astype(float)
    X = TruncatedSVD(100, random_state=0).fit_transform(counts)
    return RankingProblem("caspase3 sites, spectrum 1-3", X, wanted[rows], _direction_models())


def _made_up(kind: str) -> RankingProblem:
    """Draw one of the two sets of 50,000 + 50,000 records with one in a hundred rare."""
    from sklearn.datasets import make_classification

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
    return RankingProblem(f"set {kind}, 50k + 50k", X, np.asarray(y) == 1, _vector_models())


PROBLEMS: dict[str, Callable[[], RankingProblem]] = {
    "mammography": partial(_numeric, "mammography", ("1",)),
    "hiv_bcut": partial(_numeric, "hiv_bcut", ("CA",)),
    "hiva": partial(_numeric, "hiva", ("1",), many_features=True),
    "page_blocks": partial(_numeric, "page_blocks", ("3", "4", "5")),
    "shuttle": partial(_numeric, "shuttle_train", ("2", "3", "6", "7")),
    "webkb-course": partial(_webkb, "course", 100),
    "webkb-course-20": partial(_webkb, "course", 20),
    "webkb-project": partial(_webkb, "project", 100),
    "webkb-project-20": partial(_webkb, "project", 20),
    "caspase": _caspase,
    "set-A": partial(_made_up, "A"),
    "set-B": partial(_made_up, "B"),
}
"""By the names ``--set`` takes."""
