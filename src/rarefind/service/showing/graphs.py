"""Graphs described for drawing."""

from __future__ import annotations

from typing import Any

from rarefind.service.showing.graph_layout import layout

MOST_NODES = 300
"""Larger graphs are told in words."""


def graph_payload(name: str, graph: Any) -> dict[str, Any] | None:
    """Describe a graph for drawing; None if it is too large."""
    nodes = graph["nodes"]
    labels = [""] * nodes if isinstance(nodes, int) else [str(node) for node in nodes]
    if len(labels) > MOST_NODES:
        return None
    edges = [[int(edge[0]), int(edge[1])] for edge in graph["edges"]]
    return {
        "kind": "graph",
        "name": name,
        "nodes": labels,
        "edges": edges,
        "edge_labels": [str(mark) for mark in graph.get("edge_labels") or []],
        "layout": layout(len(labels), edges).round(4).tolist(),
    }
