"""Product graphs of many pairs of graphs at once, on pairs of nodes with equal labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.kernels.graphs.batch import GraphBatch


@dataclass(frozen=True)
class Groups:
    """Things sorted by graph and then by kind, so that each (graph, kind) is a stretch.

    ``keys`` are ``graph * n_kinds + kind``; the stretch of key ``i`` begins at ``starts[i]`` in
    ``order`` and is ``sizes[i]`` long. ``ranks`` are places within the stretch.
    """

    n_kinds: int
    keys: IntArray
    starts: IntArray
    sizes: IntArray
    order: IntArray
    ranks: IntArray

    @classmethod
    def sort(cls, graphs: IntArray, kinds: IntArray, n_kinds: int) -> Groups:
        """Sort things by graph and kind."""
        key = graphs * n_kinds + kinds
        order = np.argsort(key, kind="stable")
        keys, starts, sizes = np.unique(key[order], return_index=True, return_counts=True)
        ranks = np.empty(len(key), dtype=np.int64)
        ranks[order] = np.arange(len(key)) - np.repeat(starts, sizes)
        return cls(n_kinds, keys, starts, sizes, order, ranks)

    def table(self, n_graphs: int) -> sparse.csr_array:
        """How many things of each kind each graph has."""
        where = np.divmod(self.keys, self.n_kinds)
        return sparse.csr_array(
            (self.sizes.astype(np.float64), where), shape=(n_graphs, self.n_kinds)
        )

    def meet(
        self, other: Groups, mine: IntArray, theirs: IntArray
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Stretches of equal kind in each pair of graphs: the pair, this stretch, the other's."""
        first = np.searchsorted(self.keys, mine * self.n_kinds)
        many = np.searchsorted(self.keys, (mine + 1) * self.n_kinds) - first
        pair = np.repeat(np.arange(len(mine)), many)
        here = _ranges(first, many)
        wanted = theirs[pair] * self.n_kinds + self.keys[here] % self.n_kinds
        there = np.searchsorted(other.keys, wanted)
        found = there < len(other.keys)
        found[found] = other.keys[there[found]] == wanted[found]
        return pair[found], here[found], there[found]


class Products:
    """The product graphs of graphs in two batches whose labels are numbered alike.

    Nodes of a product are pairs of nodes with the same label, and two of them are joined where
    both pairs of nodes are joined by edges with the same label.
    """

    def __init__(self, left: GraphBatch, right: GraphBatch) -> None:
        kinds = len(left.label_names)
        self.left, self.right = left, right
        self.nodes = [Groups.sort(side.owners, side.labels, kinds) for side in (left, right)]
        arcs = []
        for side in (left, right):
            tails, heads, marks = side.arcs
            arcs.append((side.labels[tails] * kinds + side.labels[heads], marks))
        # Kinds of arcs are few; numbering those that occur keeps the keys small.
        both = np.concatenate([kind * len(left.edge_label_names) + mark for kind, mark in arcs])
        names, codes = np.unique(both, return_inverse=True)
        split = len(left.arcs[0])
        self.arcs = [
            Groups.sort(side.owners[side.arcs[0]], code, max(1, len(names)))
            for side, code in zip((left, right), (codes[:split], codes[split:]), strict=True)
        ]

    def sizes(self, mine: IntArray, theirs: IntArray) -> FloatArray:
        """Nodes and arcs together in the product of each of these pairs of graphs."""
        total = np.zeros(len(mine))
        for ours, yours in (self.nodes, self.arcs):
            table, other = ours.table(len(self.left)), yours.table(len(self.right))
            total += np.asarray(table[mine].multiply(other[theirs]).sum(axis=1)).ravel()
        return total

    def join(self, mine: IntArray, theirs: IntArray) -> tuple[sparse.csr_array, IntArray]:
        """Adjacency of the products of these pairs of graphs, and the pair of each node."""
        left, right = self.nodes
        pair, here, there = left.meet(right, mine, theirs)
        room = left.sizes[here] * right.sizes[there]
        place = np.cumsum(room) - room
        key = pair * left.n_kinds + left.keys[here] % left.n_kinds
        owners = np.repeat(pair, room)

        one, other = self.arcs
        arc_pair, first, second = one.meet(other, mine, theirs)
        many = one.sizes[first] * other.sizes[second]
        local = _ranges(np.zeros_like(many), many)
        width = np.repeat(other.sizes[second], many)
        ours = one.order[np.repeat(one.starts[first], many) + local // width]
        yours = other.order[np.repeat(other.starts[second], many) + local % width]
        pairs = np.repeat(arc_pair, many)

        def number(end: int) -> IntArray:
            """Find the product node at this end of the arcs."""
            u, v = self.left.arcs[end][ours], self.right.arcs[end][yours]
            group = np.searchsorted(key, pairs * left.n_kinds + self.left.labels[u])
            return place[group] + left.ranks[u] * right.sizes[there[group]] + right.ranks[v]

        rows, columns = number(0), number(1)
        n = len(owners)
        ones = np.ones(len(rows))
        return sparse.coo_array((ones, (rows, columns)), shape=(n, n)).tocsr(), owners


def _ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """Stretches of whole numbers, each with its start and size, one after another."""
    total = int(sizes.sum())
    return np.arange(total) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
