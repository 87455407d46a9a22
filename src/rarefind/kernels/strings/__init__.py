"""Kernels on strings: shared pieces and shared subsequences, over any alphabet."""

from __future__ import annotations

from rarefind.kernels.strings.pieces.gapped_kmer import GappedKmer
from rarefind.kernels.strings.pieces.mismatch import Mismatch
from rarefind.kernels.strings.pieces.spectrum import BlendedSpectrum, Spectrum
from rarefind.kernels.strings.pieces.weighted_degree import WeightedDegree
from rarefind.kernels.strings.subsequences.gap_number import GapNumberWeighted
from rarefind.kernels.strings.subsequences.gap_weighted import CharacterWeighted, GapWeighted
from rarefind.kernels.strings.subsequences.of_all_lengths import AllSubsequences
from rarefind.kernels.strings.subsequences.of_one_length import FixedSubsequences
from rarefind.kernels.strings.subsequences.restricted import RestrictedGapWeighted
from rarefind.kernels.strings.subsequences.soft_matching import SoftMatching

__all__ = [
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
]
