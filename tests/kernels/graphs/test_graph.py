from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from rarefind.core.errors import DataError
from rarefind.kernels.graphs import Graph, ShortestPath, Walk, WeisfeilerLehman
from rarefind.kernels.graphs.batch import read_graphs

PLAIN = Graph(3, [(0, 1), (1, 2)])
WATER = Graph(["H", "O", "H"], [(0, 1), (1, 2)])
MATRIX = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])


def networkx_water():
    graph = nx.Graph()
    for name, label in (("x", "H"), ("y", "O"), ("z", "H")):
        graph.add_node(name, label=label, atom=label)
    graph.add_edges_from([("x", "y"), ("y", "z")], label=1)
    return graph


@pytest.mark.parametrize(
    "record",
    [
        nx.path_graph(3),
        {"nodes": 3, "edges": [[0, 1], [1, 2]], "label": "a class, which is ignored"},
        MATRIX,
        MATRIX.astype(bool),
        sparse.csr_matrix(MATRIX),
        MATRIX.tolist(),
        [(0, 1), (1, 2)],
        [(1, 2), (0, 1), (1, 0)],
        [("x", "y"), ("y", "z")],
        ((0, 1), (1, 2)),
        {("x", "y"), ("y", "z")},
    ],
)
def test_every_form_of_an_unlabelled_graph_is_the_same_graph(record):
    gram = WeisfeilerLehman(3)([PLAIN, record])
    assert np.ptp(gram) == 0


@pytest.mark.parametrize(
    "record",
    [
        networkx_water(),
        Graph.from_networkx(networkx_water(), nodes="atom"),
        {"nodes": ["H", "O", "H"], "edges": [(0, 1), (2, 1)], "edge_labels": [1, 1]},
        (MATRIX, ["H", "O", "H"]),
        (sparse.coo_array(MATRIX), np.array(["H", "O", "H"])),
        (MATRIX.tolist(), ("H", "O", "H")),
        ([(0, 1), (1, 2)], ["H", "O", "H"]),
        ([("x", "y"), ("y", "z")], {"x": "H", "y": "O", "z": "H"}),
    ],
)
def test_every_form_of_a_labelled_graph_is_the_same_graph(record):
    gram = WeisfeilerLehman(3)([WATER, record])
    assert np.ptp(gram) == 0
    assert gram[0, 0] > WeisfeilerLehman(3)([PLAIN], [WATER])[0, 0]


def test_numbers_that_are_equal_are_equal_labels_and_words_are_not_numbers():
    graphs = [Graph([label]) for label in (1, 1.0, np.int64(1), "1")]
    np.testing.assert_array_equal(WeisfeilerLehman(0)(graphs)[0], [1, 1, 1, 0])
    np.testing.assert_array_equal(WeisfeilerLehman(0)(graphs[:1], graphs[1:])[0], [1, 1, 0])


def test_lists_object_arrays_and_stacks_of_matrices_are_lists_of_graphs():
    expected = ShortestPath()([MATRIX, MATRIX])
    holder = np.empty(2, dtype=object)
    holder[:] = [PLAIN, {"nodes": 3, "edges": [(0, 1), (1, 2)]}]
    np.testing.assert_array_equal(ShortestPath()(holder), expected)
    np.testing.assert_array_equal(ShortestPath()(np.stack([MATRIX, MATRIX])), expected)


def test_no_graphs_have_no_similarities():
    for kernel in (ShortestPath(), WeisfeilerLehman(), Walk(), Walk(labelled=True)):
        assert kernel([]).shape == (0, 0)
        assert kernel([PLAIN], []).shape == (1, 0)
        assert kernel.diag([]).shape == (0,)


def test_repeated_edges_and_loops_count_once():
    batch = read_graphs([Graph(2, [(0, 1), (1, 0), (1, 1)])], "Test")
    np.testing.assert_array_equal(batch.adjacency.toarray(), [[0, 1], [1, 1]])


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (nx.DiGraph([(0, 1)]), "undirected graphs. Got a directed networkx graph"),
        ({"nodes": 2, "edges": [(0, 1)], "directed": True}, "says 'directed'"),
        (np.array([[0, 1], [0, 0]]), "not symmetric"),
        (np.array([[0, 2.5], [2.5, 0]]), "zeros and ones. Got 2.5"),
        (np.array([[0, np.nan], [np.nan, 0]]), "zeros and ones. Got nan"),
        (np.ones((2, 3)), r"as many rows as columns. Got shape \(2, 3\)"),
        ((MATRIX, ["H"]), "Got 1 labels for 3 nodes"),
        ({"nodes": 2}, "needs the keys 'nodes'"),
        (Graph(2, [(0, 2)]), "2 node.s., numbered from 0, but an edge joins 0 and 2"),
        (Graph(2, [(0, -1)]), "joins 0 and -1"),
        (Graph(2, [(0, 0.5)]), r"pairs of node numbers. Got edges such as \(0, 0.5\)"),
        (Graph(2, [(0, 1, 2)]), "pairs of node numbers"),
        (Graph(2, [(0, 1), (1,)]), "pairs of node numbers"),
        (Graph(2, "01"), "'edges' are a list of pairs"),
        (Graph(-1), "how many there are"),
        (Graph(2, [(0, 1)], ["a", "b"]), "Got 2 labels for 1 edges"),
        (
            Graph(2, [(0, 1), (1, 0)], ["a", "b"]),
            "graph 1: it lists the same edge twice with different labels",
        ),
        (Graph([[1.0], [2.0]], []), "words, numbers or tuples of these. Got list"),
        (([("x", "y")], {"x": "H"}), "Node 'y' has none"),
        ([(0, 1, 2), (1, 2)], "An edge is a pair of nodes"),
        (5, "Got int where a graph was expected"),
    ],
)
def test_what_is_not_a_graph_is_refused_in_words(record, words):
    with pytest.raises(DataError, match=words) as refused:
        WeisfeilerLehman()([PLAIN, record])
    assert "WeisfeilerLehman" in str(refused.value)


@pytest.mark.parametrize("record", [PLAIN, nx.path_graph(3), {"nodes": 1, "edges": []}])
def test_one_graph_instead_of_a_list_is_refused_in_words(record):
    with pytest.raises(DataError, match="put it into a list"):
        WeisfeilerLehman()(record)
