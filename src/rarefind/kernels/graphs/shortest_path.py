"""The shortest-path kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.params import BOOLEAN, Constraint
from rarefind.core.progress import announce
from rarefind.kernels.graphs.batch import GraphBatch
from rarefind.kernels.graphs.hashing import Hashes, combine, label_keys
from rarefind.kernels.graphs.patterns import Counts, PatternKernel

PAIRS_AT_ONCE = 2**22
"""Pairs of nodes searched together: some hundred megabytes."""


class ShortestPath(PatternKernel):
    """Counts pairs of nodes that are equally far apart in two graphs.

    Each ordered pair of different nodes that are connected has a feature: the labels of both, and
    the number of edges on the shortest path between them (Borgwardt and Kriegel, 2005). Nodes
    without a path between them do not count.

    Parameters
    ----------
    labelled
        Whether the labels of the two nodes count; otherwise only the distance does.

    Attributes
    ----------
    patterns_
        After ``fit``: the (label, label, distance) triples that are the columns of ``features``.

    Examples
    --------
    >>> from rarefind.kernels.graphs import Graph
    >>> path, triangle = Graph(3, [(0, 1), (1, 2)]), Graph(3, [(0, 1), (1, 2), (0, 2)])
    >>> ShortestPath(labelled=False)([path, triangle])
    array([[20., 24.],
           [24., 36.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {"labelled": [BOOLEAN]}

    def __init__(self, *, labelled: bool = True) -> None:
        self.labelled = labelled

    def _count(self, batch: GraphBatch) -> Counts:
        batch = batch.without_labels(nodes=not self.labelled, edges=True)
        owners, node_keys = batch.owners, label_keys(batch.label_names)[batch.labels]
        rows: list[IntArray] = []
        keys: list[Hashes] = []
        times: list[FloatArray] = []
        for tails, heads, lengths in _distances(batch):
            found = combine(combine(node_keys[tails], node_keys[heads]), lengths.astype(np.uint64))
            # Counting each part by itself keeps memory small when graphs are large.
            part = Counts.tally(owners[tails], found, np.ones(len(found)), len(batch))
            counted = part.matrix.tocoo()
            rows.append(counted.coords[0].astype(np.int64))
            keys.append(part.patterns[counted.coords[1]])
            times.append(counted.data)
        if len(rows) == 1:
            return part
        empty = np.empty(0)
        return Counts.tally(
            np.concatenate([*rows, empty.astype(np.int64)]),
            np.concatenate([*keys, empty.astype(np.uint64)]),
            np.concatenate([*times, empty]),
            len(batch),
        )


def _distances(batch: GraphBatch) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Ordered pairs of different connected nodes and their distances, for some sources at a time.

    A breadth-first search runs from many sources in all graphs at once.
    """
    room = np.concatenate([[0], np.cumsum(batch.sizes[batch.owners])])
    n = len(batch.labels)
    first = 0
    while first < n:
        past = int(np.searchsorted(room, room[first] + PAIRS_AT_ONCE, side="right")) - 1
        past = max(past, first + 1)
        yield _search(batch, np.arange(first, past), room)
        announce("shortest paths", past, n)
        first = past


def _search(
    batch: GraphBatch, sources: IntArray, room: IntArray
) -> tuple[IntArray, IntArray, IntArray]:
    _, heads, _ = batch.arcs
    degrees = np.diff(batch.first_arcs)
    # Source s and node v of the same graph have the cell place[s] + v.
    place = np.zeros(len(batch.labels), dtype=np.int64)
    place[sources] = room[sources] - room[sources[0]] - batch.starts[batch.owners[sources]]
    cells = int(room[sources[-1] + 1] - room[sources[0]])
    seen = np.zeros(cells, dtype=bool)
    stamp = np.zeros(cells, dtype=np.int64)
    froms, tos = sources, sources
    seen[place[froms] + tos] = True
    tails, ends, lengths = [], [], []
    length = 0
    while len(froms):
        length += 1
        many = degrees[tos]
        offset = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
        nodes = heads[np.repeat(batch.first_arcs[tos], many) + offset]
        starts = np.repeat(froms, many)
        cell = place[starts] + nodes
        new = ~seen[cell]
        starts, nodes, cell = starts[new], nodes[new], cell[new]
        # Where two ways lead to the same cell, the last one to leave its stamp stays.
        order = np.arange(len(cell))
        stamp[cell] = order
        once = stamp[cell] == order
        froms, tos = starts[once], nodes[once]
        seen[cell] = True
        tails.append(froms)
        ends.append(tos)
        lengths.append(np.full(len(froms), length))
    return np.concatenate(tails), np.concatenate(ends), np.concatenate(lengths)
