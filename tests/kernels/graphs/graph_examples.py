"""Graphs to test with: random ones, odd ones, and the molecules of the data folder."""

from __future__ import annotations

import gzip
import json
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from rarefind.kernels.graphs import Graph
from tests.outside import outside

ODD_GRAPHS = [
    Graph(0, []),
    Graph(["C"], []),
    Graph(["C", "O", "C"], []),
    Graph(["C", "O"], [(0, 1)], ["single"]),
    Graph(["O", "C"], [(1, 0)], ["double"]),
    Graph(["C", "C", "O", "N"], [(0, 1), (1, 2), (2, 0)], ["single", "double", "single"]),
    Graph(["C", "O", "C"], [(0, 0), (0, 1)], ["single", "single"]),
]
"""No node, one node, no edge, unequal sizes, a node apart, a node joined to itself."""


@st.composite
def graphs(draw, most_nodes=5):
    size = draw(st.integers(0, most_nodes))
    pairs = list(combinations(range(size), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    labels = draw(st.lists(st.sampled_from("CO"), min_size=size, max_size=size))
    marks = draw(st.lists(st.integers(1, 2), min_size=len(edges), max_size=len(edges)))
    return Graph(labels, edges, marks)


lists_of_graphs = st.lists(graphs(), min_size=4, max_size=6)


def molecules(n_graphs, seed=0):
    """Random trees with a ring or two, like small molecules."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(n_graphs):
        size = int(rng.integers(3, 14))
        edges = {(int(rng.integers(max(0, i - 3), i)), i) for i in range(1, size)}
        edges |= {tuple(sorted(rng.choice(size, 2, replace=False).tolist()))}
        edges = sorted(edges)
        labels = rng.choice(["C", "N", "O"], size=size, p=[0.6, 0.2, 0.2]).tolist()
        made.append(Graph(labels, edges, rng.integers(1, 3, size=len(edges)).tolist()))
    return made


def load_graphs(name):
    """Graphs and classes from the data folder; the test is skipped, and says so, without it."""
    path = outside("RAREFIND_DATA", f"{name}.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return records, [record["label"] for record in records]


def edge_table(graph):
    """Both directions of every edge, with its label."""
    marks = graph.edge_labels or [None] * len(graph.edges)
    table = {}
    for (i, j), mark in zip(graph.edges, marks, strict=True):
        table[i, j] = table[j, i] = mark
    return table


def adjacency(graph):
    matrix = np.zeros((graph.size, graph.size))
    for i, j in edge_table(graph):
        matrix[i, j] = 1.0
    return matrix


def labels_of(graph, labelled=True):
    if isinstance(graph.nodes, int) or not labelled:
        return [None] * graph.size
    return list(graph.nodes)


def brute_gram(pair, records, others=None):
    return np.array([[pair(x, z) for z in (others or records)] for x in records], dtype=float)
