"""The names under which classes stand in model files.

A name is a promise: it may be added, never changed or taken back, or files that hold it could not
be read any more. Where the class is defined may change, in this table only. Beside rarefind's own
there are scikit-learn's estimators that hold nothing but numbers, and what installed packages
register in the entry-point group ``rarefind.saved_classes``. Nothing else is ever imported or made
because a file says so.
"""

from __future__ import annotations

from typing import Any

from rarefind.core.errors import DataError, NotAvailableError, UnknownNameError
from rarefind.core.names import Registry

_KERNELS = (
    "Agreement",
    "AllSubsequences",
    "AllSubsets",
    "AllSubtree",
    "Anova",
    "BlendedSpectrum",
    "Centered",
    "CharacterWeighted",
    "Circular",
    "CoRootedSubtree",
    "Constant",
    "Cosine",
    "DerivedSubsets",
    "Exp",
    "ExponentialDiffusion",
    "FeatureTransformer",
    "FixedLengthHMM",
    "FixedSubsequences",
    "GapNumberWeighted",
    "GapWeighted",
    "GappedKmer",
    "Gaussian",
    "GramTransformer",
    "HiddenTree",
    "Intersection",
    "Laplacian",
    "LatentSemantic",
    "Linear",
    "MarkovFisher",
    "Mismatch",
    "Multiple",
    "Normalized",
    "Nystroem",
    "On",
    "PairHMM",
    "PathSum",
    "Polynomial",
    "Power",
    "Product",
    "RandomFourier",
    "RandomPolynomial",
    "RecordWeighted",
    "RestrictedGapWeighted",
    "ShortestPath",
    "Sigmoid",
    "SoftMatching",
    "Spectrum",
    "Spline",
    "Subsets",
    "Sum",
    "UnionComplement",
    "VectorSpace",
    "VonNeumannDiffusion",
    "Walk",
    "WeightedDegree",
    "WeisfeilerLehman",
)
"""Kernels whose name in files is the one they are imported by."""

_MODELS = {
    "rarefind.AutoAverage": "rarefind.detection:AutoDetector",
    "rarefind.AutoDetector": "rarefind.detection.auto.earlier_versions:FormerAutoDetector",
    "rarefind.ColumnsAndComponents": "rarefind.features.normal_scores:ColumnsAndComponents",
    "rarefind.ComponentRanker": "rarefind.detection.component_ranker:ComponentRanker",
    "rarefind.FisherDiscriminant": "rarefind.detection:FisherDiscriminant",
    "rarefind.KernelComponents": "rarefind.detection.kernel.components:KernelComponents",
    "rarefind.KernelFisherDiscriminant": "rarefind.detection:KernelFisherDiscriminant",
    "rarefind.KernelLogisticRegression": "rarefind.detection:KernelLogisticRegression",
    "rarefind.KernelMachine": "rarefind.detection:KernelMachine",
    "rarefind.KernelPerceptron": "rarefind.detection:KernelPerceptron",
    "rarefind.Lago": "rarefind.detection:Lago",
    "rarefind.LogCounts": "rarefind.features.log_counts:LogCounts",
    "rarefind.LogisticML": "rarefind.detection:LogisticML",
    "rarefind.LogisticSGD": "rarefind.detection:LogisticSGD",
    "rarefind.NeighbourVotes": "rarefind.detection.neighbour_votes:NeighbourVotes",
    "rarefind.NormalScores": "rarefind.features.normal_scores:NormalScores",
    "rarefind.ObliviousTrees": "rarefind.detection.auto.oblivious_trees:ObliviousTrees",
    "rarefind.Perceptron": "rarefind.detection:Perceptron",
    "rarefind.QuickTrees": "rarefind.detection.auto.quick_trees:QuickTrees",
    "rarefind.RareRanker": "rarefind.detection:RareRanker",
    "rarefind.SimpleMKL": "rarefind.detection:SimpleMKL",
    "rarefind.TableFeatures": "rarefind.features.table:TableFeatures",
    "rarefind.UnitSpread": "rarefind.features.unit_spread:UnitSpread",
}
"""Models, by where they are now."""

_RECORDS = {
    "rarefind.records.Graph": "rarefind.kernels.graphs:Graph",
    "rarefind.records.Tree": "rarefind.kernels.trees:Tree",
}
"""Records of our own classes, which a model may keep as support."""

_INSIDE_MODELS = {
    "rarefind.internal.AutoChoice": "rarefind.detection.auto.earlier_versions:Choice",
    "rarefind.internal.AutoScore": "rarefind.detection.auto.earlier_versions:Score",
    "rarefind.internal.Committee": "rarefind.detection.auto.committee:Committee",
    "rarefind.internal.CommitteeMember": "rarefind.detection.auto.committee:FittedMember",
    "rarefind.internal.DateReader": "rarefind.features.cells.readers:DateReader",
    "rarefind.internal.FeatureDates": "rarefind.features.encoders:Dates",
    "rarefind.internal.FeatureMatrix": "rarefind.features.encoders:Matrix",
    "rarefind.internal.FeatureNumbers": "rarefind.features.encoders:Numbers",
    "rarefind.internal.FeaturePart": "rarefind.features.table:Part",
    "rarefind.internal.FeatureUnscaled": "rarefind.features.scaling:Unscaled",
    "rarefind.internal.FeatureVectors": "rarefind.features.encoders:Pictures",
    "rarefind.internal.FeatureWords": "rarefind.features.encoders:Words",
    "rarefind.internal.KernelReference": "rarefind.kernels.reference:Reference",
    "rarefind.internal.LagoTrial": "rarefind.detection.lago.tuning:Trial",
    "rarefind.internal.MarkovModel": "rarefind.kernels.generative.markov_model:MarkovModel",
    "rarefind.internal.MemberScore": "rarefind.detection.auto.committee:MemberScore",
    "rarefind.internal.NothingFound": "rarefind.kernels.algebra.nothing_found:NothingFound",
    "rarefind.internal.NumberReader": "rarefind.features.cells.readers:NumberReader",
    "rarefind.internal.PerceptronSums": "rarefind.detection.kernel.perceptron_sums:PerceptronSums",
    "rarefind.internal.Quality": "rarefind.detection.auto.quality:Quality",
    "rarefind.internal.RankScale": "rarefind.detection.auto.rank_scale:RankScale",
    "rarefind.internal.ScaleSquash": "rarefind.features.scaling:Squash",
    "rarefind.internal.ScaleStandard": "rarefind.features.scaling:Standard",
    "rarefind.internal.StringLayout": "rarefind.kernels.strings.pieces.words:Layout",
    "rarefind.internal.StringVocabulary": "rarefind.kernels.strings.pieces.words:Vocabulary",
}
"""Parts of fitted models that nobody makes by hand."""

_SCIKIT_LEARN = {
    "compose": ("ColumnTransformer",),
    "decomposition": ("KernelPCA", "PCA", "TruncatedSVD"),
    "discriminant_analysis": ("LinearDiscriminantAnalysis",),
    "ensemble": (
        "ExtraTreesClassifier",
        "HistGradientBoostingClassifier",
        "RandomForestClassifier",
    ),
    "feature_extraction.text": ("CountVectorizer", "TfidfTransformer", "TfidfVectorizer"),
    "impute": ("SimpleImputer",),
    "linear_model": ("LogisticRegression", "Perceptron", "RidgeClassifier", "SGDClassifier"),
    "naive_bayes": ("GaussianNB",),
    "neighbors": ("KNeighborsClassifier",),
    "pipeline": ("Pipeline",),
    "preprocessing": (
        "KernelCenterer",
        "LabelBinarizer",
        "MaxAbsScaler",
        "MinMaxScaler",
        "Normalizer",
        "OneHotEncoder",
        "OrdinalEncoder",
        "RobustScaler",
        "StandardScaler",
    ),
    "svm": ("LinearSVC", "SVC"),
    "tree": ("DecisionTreeClassifier", "ExtraTreeClassifier", "ExtraTreeRegressor"),
}
"""Estimators that hold nothing but numbers and words, by module: their files can do no harm."""

saved_classes = Registry(
    "saved class",
    "rarefind.saved_classes",
    {
        **_MODELS,
        **{f"rarefind.kernels.{name}": f"rarefind.kernels:{name}" for name in _KERNELS},
        "rarefind.kernels.Precomputed": "rarefind.kernels:GivenGram",
        **_RECORDS,
        **_INSIDE_MODELS,
        **{
            f"sklearn.{name}": f"sklearn.{module}:{name}"
            for module, names in _SCIKIT_LEARN.items()
            for name in names
        },
    },
)


def name_of(cls: type) -> str:
    """Give the name under which a class is written to a file."""
    for name, path in saved_classes.paths().items():
        # Only what may be the class is imported.
        if path.rpartition(":")[2] == cls.__name__ and saved_classes.get(name) is cls:
            return name
    raise NotAvailableError(
        f"A {cls.__name__} cannot be saved: its insides are not plain numbers and words, or "
        "rarefind does not know the class. Keep the training records and fit it again; a class of "
        "your own is made known in the entry-point group rarefind.saved_classes."
    )


def class_of(name: Any) -> type:
    """Find the class of a name in a file, or refuse."""
    if not isinstance(name, str):
        raise DataError(f"it names a model class by {type(name).__name__}, not by a word")
    try:
        found = saved_classes.get(name)
    except UnknownNameError:
        raise unknown_class(name) from None
    if not isinstance(found, type):
        raise DataError(f"{name!r} is registered in rarefind.saved_classes, but is not a class")
    return found


def unknown_class(name: str) -> DataError:
    """Make the error for a name in a file that stands for nothing."""
    return DataError(f"it holds an object of class {name[:100]!r}, which rarefind does not know")
