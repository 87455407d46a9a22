"""Graphs in files: their nodes and edges checked, in one plain form.

A graph is a dict with ``nodes`` (a label for each, or their number), ``edges`` (pairs of node
numbers from zero) and, where edges carry labels, ``edge_labels``: what the graph kernels take.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rarefind.core.errors import DataError

_LABELS = ("label", "labels", "element", "symbol", "type", "kind", "name")
"""Attributes that say what a node or an edge is, the likeliest first."""

_MOST_NODES = 10_000_000
"""A number of nodes takes a few bytes to claim; graphs with more in all could not be compared."""


def read_graphs(values: list[Any], column: str, source: str) -> list[dict[str, Any] | None]:
    """Check the graphs of a column, missing ones left out; those named by a number count in all."""
    graphs: list[dict[str, Any] | None] = []
    claimed = 0
    for row, value in enumerate(values):
        if not isinstance(value, Mapping):
            graphs.append(None)
            continue
        graphs.append(read_graph(value, column, row, source))
        claimed += value["nodes"] if isinstance(value["nodes"], int) else 0
        if claimed > _MOST_NODES:
            raise DataError(
                f"{source}: the graphs of column {column!r:.60} claim more than {_MOST_NODES:,} "
                f"nodes in all (row {row}). Expected fewer, or a label for each node."
            )
    return graphs


def read_graph(value: Any, column: str, row: int, source: str) -> dict[str, Any]:
    """Check one graph, as lists of labels and pairs or as lists of objects with ids."""

    def refuse(what: str) -> DataError:
        return DataError(f"{source}: row {row}, column {column!r:.60} is no graph: {what}.")

    if not isinstance(value, Mapping) or "nodes" not in value or "edges" not in value:
        raise refuse("it needs 'nodes' and 'edges'")
    if value.get("directed"):
        raise refuse("its edges are directed, and only undirected graphs are compared")
    nodes, edges, marks = value["nodes"], value["edges"], value.get("edge_labels")
    if isinstance(nodes, list) and nodes and all(isinstance(node, Mapping) for node in nodes):
        nodes, edges, marks = _with_ids(nodes, edges, marks, refuse)
    if isinstance(nodes, bool) or not isinstance(nodes, int | list):
        raise refuse("'nodes' must be a list of labels or their number")
    size = nodes if isinstance(nodes, int) else len(nodes)
    if not 0 <= size <= _MOST_NODES:
        raise refuse(f"it claims {size} nodes")
    if isinstance(nodes, list) and not all(_is_plain(label) for label in nodes):
        raise refuse("the label of a node must be a word or a number")
    if not isinstance(edges, list):
        raise refuse("'edges' must be a list of pairs of node numbers")
    _check_edges(edges, size, refuse)
    graph: dict[str, Any] = {"nodes": nodes, "edges": edges}
    if marks is not None:
        if not isinstance(marks, list) or len(marks) != len(edges):
            raise refuse("'edge_labels' must hold one label for each edge")
        if not all(_is_plain(mark) for mark in marks):
            raise refuse("the label of an edge must be a word or a number")
        graph["edge_labels"] = marks
    return graph


def _check_edges(edges: list[Any], size: int, refuse: Any) -> None:
    if not edges:
        return
    for number, edge in enumerate(edges):
        if not isinstance(edge, list | tuple) or len(edge) != 2:
            raise refuse(f"edge {number} is {edge!r:.40} where a pair of node numbers is expected")
    try:
        ends = np.array(edges)
    except (ValueError, OverflowError):
        ends = np.empty(0, dtype=object)
    if ends.dtype.kind not in "iu" or ends.ndim != 2:
        raise refuse("an edge holds something else than two whole numbers")
    wrong = np.flatnonzero(((ends < 0) | (ends >= size)).any(axis=1))
    if wrong.size:
        raise refuse(
            f"edge {wrong[0]} joins {edges[wrong[0]]}, but the nodes are 0 to {size - 1}"
            if size
            else "it has edges but no nodes"
        )


def _with_ids(nodes: list[Any], edges: Any, marks: Any, refuse: Any) -> tuple[Any, Any, Any]:
    """Read nodes and edges that are objects with ids, as network libraries write them."""
    names = [node.get("id", number) for number, node in enumerate(nodes)]
    if not all(_is_plain(name) for name in names) or len(set(names)) != len(names):
        raise refuse("every node needs an 'id' of its own")
    number = {name: place for place, name in enumerate(names)}
    labels = chosen_labels([{k: v for k, v in node.items() if k != "id"} for node in nodes])
    if not isinstance(edges, list) or not all(isinstance(edge, Mapping) for edge in edges):
        return (len(nodes) if labels is None else labels), edges, marks
    pairs = []
    for edge in edges:
        ends = [edge.get(key) for key in ("source", "target")]
        if not all(_is_plain(end) and end in number for end in ends):
            raise refuse(f"an edge joins {ends[0]!r:.40} and {ends[1]!r:.40}, not both are nodes")
        pairs.append([number[end] for end in ends])
    aside = {"source", "target", "key", "id"}
    found = chosen_labels([{k: v for k, v in edge.items() if k not in aside} for edge in edges])
    return (len(nodes) if labels is None else labels), pairs, marks if found is None else found


def chosen_labels(attributes: list[dict[str, Any]]) -> list[Any] | None:
    """Choose the attribute that says what each node or edge is: a usual name, or the only one."""
    known = {name for one in attributes for name, value in one.items() if _is_plain(value)}
    for name in _LABELS:
        if name in known:
            return [one.get(name) for one in attributes]
    if len(known) == 1:
        only = known.pop()
        return [one.get(only) for one in attributes]
    return None


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)
