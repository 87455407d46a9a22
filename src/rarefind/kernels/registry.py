"""Kernels by name."""

from __future__ import annotations

from typing import Any

from rarefind.core.errors import ParameterError
from rarefind.core.names import Registry, unknown_name
from rarefind.kernels.contract import Kernel

registry = Registry(
    "kernel",
    "rarefind.kernels",
    {
        # vectors
        "all-subsets": "rarefind.kernels.vectors:AllSubsets",
        "anova": "rarefind.kernels.vectors:Anova",
        "cosine": "rarefind.kernels.vectors:Cosine",
        "gaussian": "rarefind.kernels.vectors:Gaussian",
        "laplacian": "rarefind.kernels.vectors:Laplacian",
        "linear": "rarefind.kernels.vectors:Linear",
        "polynomial": "rarefind.kernels.vectors:Polynomial",
        "random-fourier": "rarefind.kernels.vectors:RandomFourier",
        "random-polynomial": "rarefind.kernels.vectors:RandomPolynomial",
        "sigmoid": "rarefind.kernels.vectors:Sigmoid",
        "spline": "rarefind.kernels.vectors:Spline",
        # sets
        "agreement": "rarefind.kernels.sets:Agreement",
        "derived-subsets": "rarefind.kernels.sets:DerivedSubsets",
        "intersection": "rarefind.kernels.sets:Intersection",
        "subsets": "rarefind.kernels.sets:Subsets",
        "union-complement": "rarefind.kernels.sets:UnionComplement",
        # text
        "latent-semantic": "rarefind.kernels.text:LatentSemantic",
        "vector-space": "rarefind.kernels.text:VectorSpace",
        # strings
        "all-subsequences": "rarefind.kernels.strings:AllSubsequences",
        "blended-spectrum": "rarefind.kernels.strings:BlendedSpectrum",
        "character-weighted": "rarefind.kernels.strings:CharacterWeighted",
        "fixed-subsequences": "rarefind.kernels.strings:FixedSubsequences",
        "gap-number": "rarefind.kernels.strings:GapNumberWeighted",
        "gap-weighted": "rarefind.kernels.strings:GapWeighted",
        "gapped-kmer": "rarefind.kernels.strings:GappedKmer",
        "mismatch": "rarefind.kernels.strings:Mismatch",
        "restricted-gap": "rarefind.kernels.strings:RestrictedGapWeighted",
        "soft-matching": "rarefind.kernels.strings:SoftMatching",
        "spectrum": "rarefind.kernels.strings:Spectrum",
        "weighted-degree": "rarefind.kernels.strings:WeightedDegree",
        # trees
        "all-subtree": "rarefind.kernels.trees:AllSubtree",
        "co-rooted-subtree": "rarefind.kernels.trees:CoRootedSubtree",
        # graphs
        "circular": "rarefind.kernels.graphs:Circular",
        "exponential-diffusion": "rarefind.kernels.graphs:ExponentialDiffusion",
        "shortest-path": "rarefind.kernels.graphs:ShortestPath",
        "von-neumann-diffusion": "rarefind.kernels.graphs:VonNeumannDiffusion",
        "walk": "rarefind.kernels.graphs:Walk",
        "weisfeiler-lehman": "rarefind.kernels.graphs:WeisfeilerLehman",
        # generative models
        "fixed-length-hmm": "rarefind.kernels.generative:FixedLengthHMM",
        "hidden-tree": "rarefind.kernels.generative:HiddenTree",
        "markov-fisher": "rarefind.kernels.generative:MarkovFisher",
        "pair-hmm": "rarefind.kernels.generative:PairHMM",
        # made of other kernels, or of a matrix
        "centered": "rarefind.kernels.algebra:Centered",
        "constant": "rarefind.kernels.algebra:Constant",
        "exp": "rarefind.kernels.algebra:Exp",
        "multiple": "rarefind.kernels.algebra:Multiple",
        "normalized": "rarefind.kernels.algebra:Normalized",
        "nystroem": "rarefind.kernels.general.nystroem:Nystroem",
        "on": "rarefind.kernels.algebra:On",
        "path-sum": "rarefind.kernels.general.path_sum:PathSum",
        "power": "rarefind.kernels.algebra:Power",
        "precomputed": "rarefind.kernels.general.given_gram:GivenGram",
        "product": "rarefind.kernels.algebra:Product",
        "record-weighted": "rarefind.kernels.algebra:RecordWeighted",
        "sum": "rarefind.kernels.algebra:Sum",
    },
)


def make_kernel(kernel: str | Kernel, /, **params: Any) -> Kernel:
    """Return the kernel itself, or the one of that name with the given parameters.

    A formula, as the command line takes it, is read.

    >>> make_kernel("gaussian", width=2.0)
    Gaussian(width=2.0)
    >>> make_kernel("2*spectrum(3)")
    Multiple(factor=2.0, kernel=Spectrum())
    """
    if isinstance(kernel, Kernel):
        return kernel
    if not isinstance(kernel, str):
        raise ParameterError(
            "The 'kernel' parameter must be a name or a rarefind.kernels.Kernel. "
            f"Got {kernel!r} instead."
        )
    if not params and any(sign in kernel for sign in "(+*/"):
        from rarefind.kernels.formulas.reading import parse_kernel

        return parse_kernel(kernel)
    kind: type[Kernel] = registry.get(kernel)
    known = kind._get_param_names()
    for name in params:
        if name not in known:
            raise unknown_name(f"parameter of {kind.__name__} called", name, known)
    try:
        return kind(**params)
    except TypeError as problem:
        # A parameter without a default is missing.
        raise ParameterError(f"The kernel {kernel!r} cannot be made: {problem}.") from None
