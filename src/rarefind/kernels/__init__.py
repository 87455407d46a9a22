"""How similar are two records? Kernels for every kind of data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes
from rarefind.kernels.contract import Kernel
from rarefind.kernels.registry import make_kernel, registry

if TYPE_CHECKING:
    from rarefind.kernels.algebra import (
        Centered,
        Constant,
        Exp,
        Multiple,
        Normalized,
        On,
        Power,
        Product,
        RecordWeighted,
        Sum,
    )
    from rarefind.kernels.formulas.reading import format_kernel, parse_kernel
    from rarefind.kernels.general.given_gram import GivenGram
    from rarefind.kernels.general.nystroem import Nystroem
    from rarefind.kernels.general.path_sum import PathSum
    from rarefind.kernels.generative import (
        FixedLengthHMM,
        HiddenMarkovModel,
        HiddenTree,
        MarkovFisher,
        PairHMM,
        learn_hmm,
    )
    from rarefind.kernels.gram_transformer import FeatureTransformer, GramTransformer
    from rarefind.kernels.graphs import (
        Circular,
        ExponentialDiffusion,
        ShortestPath,
        VonNeumannDiffusion,
        Walk,
        WeisfeilerLehman,
    )
    from rarefind.kernels.mercer import MercerReport, check_mercer
    from rarefind.kernels.sets import (
        Agreement,
        DerivedSubsets,
        Intersection,
        Subsets,
        UnionComplement,
    )
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
        WeightedDegree,
    )
    from rarefind.kernels.text import LatentSemantic, VectorSpace
    from rarefind.kernels.trees import AllSubtree, CoRootedSubtree
    from rarefind.kernels.vectors import (
        AllSubsets,
        Anova,
        Cosine,
        Gaussian,
        Laplacian,
        Linear,
        Polynomial,
        RandomFourier,
        RandomPolynomial,
        Sigmoid,
        Spline,
    )

# Members are imported when first used, so that asking for one kernel does not load all of them.
_WHERE = {
    "rarefind.kernels.algebra": [
        "Centered",
        "Constant",
        "Exp",
        "Multiple",
        "Normalized",
        "On",
        "Power",
        "Product",
        "RecordWeighted",
        "Sum",
    ],
    "rarefind.kernels.generative": [
        "FixedLengthHMM",
        "HiddenMarkovModel",
        "HiddenTree",
        "MarkovFisher",
        "PairHMM",
        "learn_hmm",
    ],
    "rarefind.kernels.gram_transformer": ["FeatureTransformer", "GramTransformer"],
    "rarefind.kernels.graphs": [
        "Circular",
        "ExponentialDiffusion",
        "ShortestPath",
        "VonNeumannDiffusion",
        "Walk",
        "WeisfeilerLehman",
    ],
    "rarefind.kernels.mercer": ["MercerReport", "check_mercer"],
    "rarefind.kernels.general.nystroem": ["Nystroem"],
    "rarefind.kernels.general.path_sum": ["PathSum"],
    "rarefind.kernels.general.given_gram": ["GivenGram"],
    "rarefind.kernels.sets": [
        "Agreement",
        "DerivedSubsets",
        "Intersection",
        "Subsets",
        "UnionComplement",
    ],
    "rarefind.kernels.formulas.reading": ["format_kernel", "parse_kernel"],
    "rarefind.kernels.strings": [
        "AllSubsequences",
        "BlendedSpectrum",
        "CharacterWeighted",
        "FixedSubsequences",
        "GapNumberWeighted",
        "GapWeighted",
        "GappedKmer",
        "Mismatch",
        "RestrictedGapWeighted",
        "SoftMatching",
        "Spectrum",
        "WeightedDegree",
    ],
    "rarefind.kernels.text": ["LatentSemantic", "VectorSpace"],
    "rarefind.kernels.trees": ["AllSubtree", "CoRootedSubtree"],
    "rarefind.kernels.vectors": [
        "AllSubsets",
        "Anova",
        "Cosine",
        "Gaussian",
        "Laplacian",
        "Linear",
        "Polynomial",
        "RandomFourier",
        "RandomPolynomial",
        "Sigmoid",
        "Spline",
    ],
}
__getattr__, __dir__ = lazy_attributes(
    __name__, {name: module for module, names in _WHERE.items() for name in names}
)

__all__ = [
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
    "GivenGram",
    "GramTransformer",
    "HiddenMarkovModel",
    "HiddenTree",
    "Intersection",
    "Kernel",
    "Laplacian",
    "LatentSemantic",
    "Linear",
    "MarkovFisher",
    "MercerReport",
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
    "check_mercer",
    "format_kernel",
    "learn_hmm",
    "make_kernel",
    "parse_kernel",
    "registry",
]
