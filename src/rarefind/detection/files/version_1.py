"""Files of the first version name rarefind's classes by the modules that defined them then.

This table never changes: it leads from those places to the names that last. Classes of other
packages went by registered names already.
"""

from __future__ import annotations

from typing import Any

from rarefind.detection.files import class_names

_KERNELS = {
    "algebra.centering": ("Centered",),
    "algebra.on": ("On",),
    "algebra.products": ("Exp", "Power", "Product"),
    "algebra.scaling": ("Normalized", "RecordWeighted"),
    "algebra.sums": ("Constant", "Multiple", "Sum"),
    "generative.fixed_length_hmm": ("FixedLengthHMM",),
    "generative.hidden_tree": ("HiddenTree",),
    "generative.markov_fisher": ("MarkovFisher",),
    "generative.pair_hmm": ("PairHMM",),
    "gram_transformer": ("FeatureTransformer", "GramTransformer"),
    "graphs.diffusion": ("ExponentialDiffusion", "VonNeumannDiffusion"),
    "graphs.shortest_path": ("ShortestPath",),
    "graphs.walk": ("Walk",),
    "graphs.weisfeiler_lehman": ("WeisfeilerLehman",),
    "nystroem": ("Nystroem",),
    "path_sum": ("PathSum",),
    "precomputed": ("Precomputed",),
    "sets.derived": ("DerivedSubsets",),
    "sets.overlap": ("Agreement", "Intersection", "Subsets", "UnionComplement"),
    "strings.all_subsequences": ("AllSubsequences",),
    "strings.gap_number": ("GapNumberWeighted",),
    "strings.gap_weighted": ("CharacterWeighted", "GapWeighted"),
    "strings.gapped": ("GappedKmer",),
    "strings.mismatch": ("Mismatch",),
    "strings.restricted": ("RestrictedGapWeighted",),
    "strings.soft_matching": ("SoftMatching",),
    "strings.spectrum": ("BlendedSpectrum", "Spectrum"),
    "strings.subsequences": ("FixedSubsequences",),
    "text.latent_semantic": ("LatentSemantic",),
    "text.vector_space": ("VectorSpace",),
    "trees.all_subtree": ("AllSubtree",),
    "trees.co_rooted": ("CoRootedSubtree",),
    "vectors.distances": ("Gaussian", "Laplacian"),
    "vectors.fourier": ("RandomFourier",),
    "vectors.monomials": ("AllSubsets", "Anova"),
    "vectors.products": ("Cosine", "Linear", "Polynomial", "Sigmoid"),
    "vectors.splines": ("Spline",),
}
"""Kernels by the module they were in."""

_OTHERS = {
    "detection.auto:AutoDetector": "AutoDetector",
    "detection.auto_trials:Choice": "internal.AutoChoice",
    "detection.auto_trials:Score": "internal.AutoScore",
    "detection.blend:RankScale": "internal.RankScale",
    "detection.component_ranker:ComponentRanker": "ComponentRanker",
    "detection.kernel_components:KernelComponents": "KernelComponents",
    "detection.kernel_fisher:KernelFisherDiscriminant": "KernelFisherDiscriminant",
    "detection.kernel_logistic:KernelLogisticRegression": "KernelLogisticRegression",
    "detection.kernel_machine:KernelMachine": "KernelMachine",
    "detection.kernel_perceptron:KernelPerceptron": "KernelPerceptron",
    "detection.kernel_perceptron:_Sums": "internal.PerceptronSums",
    "detection.lago:Lago": "Lago",
    "detection.lago_tuning:Trial": "internal.LagoTrial",
    "detection.mkl.simple_mkl:SimpleMKL": "SimpleMKL",
    "detection.neighbour_votes:NeighbourVotes": "NeighbourVotes",
    "detection.ranker:RareRanker": "RareRanker",
    "detection.unit_spread:UnitSpread": "UnitSpread",
    "kernels.generative.markov_model:MarkovModel": "internal.MarkovModel",
    "kernels.graphs.graph:Graph": "records.Graph",
    "kernels.reference:Reference": "internal.KernelReference",
    "kernels.strings.words:Layout": "internal.StringLayout",
    "kernels.strings.words:Vocabulary": "internal.StringVocabulary",
    "kernels.trees.tree:Tree": "records.Tree",
}
"""Models and their parts by the module they were in."""

LASTING_NAMES = {
    **{place: f"rarefind.{name}" for place, name in _OTHERS.items()},
    **{
        f"kernels.{module}:{name}": f"rarefind.kernels.{name}"
        for module, names in _KERNELS.items()
        for name in names
    },
}
"""Places of the time, without "rarefind." before them, and the names that last."""


def class_of(name: Any) -> type:
    """Find the class of a name in a file of this version, or refuse."""
    if isinstance(name, str) and name.startswith("rarefind."):
        place = name.removeprefix("rarefind.")
        if place not in LASTING_NAMES:
            raise class_names.unknown_class(name)
        name = LASTING_NAMES[place]
    return class_names.class_of(name)
