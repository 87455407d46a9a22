"""Markov models of strings: how likely is a symbol after those before it?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError, ParameterError


@dataclass(frozen=True)
class MarkovModel:
    """Probability of each symbol after each context of ``order`` symbols.

    A transition, a context and the symbol after it, is known by a number: its symbols are the
    digits, in base ``len(numbers)``. Only transitions that were seen are listed.
    """

    order: int
    smoothing: float
    numbers: dict[Hashable, int]
    transitions: IntArray
    times: FloatArray
    contexts: IntArray
    context_times: FloatArray

    def probabilities(self, transitions: IntArray) -> FloatArray:
        """Smoothed probabilities of the last symbols of these transitions."""
        seen = _look_up(self.transitions, self.times, transitions)
        visits = _look_up(self.contexts, self.context_times, transitions // len(self.numbers))
        shares: FloatArray = (seen + self.smoothing) / (visits + self.smoothing * len(self.numbers))
        return shares


def learn_model(
    sequences: list[Sequence[Hashable]],
    order: int,
    smoothing: float,
    alphabet: Sequence[Hashable] | None,
) -> MarkovModel:
    """Count transitions between the symbols of the alphabet, or of the strings if not given."""
    symbols = (symbol for sequence in sequences for symbol in sequence)
    try:
        found = dict.fromkeys(symbols if alphabet is None else alphabet)
    except TypeError as problem:
        raise _no_symbols(problem) from None
    numbers = {symbol: i for i, symbol in enumerate(found)}
    if len(numbers) ** (order + 1) >= 2**62:
        raise ParameterError(
            f"The 'order' parameter of MarkovFisher must be lower for {len(numbers)} symbols: "
            f"there are {len(numbers)}**{order + 1} transitions. Got {order} instead."
        )
    _, windows = windows_of(sequences, numbers, order)
    transitions, times = np.unique(windows, return_counts=True)
    contexts, visits = np.unique(windows // max(1, len(numbers)), return_counts=True)
    return MarkovModel(
        order,
        float(smoothing),
        numbers,
        transitions,
        times.astype(np.float64),
        contexts,
        visits.astype(np.float64),
    )


def windows_of(
    sequences: list[Sequence[Hashable]], numbers: Mapping[Hashable, int], order: int
) -> tuple[IntArray, IntArray]:
    """Transitions in all strings: which string, and which transition."""
    try:
        symbols = [numbers.get(symbol, -1) for sequence in sequences for symbol in sequence]
    except TypeError as problem:
        raise _no_symbols(problem) from None
    flat = np.array(symbols, dtype=np.int64)
    owners = np.repeat(np.arange(len(sequences)), [len(sequence) for sequence in sequences])
    count = max(0, len(flat) - order)
    codes = np.zeros(count, dtype=np.int64)
    whole = owners[:count] == owners[order : order + count]
    for place in range(order + 1):
        part = flat[place : place + count]
        codes = codes * len(numbers) + part
        whole &= part >= 0
    return owners[:count][whole], codes[whole]


def _no_symbols(problem: TypeError) -> DataError:
    return DataError(
        f"MarkovFisher needs strings, or lists of symbols such as words or numbers ({problem})."
    )


def _look_up(keys: IntArray, values: FloatArray, wanted: IntArray) -> FloatArray:
    """Values of sorted keys, zero for keys that are not there."""
    place = np.searchsorted(keys, wanted)
    found = place < len(keys)
    found[found] = keys[place[found]] == wanted[found]
    result = np.zeros(len(wanted))
    result[found] = values[place[found]]
    return result
