"""One undirected graph: its nodes, its edges, and what is written on them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.core.errors import DataError

ADVICE = (
    "A graph is a rarefind.kernels.graphs.Graph, a networkx graph, a dict with 'nodes' and "
    "'edges', an adjacency matrix, a pair (adjacency matrix or edges, node labels), or a list of "
    "edges."
)
"""Ends every error about a graph that cannot be read."""


@dataclass(frozen=True)
class Graph:
    """An undirected graph without weights.

    Parameters
    ----------
    nodes
        The label of each node, or only their number if they carry no labels.
    edges
        Pairs of node numbers, counted from zero. An edge is listed once, in either direction.
    edge_labels
        The label of each edge, in the same order, if edges carry labels.

    Examples
    --------
    >>> water = Graph(["O", "H", "H"], [(0, 1), (0, 2)])
    >>> water.size
    3
    """

    nodes: Sequence[Hashable] | int
    edges: Any = ()
    edge_labels: Sequence[Hashable] | None = None

    def __len__(self) -> int:
        return self.size

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return self.nodes if isinstance(self.nodes, int) else len(self.nodes)

    @classmethod
    def from_networkx(cls, graph: Any, *, nodes: str = "label", edges: str = "label") -> Graph:
        """Read a networkx graph; ``nodes`` and ``edges`` name the attributes that hold labels."""
        if graph.is_directed():
            raise DataError(
                "Graph kernels compare undirected graphs. Got a directed networkx graph; "
                "pass graph.to_undirected() instead."
            )
        number = {name: i for i, name in enumerate(graph.nodes)}
        labels = [attributes.get(nodes) for _, attributes in graph.nodes(data=True)]
        ends, marks = [], []
        for one, other, attributes in graph.edges(data=True):
            ends.append((number[one], number[other]))
            marks.append(attributes.get(edges))
        return cls(
            labels if any(label is not None for label in labels) else len(number),
            ends,
            marks if any(mark is not None for mark in marks) else None,
        )

    @classmethod
    def from_adjacency(cls, matrix: Any, labels: Sequence[Hashable] | None = None) -> Graph:
        """Read a symmetric matrix of zeros and ones, with the label of each node if there is."""
        if not sparse.issparse(matrix):
            matrix = np.asarray(matrix)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise DataError(
                f"An adjacency matrix has as many rows as columns. Got shape {matrix.shape}; "
                "pass edges as a list of pairs instead."
            )
        pattern = sparse.coo_array(matrix)
        strange = pattern.data[(pattern.data != 0) & (pattern.data != 1)]
        if strange.size:
            raise DataError(
                f"An adjacency matrix holds zeros and ones. Got {strange[0]}; write kinds of "
                "edges as Graph(nodes, edges, edge_labels), or pass (matrix != 0)."
            )
        ends = np.column_stack(pattern.coords)[pattern.data != 0].astype(np.int64)
        if not np.array_equal(np.unique(ends, axis=0), np.unique(ends[:, ::-1], axis=0)):
            raise DataError(
                "Graph kernels compare undirected graphs. Got an adjacency matrix that is not "
                "symmetric; pass matrix | matrix.T to forget the directions."
            )
        edges = ends[ends[:, 0] <= ends[:, 1]]
        size = int(matrix.shape[0])
        if labels is not None and len(labels) != size:
            raise DataError(
                f"A graph needs one label per node. Got {len(labels)} labels for {size} nodes."
            )
        return cls(size if labels is None else list(labels), edges)

    @classmethod
    def from_edges(
        cls, edges: Any, labels: Sequence[Hashable] | Mapping[Hashable, Hashable] | None = None
    ) -> Graph:
        """Read pairs of nodes.

        Without labels the nodes are those that occur, under any names. Labels in a list belong to
        nodes 0, 1, 2, ...; labels in a dict belong to the nodes of these names.
        """
        if labels is not None and not isinstance(labels, Mapping):
            return cls(list(labels), list(edges))
        try:
            pairs = [(one, other) for one, other in edges]
            number: dict[Hashable, int] = {name: i for i, name in enumerate(labels or ())}
            if labels is None:
                for name in (end for pair in pairs for end in pair):
                    number.setdefault(name, len(number))
            ends = [(number[one], number[other]) for one, other in pairs]
        except (TypeError, ValueError):
            raise DataError(f"An edge is a pair of nodes. Got {edges!r}. {ADVICE}") from None
        except KeyError as missing:
            raise DataError(
                f"Every node of an edge needs a label. Node {missing.args[0]!r} has none."
            ) from None
        return cls(len(number) if labels is None else list(labels.values()), ends)


def as_graph(record: Any) -> Graph:
    """Read one graph, in any of the forms that are accepted."""
    if isinstance(record, Graph):
        return record
    if isinstance(record, Mapping):
        if "nodes" not in record or "edges" not in record:
            raise DataError(
                "A graph given as a dict needs the keys 'nodes' (labels, or how many) and 'edges' "
                f"(pairs). Got the keys {list(record)}."
            )
        if record.get("directed"):
            raise DataError(
                "Graph kernels compare undirected graphs. Got one that says 'directed'; "
                "list each edge once and leave that key out."
            )
        return Graph(record["nodes"], record["edges"], record.get("edge_labels"))
    if hasattr(record, "is_directed") and hasattr(record, "nodes"):
        return Graph.from_networkx(record)
    if sparse.issparse(record) or isinstance(record, np.ndarray):
        return Graph.from_adjacency(record)
    if not isinstance(record, (list, tuple, set, frozenset)):
        raise DataError(f"Got {type(record).__name__} where a graph was expected. {ADVICE}")
    if isinstance(record, tuple) and len(record) == 2 and _holds_rows(record[0]):
        first, labels = record
        return (
            Graph.from_adjacency(first, labels)
            if is_matrix(first)
            else Graph.from_edges(first, labels)
        )
    return Graph.from_adjacency(record) if is_matrix(record) else Graph.from_edges(record)


def _holds_rows(part: Any) -> bool:
    """Whether the first of two parts is a matrix or a list of edges, rather than one edge."""
    if sparse.issparse(part) or isinstance(part, np.ndarray):
        return True
    return isinstance(part, list) or (
        isinstance(part, tuple) and all(isinstance(row, (list, tuple)) for row in part)
    )


def is_matrix(part: Any) -> bool:
    """Whether it is an adjacency matrix; two rows of two in lists are read as two edges."""
    if sparse.issparse(part) or isinstance(part, np.ndarray):
        return True
    if not isinstance(part, (list, tuple)):
        return False
    rows = [len(row) if isinstance(row, (list, tuple)) else -1 for row in part]
    return len(rows) != 2 and len(rows) > 0 and all(length == len(rows) for length in rows)
