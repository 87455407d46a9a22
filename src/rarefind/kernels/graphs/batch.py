"""Many graphs side by side in a few arrays, so that all are worked on at once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.arrays import IntArray, Records
from rarefind.core.errors import DataError
from rarefind.kernels.graphs.undirected import Graph, as_graph


@dataclass(frozen=True)
class GraphBatch:
    """Graphs laid end to end: nodes are numbered through, and labels are numbers.

    Attributes
    ----------
    starts
        Number of the first node of each graph, and the number of all nodes at the end.
    labels, label_names
        The label of each node as a position in ``label_names``.
    ends
        The two nodes of each edge, the smaller number first; every edge once.
    edge_labels, edge_label_names
        The label of each edge as a position in ``edge_label_names``.
    """

    starts: IntArray
    labels: IntArray
    label_names: tuple[Hashable, ...]
    ends: IntArray
    edge_labels: IntArray
    edge_label_names: tuple[Hashable, ...]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @cached_property
    def sizes(self) -> IntArray:
        """Nodes in each graph."""
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> IntArray:
        """Graph that each node belongs to."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @cached_property
    def arcs(self) -> tuple[IntArray, IntArray, IntArray]:
        """Tails, heads and labels of the edges in both directions, sorted by tail.

        An edge from a node to itself occurs once.
        """
        one, other = self.ends.T
        back = one != other
        tails = np.concatenate([one, other[back]])
        heads = np.concatenate([other, one[back]])
        marks = np.concatenate([self.edge_labels, self.edge_labels[back]])
        order = np.argsort(tails, kind="stable")
        return tails[order], heads[order], marks[order]

    @cached_property
    def first_arcs(self) -> IntArray:
        """Position of the first arc of each node, and the number of all arcs at the end."""
        degrees = np.bincount(self.arcs[0], minlength=len(self.labels))
        return np.concatenate([[0], np.cumsum(degrees)])

    @cached_property
    def adjacency(self) -> sparse.csr_array:
        """Adjacency matrix of all graphs together, one block for each."""
        tails, heads, _ = self.arcs
        n = len(self.labels)
        return sparse.csr_array((np.ones(len(tails)), heads, self.first_arcs), shape=(n, n))

    def without_labels(self, *, nodes: bool, edges: bool) -> GraphBatch:
        """Forget the labels of nodes, of edges, or of both."""
        batch = self
        if nodes:
            batch = replace(batch, labels=np.zeros_like(self.labels), label_names=(None,))
        if edges:
            blank = np.zeros_like(self.edge_labels)
            batch = replace(batch, edge_labels=blank, edge_label_names=(None,))
        return batch

    def only(self, graph: int) -> GraphBatch:
        """Return one graph, as a batch of its own."""
        begin, end = int(self.starts[graph]), int(self.starts[graph + 1])
        inside = (self.ends[:, 0] >= begin) & (self.ends[:, 0] < end)
        return replace(
            self,
            starts=np.array([0, end - begin]),
            labels=self.labels[begin:end],
            ends=self.ends[inside] - begin,
            edge_labels=self.edge_labels[inside],
        )

    def block(self, graph: int) -> sparse.csr_array:
        """Adjacency matrix of one graph."""
        part = slice(int(self.starts[graph]), int(self.starts[graph + 1]))
        return self.adjacency[part, part]


def read_graphs(records: Records, owner: str) -> GraphBatch:
    """Read a list of graphs, saying which one cannot be read and why."""
    if isinstance(records, (str, bytes, dict, Graph)) or hasattr(records, "is_directed"):
        raise DataError(
            f"{owner} needs a list of graphs. Got one {type(records).__name__}; "
            "put it into a list, as in kernel([graph])."
        )
    if sparse.issparse(records) or not hasattr(records, "__iter__"):
        raise DataError(f"{owner} needs a list of graphs. Got {type(records).__name__}.")
    sizes: list[int] = []
    ends: list[IntArray] = []
    labels: list[int] = []
    marks: list[int] = []
    names: dict[Hashable, int] = {}
    edge_names: dict[Hashable, int] = {}
    for position, record in enumerate(records):
        try:
            graph = as_graph(record)
            pairs = _pairs(graph)
            labels += _codes(_node_labels(graph), names)
            marks += _codes(_edge_labels(graph, len(pairs)), edge_names)
        except DataError as problem:
            raise DataError(f"{owner} cannot read graph {position}: {problem}") from None
        sizes.append(graph.size)
        ends.append(pairs)
    starts = np.concatenate([[0], np.cumsum(np.array(sizes, dtype=np.int64))]).astype(np.int64)
    numbers = [len(pairs) for pairs in ends]
    shift = np.repeat(starts[:-1], numbers)[:, None]
    joined = np.concatenate([*ends, np.empty((0, 2), dtype=np.int64)])
    room = np.repeat(np.array(sizes, dtype=np.int64), numbers)[:, None]
    outside = ((joined < 0) | (joined >= room)).any(axis=1)
    if outside.any():
        bad = int(np.argmax(outside))
        graph_number = int(np.searchsorted(np.cumsum(numbers), bad, side="right"))
        raise DataError(
            f"{owner} cannot read graph {graph_number}: it has {sizes[graph_number]} node(s), "
            f"numbered from 0, but an edge joins {joined[bad, 0]} and {joined[bad, 1]}."
        )
    codes = np.array(marks, dtype=np.int64)
    edges = np.sort(joined + shift, axis=1)
    order = np.lexsort((codes, edges[:, 1], edges[:, 0]))
    edges, codes = edges[order], codes[order]
    repeated = np.zeros(len(edges), dtype=bool)
    repeated[1:] = (edges[1:] == edges[:-1]).all(axis=1)
    torn = np.flatnonzero(repeated[1:] & (codes[1:] != codes[:-1]))
    if len(torn):
        graph_number = int(np.searchsorted(starts, edges[torn[0], 0], side="right")) - 1
        raise DataError(
            f"{owner} cannot read graph {graph_number}: it lists the same edge twice with "
            "different labels."
        )
    edges, edge_codes = edges[~repeated], codes[~repeated]
    return GraphBatch(
        starts, np.array(labels, dtype=np.int64), tuple(names), edges, edge_codes, tuple(edge_names)
    )


def share_labels(left: GraphBatch, right: GraphBatch) -> tuple[GraphBatch, GraphBatch]:
    """Let equal labels of two batches have equal numbers."""
    names = {name: i for i, name in enumerate(left.label_names)}
    codes = np.array(_codes(right.label_names, names), dtype=np.int64)
    edge_names = {name: i for i, name in enumerate(left.edge_label_names)}
    marks = np.array(_codes(right.edge_label_names, edge_names), dtype=np.int64)
    left = replace(left, label_names=tuple(names), edge_label_names=tuple(edge_names))
    right = replace(
        right,
        labels=codes[right.labels],
        label_names=tuple(names),
        edge_labels=marks[right.edge_labels],
        edge_label_names=tuple(edge_names),
    )
    return left, right


def _pairs(graph: Graph) -> IntArray:
    """Edges of a graph as whole numbers in two columns."""
    size = graph.size
    if isinstance(graph.nodes, bool) or size < 0:
        raise DataError(f"'nodes' are labels, or how many there are. Got {graph.nodes!r}.")
    if not isinstance(graph.edges, (list, tuple, np.ndarray)):
        raise DataError(f"'edges' are a list of pairs. Got {type(graph.edges).__name__}.")
    if len(graph.edges) == 0:
        return np.empty((0, 2), dtype=np.int64)
    try:
        pairs = np.asarray(graph.edges)
    except ValueError:
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
        raise DataError(
            "edges are pairs of node numbers. Got edges such as "
            f"{next(iter(graph.edges))!r}; name nodes by their positions."
        )
    return pairs.astype(np.int64, copy=False)


def _node_labels(graph: Graph) -> Sequence[Hashable]:
    return [None] * graph.nodes if isinstance(graph.nodes, int) else graph.nodes


def _edge_labels(graph: Graph, n_edges: int) -> Sequence[Hashable]:
    if graph.edge_labels is None:
        return [None] * n_edges
    if len(graph.edge_labels) != n_edges:
        raise DataError(
            f"there must be one edge label per edge. Got {len(graph.edge_labels)} labels "
            f"for {n_edges} edges."
        )
    return graph.edge_labels


def _codes(labels: Sequence[Hashable], known: dict[Hashable, int]) -> list[int]:
    """Numbers that stand for labels, giving new labels the next numbers."""
    try:
        return [known.setdefault(label, len(known)) for label in labels]
    except TypeError:
        strange: Any = next(label for label in labels if not _hashable(label))
        raise DataError(
            f"labels are words, numbers or tuples of these. Got {type(strange).__name__} "
            f"{strange!r}."
        ) from None


def _hashable(label: object) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True
