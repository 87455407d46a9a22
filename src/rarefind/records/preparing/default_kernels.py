"""Which kernel compares a column of texts, sequences, molecules or graphs if nobody says."""

from __future__ import annotations

from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.kernels.contract import Kernel
from rarefind.records.columns.string_kinds import letters_of_life, words_per_cell

_LONG_TEXT = 30
"""Texts of more words than this, in the mean, are compared by topics."""

_TOPICS = 50
"""Topics of long texts: fewer than the hundred or more usual for large collections, to stay fast. A
choice."""

_SUBTREE_DECAY = 0.4
"""Weight of a level of a subtree: large ones would count alone otherwise (Collins and Duffy)."""

_SAMPLE = 1000
"""Cells looked at to tell which kernel suits a column."""


def kernel_for(kind: str, values: list[Any]) -> Kernel:
    """Choose a kernel for a column; every record has length one in its feature space.

    Texts are compared by their words, long ones by topics; DNA by pieces of three letters, proteins
    of two, other sequences by pieces of one to three; molecules by pieces of one to four letters of
    their notation; graphs by the surroundings of their nodes; sets by their common elements, trees
    by their common subtrees.
    """
    from rarefind.kernels import (
        AllSubtree,
        BlendedSpectrum,
        Intersection,
        LatentSemantic,
        Normalized,
        Spectrum,
        VectorSpace,
        WeisfeilerLehman,
    )

    if kind == "set":
        return Normalized(Intersection())
    if kind == "tree":
        return Normalized(AllSubtree(decay=_SUBTREE_DECAY))
    if kind == "graph":
        marked = all("edge_labels" in graph for graph in values if graph["edges"])
        return Normalized(WeisfeilerLehman(3, edge_labelled=marked))
    sample = [value for value in values[:: max(1, len(values) // _SAMPLE)] if value]
    if kind == "molecule":
        return Normalized(BlendedSpectrum(4))
    if kind == "sequence":
        letters = letters_of_life(sample)
        if letters is None:
            return Normalized(BlendedSpectrum(3))
        return Normalized(Spectrum(3 if letters == "DNA or RNA" else 2))
    if words_per_cell(sample) > _LONG_TEXT and len(values) > 2 * _TOPICS:
        return Normalized(LatentSemantic(_TOPICS))
    return VectorSpace()


def middle_distance(vectors: FloatArray) -> float:
    """Half of the distances among records are smaller than this; a sample of them is looked at."""
    drawn = np.random.default_rng(0).permutation(len(vectors))[:500]
    sample = vectors[drawn]
    squares = np.einsum("ij,ij->i", sample, sample)
    distances = np.sqrt(np.maximum(squares[:, None] + squares - 2 * sample @ sample.T, 0.0))
    positive = distances[distances > 1e-9]
    return float(np.median(positive)) if positive.size else 1.0
