"""Kernels on strings: shared pieces and shared subsequences, over any alphabet."""

from __future__ import annotations

from rarefind.kernels.strings.all_subsequences import AllSubsequences
from rarefind.kernels.strings.gap_number import GapNumberWeighted
from rarefind.kernels.strings.gap_weighted import CharacterWeighted, GapWeighted
from rarefind.kernels.strings.gapped import GappedKmer
from rarefind.kernels.strings.mismatch import Mismatch
from rarefind.kernels.strings.restricted import RestrictedGapWeighted
from rarefind.kernels.strings.soft_matching import SoftMatching
from rarefind.kernels.strings.spectrum import BlendedSpectrum, Spectrum
from rarefind.kernels.strings.subsequences import FixedSubsequences

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
]
