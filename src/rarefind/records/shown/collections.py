"""Sets, trees and graphs as they are drawn: words side by side, trees from their roots down."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.records.columns.sets_and_trees import sets_of, trees_of
from rarefind.records.shown.graph_layout import layout
from rarefind.records.table import Table

MOST_NODES = 300
"""Larger graphs and trees are told in words."""


def graph_payload(name: str, graph: Any) -> dict[str, Any] | None:
    """Describe a graph for drawing; None if it is too large."""
    nodes = graph["nodes"]
    labels = [""] * nodes if isinstance(nodes, int) else nodes
    if len(labels) > MOST_NODES:
        return None
    edges = [[int(edge[0]), int(edge[1])] for edge in graph["edges"]]
    marks = graph.get("edge_labels") or []
    return _drawn(name, labels, edges, marks, layout(len(labels), edges))


def collection_payload(table: Table, name: str, kind: str, row: int) -> dict[str, Any] | None:
    """Describe the set or the tree of a row for drawing; None if it is too large."""
    one = Table({name: table.columns[name][row : row + 1]}, table.source)
    try:
        if kind == "set":
            words = sorted(map(str, sets_of(one, name)[0]))
            return {"kind": "text", "name": name, "text": " · ".join(words), "marks": []}
        return tree_payload(name, trees_of(one, name)[0])
    except DataError:
        return None  # told as the words that it is


def tree_payload(name: str, tree: str | tuple[Any, ...]) -> dict[str, Any] | None:
    """Place the nodes of a tree: leaves side by side, parents above the middle of their children.

    >>> tree_payload("t", "(S (NP she) sleeps)")["nodes"]
    ['she', 'NP', 'sleeps', 'S']
    """
    from rarefind.kernels.trees.ordered import read_trees

    flat = read_trees([tree], "A drawing")[0]
    n = len(flat.labels)
    if n > MOST_NODES:
        return None
    edges: list[list[int]] = []
    depth_of, across, open_nodes = np.zeros(n), np.zeros(n), list[int]()
    leaves = 0
    for node, degree in enumerate(flat.degrees):
        if degree == 0:
            across[node], leaves = leaves, leaves + 1
        else:
            children = open_nodes[-degree:]
            del open_nodes[-degree:]
            edges += [[node, child] for child in children]
            across[node] = np.mean(across[children])
        open_nodes.append(node)
    for node, child in reversed(edges):  # parents come after their children in the list
        depth_of[child] = depth_of[node] + 1
    places = np.column_stack([_spread(across), _spread(depth_of)])
    return _drawn(name, flat.labels, edges, [], places)


def _drawn(
    name: str,
    nodes: Iterable[Any],
    edges: list[list[int]],
    marks: Iterable[Any],
    places: FloatArray,
) -> dict[str, Any]:
    return {
        "kind": "graph",
        "name": name,
        "nodes": [str(node) for node in nodes],
        "edges": edges,
        "edge_labels": [str(mark) for mark in marks],
        "layout": places.round(4).tolist(),
    }


def _spread(places: FloatArray) -> FloatArray:
    """Bring numbers to the range from -1 to 1."""
    middle, reach = (places.max() + places.min()) / 2, np.ptp(places) / 2
    spread: FloatArray = (places - middle) / max(float(reach), 1.0)
    return spread
