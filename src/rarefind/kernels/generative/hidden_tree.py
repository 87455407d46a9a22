"""The hidden tree model kernel."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.params import BOOLEAN, NOTHING, Constraint
from rarefind.kernels.generative.joint import ALPHABET, TABLE, JointProbability, log_safe
from rarefind.kernels.generative.probabilities import probability_table
from rarefind.kernels.generative.symbols import as_sequences, encode, symbol_numbers


class HiddenTree(JointProbability):
    """Probability that two records come from the same hidden states on a tree.

    The nodes of one fixed tree have hidden states: the root's is drawn from ``initial``, every
    other one from the row of ``transition`` that belongs to its parent's state. Each node shows a
    symbol drawn from the row of ``emission`` that belongs to its state. A record is the symbols at
    all nodes; two records are similar if the same states are likely to show both.

    Parameters
    ----------
    parents
        For each node the number of its parent, -1 for the root. Symbols in a record stand in the
        same order.
    initial
        Probabilities of the root's state.
    transition
        One row per state: probabilities of a child's state.
    emission
        One row per state: probabilities of the symbols.
    alphabet
        The symbols, in the order of the columns of ``emission``; 0, 1, 2, ... if not given.
    normalized
        Divide by the roots of the similarities of both records with themselves. It is done on
        logarithms, so it works for records whose probabilities are too small for numbers.

    Examples
    --------
    >>> kernel = HiddenTree(
    ...     parents=[-1, 0, 0],
    ...     initial=[0.5, 0.5],
    ...     transition=[[0.9, 0.1], [0.1, 0.9]],
    ...     emission=[[0.8, 0.2], [0.2, 0.8]],
    ...     alphabet="ab",
    ... )
    >>> kernel(["aaa", "bbb"]).round(4)
    array([[0.1078, 0.0041],
           [0.0041, 0.1078]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "parents": [TABLE],
        "initial": [TABLE],
        "transition": [TABLE],
        "emission": [TABLE],
        "alphabet": [ALPHABET, NOTHING],
        "normalized": [BOOLEAN],
    }

    def __init__(
        self,
        parents: Sequence[int],
        initial: Any,
        transition: Any,
        emission: Any,
        *,
        alphabet: Sequence[Any] | None = None,
        normalized: bool = False,
    ) -> None:
        self.parents = parents
        self.initial = initial
        self.transition = transition
        self.emission = emission
        self.alphabet = alphabet
        self.normalized = normalized

    def _read(self, A: Records) -> FloatArray:
        """Probability of the symbol in each record at each node, for each state."""
        emission = model_tables(self)[2]
        numbers = symbol_numbers(self.alphabet, "HiddenTree", emission.shape[1])
        symbols = encode(as_sequences(A, "HiddenTree"), numbers, "HiddenTree")
        n_nodes = len(_upward_order(self.parents))
        for position, sequence in enumerate(symbols):
            if len(sequence) != n_nodes:
                raise DataError(
                    f"HiddenTree needs one symbol for each of its {n_nodes} nodes. "
                    f"Record {position} has {len(sequence)}."
                )
        table = np.array(symbols, dtype=np.int64).reshape(len(symbols), n_nodes)
        return emission.T[table]

    def _slice(self, left: FloatArray, rows: slice) -> FloatArray:
        return left[rows]

    def _number(self, left: FloatArray) -> int:
        return len(left)

    def _height(self, right: FloatArray) -> int:
        return block_height(right)

    def _log_block(self, left: FloatArray, right: FloatArray) -> FloatArray:
        return self._upward(lambda node: left[:, None, node] * right[None, :, node])

    def _log_diag(self, left: FloatArray) -> FloatArray:
        return self._upward(lambda node: left[:, node] ** 2)

    def _upward(self, shown: Any) -> FloatArray:
        """Sum over all states, from the leaves to the root.

        ``shown(node)`` is the probability of both symbols at a node, for each state. Each child
        hands to its parent a vector of probabilities with largest entry one, and a logarithm.
        """
        initial, transition, _ = model_tables(self)
        handed: dict[int, tuple[FloatArray, FloatArray]] = {}
        for node in _upward_order(self.parents):
            chances, log_scale = rescale(shown(node), np.zeros(()))
            if node in handed:
                below, scale = handed.pop(node)
                chances, log_scale = rescale(chances * below, log_scale + scale)
            parent = int(self.parents[node])
            if parent < 0:
                return log_safe(chances @ initial) + log_scale
            chances = chances @ transition.T
            if parent in handed:
                others, scale = handed[parent]
                chances, log_scale = rescale(chances * others, log_scale + scale)
            handed[parent] = chances, log_scale
        raise AssertionError("the root comes last")


def model_tables(model: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Check the probabilities of the first state, of the next states and of symbols."""
    owner = type(model).__name__
    initial = probability_table(_table(model, "initial"), "initial", owner, rows=0)
    n = len(initial)
    steps = _table(model, "transition")
    transition = probability_table(steps, "transition", owner, rows=n, columns=n)
    emission = probability_table(_table(model, "emission"), "emission", owner, rows=n)
    return initial, transition, emission


def _table(model: Any, name: str) -> Any:
    """Return the table that was learnt, or else the one that was given."""
    return getattr(model, f"{name}_", getattr(model, name))


def rescale(chances: FloatArray, log_scale: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Divide by the largest entry over states, and remember its logarithm."""
    largest = chances.max(axis=-1)
    safe = np.where(largest > 0, largest, 1.0)
    return chances / safe[..., None], log_scale + np.where(largest > 0, np.log(safe), -np.inf)


def steps_between_rescaling(transition: FloatArray, emission: FloatArray) -> int:
    """Count the steps along a chain that no probability greater than zero can vanish in."""
    least = transition[transition > 0].min() * emission[emission > 0].min() ** 2
    return max(1, int(600 / max(1.0, -math.log(least))))


def block_height(right: FloatArray) -> int:
    """Rows at a time such that a table over states stays within some megabytes."""
    n_records, _, n_states = right.shape
    return max(1, 2**19 // max(1, n_records * n_states))


def _upward_order(parents: Any) -> IntArray:
    """Nodes with children before their parents; parents are checked."""
    array = np.asarray(parents)
    n = array.size
    good = array.ndim == 1 and n > 0 and array.dtype.kind in "iu"
    if not good or (array < -1).any() or (array >= n).any() or (array == -1).sum() != 1:
        raise ParameterError(
            "The 'parents' parameter of HiddenTree must give each node the number of its parent "
            f"and exactly one node -1, the root. Got {parents!r} instead."
        )
    children: list[list[int]] = [[] for _ in range(n)]
    for node, parent in enumerate(array.tolist()):
        if parent >= 0:
            children[parent].append(node)
    order = [int(np.flatnonzero(array == -1)[0])]
    for node in order:
        order.extend(children[node])
    if len(order) != n:
        raise ParameterError(
            "The 'parents' parameter of HiddenTree must lead every node to the root. "
            f"{n - len(order)} node(s) go round in a circle instead."
        )
    return np.array(order[::-1], dtype=np.int64)
