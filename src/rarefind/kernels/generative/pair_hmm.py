"""The kernel of a pair hidden Markov model, for strings of any lengths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.params import NOTHING, Constraint, Number
from rarefind.kernels.generative.hidden_chain import CHAIN, HiddenChain
from rarefind.kernels.generative.hidden_tree import model_tables
from rarefind.kernels.generative.joint import TABLE
from rarefind.kernels.generative.probabilities import probability_table
from rarefind.kernels.generative.symbols import as_sequences, encode, symbol_numbers

Strings = tuple[IntArray, IntArray]
"""Strings end to end, and where each begins."""


class PairHMM(HiddenChain):
    """Probability that two strings come from the same hidden states, with insertions in each.

    A hidden chain of states emits a symbol into both strings at every step, independently given
    the state. Before the first step and after each one, every string for itself receives a run of
    inserted symbols: another one with probability ``insertion`` each time, drawn from
    ``background``. The chain ends with probability ``stop`` before each step.

    A pair model in general is not a kernel. This one is, since both strings depend on the hidden
    chain in the same way and on nothing else in common (Watkins, 2000).

    Parameters
    ----------
    initial
        Probabilities of the first state.
    transition
        One row per state: probabilities of the next state.
    emission
        One row per state: probabilities of the symbols.
    background
        Probabilities of inserted symbols; all the same if not given.
    insertion
        Probability of inserting one more symbol.
    stop
        Probability that the hidden chain ends here.
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
    >>> kernel = PairHMM(
    ...     initial=[0.5, 0.5],
    ...     transition=[[0.9, 0.1], [0.1, 0.9]],
    ...     emission=[[0.8, 0.2], [0.2, 0.8]],
    ...     alphabet="ab",
    ...     normalized=True,
    ... )
    >>> kernel(["aaab", "aab", "b"]).round(3)
    array([[1.   , 0.329, 0.002],
           [0.329, 1.   , 0.026],
           [0.002, 0.026, 1.   ]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        **CHAIN,
        "background": [TABLE, NOTHING],
        "insertion": [Number(0, 1, closed="left")],
        "stop": [Number(0, 1, closed="right")],
    }

    def __init__(
        self,
        initial: Any = None,
        transition: Any = None,
        emission: Any = None,
        *,
        states: int | None = None,
        background: Any = None,
        insertion: float = 0.1,
        stop: float = 0.1,
        alphabet: Sequence[Any] | None = None,
        normalized: bool = False,
        random_state: int = 0,
    ) -> None:
        self.initial = initial
        self.transition = transition
        self.emission = emission
        self.states = states
        self.background = background
        self.insertion = insertion
        self.stop = stop
        self.alphabet = alphabet
        self.normalized = normalized
        self.random_state = random_state

    def _read(self, A: Records) -> Strings:
        emission = model_tables(self)[2]
        numbers = symbol_numbers(self._symbols(), "PairHMM", emission.shape[1])
        symbols = encode(as_sequences(A, "PairHMM"), numbers, "PairHMM")
        starts = np.concatenate([[0], np.cumsum([len(sequence) for sequence in symbols])])
        return np.concatenate([*symbols, np.empty(0, dtype=np.int64)]), starts.astype(np.int64)

    def _slice(self, left: Strings, rows: slice) -> Strings:
        return left[0], left[1][rows.start : rows.stop + 1]

    def _number(self, left: Strings) -> int:
        return len(left[1]) - 1

    def _log_block(self, left: Strings, right: Strings) -> FloatArray:
        return self._logs(left, right, diagonal=False)

    def _log_diag(self, left: Strings) -> FloatArray:
        return self._logs(left, left, diagonal=True)[:, 0]

    def _logs(self, left: Strings, right: Strings, *, diagonal: bool) -> FloatArray:
        from rarefind.kernels.generative.pair_loops import log_joint_block

        initial, transition, emission = model_tables(self)
        states, symbols = emission.shape
        # Both runs of insertions end, and the chain goes on.
        leave = (1 - self.insertion) ** 2 * (1 - self.stop)
        with_start = np.zeros((states + 1, states + 1))
        with_start[:states, :states] = leave * transition
        with_start[states, :states] = leave * initial
        shown = np.zeros((states + 1, symbols))
        shown[:states] = emission
        background = np.full(symbols, 1 / symbols)
        if self.background is not None:
            background = probability_table(
                self.background, "background", "PairHMM", rows=0, columns=symbols
            )
        inserted = self.insertion * background
        logs = log_joint_block(*left, *right, with_start, shown, inserted, diagonal)
        return logs + math.log((1 - self.insertion) ** 2 * self.stop)
