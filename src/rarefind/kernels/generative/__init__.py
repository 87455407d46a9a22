"""Kernels from generative models: records are similar if the model makes them alike."""

from __future__ import annotations

from rarefind.kernels.generative.baum_welch import HiddenMarkovModel, learn_hmm
from rarefind.kernels.generative.fixed_length_hmm import FixedLengthHMM
from rarefind.kernels.generative.hidden_tree import HiddenTree
from rarefind.kernels.generative.markov_fisher import MarkovFisher
from rarefind.kernels.generative.pair_hmm import PairHMM

__all__ = [
    "FixedLengthHMM",
    "HiddenMarkovModel",
    "HiddenTree",
    "MarkovFisher",
    "PairHMM",
    "learn_hmm",
]
