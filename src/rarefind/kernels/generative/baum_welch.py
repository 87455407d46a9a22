"""Hidden Markov models learnt from strings: Baum and Welch's expectation maximisation."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import Integer, Number, check_param
from rarefind.kernels.generative.symbols import as_sequences, encode, symbol_numbers

_CELLS = 2**20
"""Probabilities at a time: strings are gone through in blocks of some megabytes."""


@dataclass(frozen=True)
class HiddenMarkovModel:
    """The tables of a hidden Markov model.

    Attributes
    ----------
    initial, transition, emission
        Probabilities of the first state, of the next state and of the symbols, by state.
    alphabet
        The symbols, in the order of the columns of ``emission``.
    log_likelihoods
        Of all strings, before each round of learning and after the last.
    """

    initial: FloatArray
    transition: FloatArray
    emission: FloatArray
    alphabet: list[Hashable]
    log_likelihoods: tuple[float, ...] = ()

    def parameters(self) -> dict[str, Any]:
        """Return the tables as kernels take them, and as a JSON file can keep them.

        >>> import json
        >>> model = learn_hmm(["abab", "baba"], states=2)
        >>> sorted(json.loads(json.dumps(model.parameters())))
        ['alphabet', 'emission', 'initial', 'transition']
        """
        return {
            "initial": self.initial.tolist(),
            "transition": self.transition.tolist(),
            "emission": self.emission.tolist(),
            "alphabet": list(self.alphabet),
        }


def learn_hmm(
    sequences: Records,
    states: int,
    *,
    alphabet: Sequence[Hashable] | None = None,
    smoothing: float = 1e-3,
    max_rounds: int = 100,
    tolerance: float = 1e-4,
    random_state: int = 0,
) -> HiddenMarkovModel:
    """Learn a hidden Markov model from strings, which may have different lengths.

    Parameters
    ----------
    sequences
        Strings, or lists of symbols.
    states
        How many hidden states.
    alphabet
        The symbols; those that occur if not given.
    smoothing
        Added to every expected count, so that no probability is zero.
    max_rounds, tolerance
        Learning ends after so many rounds, or when the log-likelihood of a symbol grows by less.
    random_state
        Seed of the tables it begins with: different seeds may end in different maxima.

    Examples
    --------
    >>> model = learn_hmm(["ababab", "bababa"] * 5, states=2, tolerance=1e-9)
    >>> model.emission.round(1).max(axis=1)  # each state shows one of the letters
    array([1., 1.])
    """
    check_param("learn_hmm", "states", states, Integer(1, 1000))
    check_param("learn_hmm", "smoothing", smoothing, Number(0, closed="left"))
    check_param("learn_hmm", "max_rounds", max_rounds, Integer(1))
    check_param("learn_hmm", "tolerance", tolerance, Number(0, closed="left"))
    known = as_sequences(sequences, "learn_hmm")
    if alphabet is None:
        symbols = dict.fromkeys(symbol for sequence in known for symbol in sequence)
        alphabet = sorted(symbols, key=lambda symbol: (str(type(symbol)), str(symbol)))
    numbers = symbol_numbers(list(alphabet), "learn_hmm", len(alphabet))
    coded = [one for one in encode(known, numbers, "learn_hmm") if one.size]
    if not coded:
        raise DataError("A hidden Markov model needs strings to learn from. All of them are empty.")
    tables = _first_tables(states, len(numbers), random_state)
    letters = sum(one.size for one in coded)
    said: list[float] = []
    for _ in range(max_rounds):
        counts, likelihood = expected_counts(coded, *tables)
        said.append(likelihood)
        if len(said) > 1 and said[-1] - said[-2] < tolerance * letters:
            break
        tables = _as_shares(counts, smoothing)
    else:
        said.append(expected_counts(coded, *tables)[1])
    return HiddenMarkovModel(*tables, list(alphabet), tuple(said))


Tables = tuple[FloatArray, FloatArray, FloatArray]
"""Of first states, of next states, of symbols."""


def _first_tables(states: int, symbols: int, seed: int) -> Tables:
    """Draw tables near to even ones; exactly even ones would never change."""
    rng = np.random.default_rng(seed)
    shapes = ((states,), (states, states), (states, symbols))
    first, steps, shown = (1 + rng.uniform(size=shape) for shape in shapes)
    return _as_shares((first, steps, shown), 0.0)


def _as_shares(counts: Tables, smoothing: float) -> Tables:
    first, steps, shown = (_shares(one + smoothing) for one in counts)
    return first, steps, shown


def _shares(counts: FloatArray) -> FloatArray:
    total = counts.sum(axis=-1, keepdims=True)
    even = np.full_like(counts, 1 / counts.shape[-1])
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), even)


def expected_counts(
    coded: Sequence[IntArray], initial: FloatArray, transition: FloatArray, emission: FloatArray
) -> tuple[Tables, float]:
    """Count first states, steps and shown symbols as expected; and the log-likelihood."""
    first = np.zeros_like(initial)
    steps, shown = np.zeros_like(transition), np.zeros_like(emission)
    total = 0.0
    for block in _equal_lengths(coded, len(initial)):
        likely = emission.T[block]  # string, place, state
        forward, scale = _forward(likely, initial, transition)
        backward = np.ones_like(forward[:, 0])
        total += float(np.log(scale).sum())
        for place in range(block.shape[1] - 1, -1, -1):
            here = forward[:, place] * backward
            np.add.at(shown.T, block[:, place], here)
            if place == 0:
                first += here.sum(axis=0)
                break
            ahead = likely[:, place] * backward / scale[:, place, None]
            steps += transition * (forward[:, place - 1].T @ ahead)
            backward = ahead @ transition.T
    return (first, steps, shown), total


def _forward(
    likely: FloatArray, initial: FloatArray, transition: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Probabilities of the states given the symbols so far, and what each was divided by."""
    forward, scale = np.empty_like(likely), np.empty(likely.shape[:2])
    for place in range(likely.shape[1]):
        before = initial if place == 0 else forward[:, place - 1] @ transition
        here = before * likely[:, place]
        scale[:, place] = np.maximum(here.sum(axis=1), np.finfo(float).tiny)
        forward[:, place] = here / scale[:, place, None]
    return forward, scale


def _equal_lengths(coded: Sequence[IntArray], states: int) -> Iterator[IntArray]:
    """Yield strings of one length as the rows of a table, some at a time."""
    by_length: dict[int, list[IntArray]] = {}
    for one in coded:
        by_length.setdefault(one.size, []).append(one)
    for length, strings in by_length.items():
        size = max(1, _CELLS // (length * states))
        for start in range(0, len(strings), size):
            yield np.stack(strings[start : start + size])
