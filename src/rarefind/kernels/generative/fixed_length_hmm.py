"""The kernel of a hidden Markov model on strings of one length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import Constraint
from rarefind.kernels.generative.hidden_chain import CHAIN, HiddenChain
from rarefind.kernels.generative.hidden_tree import (
    block_height,
    model_tables,
    rescale,
    steps_between_rescaling,
)
from rarefind.kernels.generative.joint import log_safe
from rarefind.kernels.generative.symbols import as_sequences, encode, symbol_numbers


class FixedLengthHMM(HiddenChain):
    """Probability that two strings of one length come from the same hidden states.

    ``k(s, t)`` is the sum over all sequences of states h of ``P(h) P(s | h) P(t | h)``, found by
    the forward recursion.

    Parameters
    ----------
    initial
        Probabilities of the first state.
    transition
        One row per state: probabilities of the next state.
    emission
        One row per state: probabilities of the symbols.
    states
        How many hidden states to learn the three tables with, from the strings, where they are not
        given (:func:`rarefind.kernels.learn_hmm`).
    alphabet
        The symbols, in the order of the columns of ``emission``; 0, 1, 2, ... if not given, and
        those that occur where tables are learnt.
    normalized
        Divide by the roots of the similarities of both strings with themselves. It is done on
        logarithms, so it works for strings whose probabilities are too small for numbers.
    random_state
        Seed of the tables that learning begins with.

    Attributes
    ----------
    initial_, transition_, emission_, alphabet_
        What has been learnt, if ``states`` is given.

    Examples
    --------
    >>> kernel = FixedLengthHMM(
    ...     initial=[0.5, 0.5],
    ...     transition=[[0.9, 0.1], [0.1, 0.9]],
    ...     emission=[[0.8, 0.2], [0.2, 0.8]],
    ...     alphabet="ab",
    ... )
    >>> kernel(["aab", "abb"], ["aaa", "bbb"]).round(4)
    array([[0.03  , 0.0087],
           [0.0087, 0.03  ]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = CHAIN

    def __init__(
        self,
        initial: Any = None,
        transition: Any = None,
        emission: Any = None,
        *,
        states: int | None = None,
        alphabet: Sequence[Any] | None = None,
        normalized: bool = False,
        random_state: int = 0,
    ) -> None:
        self.initial = initial
        self.transition = transition
        self.emission = emission
        self.states = states
        self.alphabet = alphabet
        self.normalized = normalized
        self.random_state = random_state

    def _read(self, A: Records) -> FloatArray:
        """Probability of the symbol in each string at each place, for each state."""
        emission = model_tables(self)[2]
        numbers = symbol_numbers(self._symbols(), "FixedLengthHMM", emission.shape[1])
        symbols = encode(as_sequences(A, "FixedLengthHMM"), numbers, "FixedLengthHMM")
        lengths = [len(sequence) for sequence in symbols]
        for position, length in enumerate(lengths):
            if length != lengths[0]:
                raise _unequal(f"record 0 has {lengths[0]} symbols, record {position} {length}")
        table = np.array(symbols, dtype=np.int64).reshape(
            len(symbols), lengths[0] if lengths else 0
        )
        return emission.T[table]

    def _agree(self, left: FloatArray, right: FloatArray) -> None:
        if left.shape[1] != right.shape[1]:
            raise _unequal(
                f"strings in the first list have {left.shape[1]} symbols, in the second "
                f"{right.shape[1]}"
            )

    def _slice(self, left: FloatArray, rows: slice) -> FloatArray:
        return left[rows]

    def _number(self, left: FloatArray) -> int:
        return len(left)

    def _height(self, right: FloatArray) -> int:
        return block_height(right)

    def _log_block(self, left: FloatArray, right: FloatArray) -> FloatArray:
        shape = (len(left), len(right))
        return self._forward(
            lambda place: left[:, None, place] * right[None, :, place], left.shape[1], shape
        )

    def _log_diag(self, left: FloatArray) -> FloatArray:
        return self._forward(lambda place: left[:, place] ** 2, left.shape[1], (len(left),))

    def _forward(self, shown: Any, length: int, shape: tuple[int, ...]) -> FloatArray:
        """Sum over all states, from the first symbol to the last.

        ``shown(place)`` is the probability of both symbols at a place, for each state.
        """
        initial, transition, emission = model_tables(self)
        period = steps_between_rescaling(transition, emission)
        chances = np.broadcast_to(initial, (*shape, len(initial)))
        log_scale = np.zeros(shape)
        for place in range(length):
            if place:
                chances = chances @ transition
            chances = chances * shown(place)
            if place % period == 0:
                chances, log_scale = rescale(chances, log_scale)
        return log_safe(chances.sum(axis=-1)) + log_scale


def _unequal(what: str) -> DataError:
    return DataError(
        f"FixedLengthHMM compares strings of one length; {what}. "
        "Use PairHMM for strings of different lengths."
    )
