"""A case of every kind of model: how it is made and fitted, and what it is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA, KernelPCA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    KernelCenterer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import rarefind as rf
from rarefind.detection.auto.oblivious_trees import ObliviousTrees
from rarefind.detection.auto.quick_trees import QuickTrees
from rarefind.features.log_counts import LogCounts
from rarefind.features.normal_scores import ColumnsAndComponents, NormalScores
from rarefind.kernels import (
    FeatureTransformer,
    Gaussian,
    GramTransformer,
    Linear,
    Normalized,
    On,
    Spectrum,
    make_kernel,
)
from rarefind.kernels.graphs import Graph
from rarefind.kernels.trees import Tree
from tests.detection.saved import kernels
from tests.detection.saved import records as r

SMALL = {"forest": {"n_estimators": 3}, "boosting": {"max_iter": 3, "min_samples_leaf": 3}}
SMALL |= {"auto": {"candidates": ["lago", "logistic", "lda", "neighbours"], "time_limit": 1e6}}
GRAPHS = [Graph(["C", "O"], [(0, 1)]), Graph(["C"]), Graph(["C", "C", "O"], [(0, 1), (1, 2)])]
TREES = [Tree("S", [Tree("NP"), Tree("VP")]), Tree("NP"), Tree("S", [Tree("VP", [Tree("V")])])]
RARE = (r.VECTORS, r.RARE, r.QUERIES)
KINDS = (r.VECTORS, r.KINDS, r.QUERIES)
WORDS = (r.VECTORS, r.WORDS, r.QUERIES)
SPARSE = (r.SPARSE, r.KINDS, r.SPARSE_QUERIES)
STRINGS = (r.STRINGS, r.alternating(r.STRINGS), r.STRING_QUERIES)


@dataclass(frozen=True)
class Case:
    """A model that is not fitted yet, what it learns from, and what it is asked about."""

    model: Any
    training: Any
    labels: Any
    queries: Any

    def fitted(self):
        """Teach the model its records."""
        return self.model.fit(self.training, self.labels)


def all_cases():
    """Give all cases by name."""
    found = {}
    for name, ((training, queries), kernel) in kernels.all_kernels().items():
        found[f"kernel-{name}"] = Case(kernel, training, None, queries)
    for part in (_by_name, _lago, _kernel_learners, _other_learners, _scikit_learn, _auto):
        for name, (training, labels, queries), model in part():
            assert name not in found
            found[name] = Case(model, training, labels, queries)
    return found


def _by_name():
    for name in rf.detection.registry.names():
        yield f"name-{name}", RARE, rf.detection.make(name, **SMALL.get(name, {}))
        if name not in ("auto", "mkl", "kernel-pca"):
            several = rf.detection.make(name, target=["odd", "other"], **SMALL.get(name, {}))
            yield f"name-{name}-two-targets", WORDS, several


def _lago():
    for geometry in ("euclidean", "sphere"):
        for profile in ("gaussian", "triangular", "uniform", "cosine"):
            yield f"lago-{geometry}-{profile}", RARE, rf.Lago(geometry, profile=profile)
    for profile in ("gaussian", "uniform"):
        model = rf.Lago(profile=profile, bandwidth="diagonal")
        yield f"lago-diagonal-{profile}", RARE, model
    yield "lago-density", RARE, rf.Lago(density_correction=True)
    yield "lago-fixed", WORDS, rf.Lago(alpha=0.5, n_neighbors=2, order_zeros=False, target="odd")
    yield "lago-sparse", SPARSE, rf.Lago()
    yield "lago-kernel-vectors", RARE, rf.Lago(kernel=Gaussian(2.0) + Linear())
    yield "lago-kernel-strings", STRINGS, rf.Lago(kernel=Normalized(Spectrum(2)))
    yield "lago-nothing-found", STRINGS, rf.Lago(kernel=Normalized(Spectrum(2)))
    yield "lago-kernel-density", STRINGS, rf.Lago(kernel="spectrum", density_correction=True)
    texts = (r.TEXTS, r.alternating(r.TEXTS), r.TEXTS[:3])
    kernel = make_kernel("latent-semantic", rank=2)
    yield "lago-kernel-texts", texts, rf.Lago("sphere", profile="cosine", kernel=kernel)


def _kernel_learners():
    families = {
        "strings": (STRINGS, Spectrum(2)),
        "texts": ((r.TEXTS, [0, 1] * 3, r.TEXT_QUERIES), make_kernel("vector-space")),
        "sets": ((r.SETS, [0, 1] * 3, r.SET_QUERIES), make_kernel("intersection")),
        "trees": ((TREES, [0, 1, 0], r.TREE_QUERIES), make_kernel("all-subtree")),
        "tuples": ((r.TREES, [0, 1] * 3, r.TREE_QUERIES), make_kernel("co-rooted-subtree")),
        "graphs": ((GRAPHS, [0, 1, 0], r.GRAPH_QUERIES), make_kernel("weisfeiler-lehman", depth=2)),
        "paths": ((r.GRAPHS, [0, 1] * 3, r.GRAPH_QUERIES), make_kernel("shortest-path")),
        "walks": ((r.GRAPHS, [0, 1] * 3, r.GRAPH_QUERIES), make_kernel("walk", decay=0.0625)),
        "chains": ((r.EQUAL, [0, 1] * 4, r.EQUAL_QUERIES), make_kernel("markov-fisher")),
        "hidden": (
            (r.EQUAL, [0, 1] * 4, r.EQUAL_QUERIES),
            make_kernel("pair-hmm", **kernels.CHAIN),
        ),
        "algebra": (STRINGS, 2.0 * Normalized(Spectrum(2)) + make_kernel("gap-weighted") ** 2),
        "vectors": (KINDS, Gaussian(2.0) * Linear()),
        "columns": (KINDS, On([0, 2], make_kernel("centered", kernel=Gaussian(2.0)))),
        "default": (KINDS, "gaussian"),
    }
    for family, (data, kernel) in families.items():
        perceptron = rf.KernelPerceptron(kernel, random_state=0)
        yield f"perceptron-{family}", data, perceptron
        yield f"logistic-{family}", data, rf.KernelLogisticRegression(kernel)
        yield f"fisher-{family}", data, rf.KernelFisherDiscriminant(kernel)
        yield f"machine-{family}", data, rf.KernelMachine(kernel)
        if kernel != "gaussian":
            yield f"mkl-{family}", data, rf.SimpleMKL([kernel, ("squared", kernel**2)])
            yield f"svc-{family}", data, SVC(kernel=kernel)


def _other_learners():
    for linear in (rf.detection.Perceptron, rf.detection.LogisticSGD):
        yield f"linear-{linear.__name__}", RARE, linear(random_state=0)
    yield "mkl-default", KINDS, rf.SimpleMKL()
    yield "mkl-trace", RARE, rf.SimpleMKL({"a": Linear(), "b": Gaussian(2.0)}, normalize="trace")
    yield "mkl-diagonal", RARE, rf.SimpleMKL(Linear() + Gaussian(2.0), normalize="diagonal")
    ridge = rf.KernelMachine(Gaussian(2.0), RidgeClassifier())
    yield "machine-ridge", RARE, ridge
    yield "gram-transformer", STRINGS, make_pipeline(GramTransformer(Spectrum(2)), LinearSVC())
    yield (
        "feature-transformer",
        STRINGS,
        make_pipeline(FeatureTransformer(Spectrum(2)), LinearSVC()),
    )
    numbers = (r.TABLE[["amount", "size"]], r.RARE, r.TABLE_QUERIES[["amount", "size"]])
    for name in ("lago", "boosting", "logistic", "kernel-fisher"):
        yield f"table-{name}", numbers, rf.detection.make(name, **SMALL.get(name, {}))
    mixed = (r.MIXED, r.RARE, r.MIXED_QUERIES)
    for name in ("lago", "logistic"):
        yield f"mixed-{name}", mixed, rf.detection.make(name)
    for scale in ("squash", "standard", "none"):
        scaled = make_pipeline(rf.features.TableFeatures(scale=scale), LogisticRegression())
        yield f"mixed-{scale}", mixed, scaled
        scaled = make_pipeline(rf.features.TableFeatures(scale=scale), LogisticRegression())
        yield f"array-{scale}", (r.VECTORS, r.RARE, r.QUERIES), scaled
    yield "written-lago", (r.WRITTEN, r.RARE, r.WRITTEN_QUERIES), rf.Lago()
    for learner in (rf.KernelLogisticRegression, rf.KernelFisherDiscriminant):
        name = f"landmarks-{learner.__name__}"
        yield name, RARE, learner(Gaussian(2.0), n_landmarks=8, random_state=0)


def _scikit_learn():
    for model in (
        DecisionTreeClassifier(random_state=0),
        ExtraTreeClassifier(random_state=0),
        ExtraTreesClassifier(3, random_state=0),
        RandomForestClassifier(3, random_state=0),
        HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=3),
        GaussianNB(),
        KNeighborsClassifier(3),
        LinearDiscriminantAnalysis(),
        LinearSVC(),
        LogisticRegression(),
        Perceptron(),
        RidgeClassifier(),
        SGDClassifier(random_state=0),
        SVC(),
    ):
        yield f"sklearn-{type(model).__name__}", WORDS, model
    for model in (
        MaxAbsScaler(),
        MinMaxScaler(),
        Normalizer(),
        RobustScaler(),
        StandardScaler(),
        PCA(2),
        KernelPCA(2, kernel="rbf"),
        TruncatedSVD(2, random_state=0),
        GramTransformer(Gaussian(2.0)),
    ):
        parts = make_pipeline(model, LinearDiscriminantAnalysis())
        yield f"pipeline-{type(model).__name__}", KINDS, parts
    centred = make_pipeline(GramTransformer(Linear()), KernelCenterer(), SVC(kernel="precomputed"))
    yield "pipeline-KernelCenterer", KINDS, centred
    gaps = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    yield "pipeline-SimpleImputer", (r.GAPS, r.KINDS, r.QUERIES), gaps
    texts = (r.TEXTS, [0, 1] * 3, r.TEXT_QUERIES)
    counts = make_pipeline(CountVectorizer(), TfidfTransformer(), LogisticRegression())
    yield "pipeline-CountVectorizer", texts, counts
    yield "pipeline-TfidfVectorizer", texts, make_pipeline(TfidfVectorizer(), SVC(kernel="linear"))
    columns = ColumnTransformer(
        [
            ("word", OneHotEncoder(), [0]),
            ("code", OrdinalEncoder(), [0]),
            ("n", MinMaxScaler(), [1]),
        ]
    )
    cells = (r.CELLS, r.KINDS, r.CELLS[:5])
    yield "pipeline-ColumnTransformer", cells, make_pipeline(columns, LogisticRegression())
    yield "sklearn-sparse", SPARSE, SVC(kernel="linear")
    lago = make_pipeline(StandardScaler(), rf.Lago())
    yield "pipeline-Lago", RARE, lago


def _auto():
    # Files of these names hold what earlier versions chose, and are read with the same queries.
    few = {
        "forest": ExtraTreesClassifier(3, random_state=0),
        "lago": rf.Lago(),
        "bayes": GaussianNB(),
        "steps": make_pipeline(StandardScaler(), SVC()),
    }
    calm = {"time_limit": 1e6}
    yield "auto-average", RARE, rf.detection.AutoDetector(few, **calm)
    yield "auto-one", RARE, rf.detection.AutoDetector({"lda": LinearDiscriminantAnalysis()}, **calm)
    several = rf.detection.AutoDetector(["lda", "lago"], target=["odd", "other"], **calm)
    yield "auto-two-targets", WORDS, several
    strings = (r.STRINGS * 2, [0, 0, 1, 0, 1] * 4, r.STRING_QUERIES)
    yield (
        "auto-strings",
        strings,
        rf.detection.AutoDetector(kernel=Spectrum(2), **calm),
    )
    yield (
        "auto-without-comparison",
        STRINGS,
        rf.detection.AutoDetector(kernel=Spectrum(2)),
    )
    members = {
        "component trees": make_pipeline(
            ColumnsAndComponents(), ExtraTreesClassifier(2, random_state=0)
        ),
        "svm": make_pipeline(NormalScores(), SVC()),
        "catboost": ObliviousTrees(3),
    }
    yield "auto-members", RARE, rf.detection.AutoDetector(members, **calm)
    yield "auto-members-strings", strings, rf.detection.AutoDetector(kernel=Spectrum(2))
    counts = (np.abs(r.VECTORS), r.RARE, np.abs(r.QUERIES))
    logarithms = {"logistic": make_pipeline(LogCounts(), LogisticRegression())}
    yield "auto-members-counts", counts, rf.detection.AutoDetector(logarithms, **calm)
    quick = {"trees": QuickTrees(3, balanced=True)}
    yield "auto-members-quick-trees", RARE, rf.detection.AutoDetector(quick, **calm)
