from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.linalg import expm
from sklearn.base import clone
from sklearn.svm import SVC

from rarefind.core.errors import DataError, ParameterError, TooLargeError
from rarefind.core.memory_guard import memory_limit
from rarefind.kernels.graphs import ExponentialDiffusion, Graph, VonNeumannDiffusion, diffusion
from rarefind.testing import check_kernel
from tests.kernels.graphs.graph_examples import adjacency, graphs

KARATE = nx.karate_club_graph()


@settings(max_examples=30, deadline=None)
@given(graphs(7).filter(lambda graph: graph.size > 0), st.floats(0, 0.12))
def test_values_equal_the_exponential_and_the_inverse(graph, decay):
    nodes, base = range(graph.size), adjacency(graph)
    exponential = ExponentialDiffusion(graph, decay)(nodes)
    np.testing.assert_allclose(exponential, expm(decay * base), atol=1e-12)
    inverse = np.linalg.inv(np.eye(graph.size) - decay * base)
    np.testing.assert_allclose(VonNeumannDiffusion(graph, decay)(nodes), inverse, atol=1e-12)


def test_exponential_diffusion_is_networkx_communicability():
    found = nx.communicability_exp(nx.Graph(KARATE.edges))
    names = list(KARATE)
    expected = [[found[one][other] for other in names] for one in names]
    graph = nx.Graph(KARATE.edges)
    np.testing.assert_allclose(ExponentialDiffusion(graph, 1.0)(names), expected, rtol=1e-9)


def test_von_neumann_is_the_truncated_series():
    base = nx.to_numpy_array(KARATE, weight=None)
    term, total = np.eye(34), np.eye(34)
    for _ in range(2000):
        term = 0.1 * term @ base
        total += term
    np.testing.assert_allclose(VonNeumannDiffusion(KARATE, 0.1)(range(34)), total, rtol=1e-9)


@pytest.mark.parametrize("kind", [ExponentialDiffusion, VonNeumannDiffusion])
def test_promises_are_kept_on_nodes_and_on_similarities(kind):
    check_kernel(kind(KARATE, 0.1), list(range(34)))
    rng = np.random.default_rng(0)
    half = rng.normal(size=(8, 8))
    check_kernel(kind(half + half.T, 0.05), [3, 1, 1, 7, 0])


@pytest.mark.parametrize("kind", [ExponentialDiffusion, VonNeumannDiffusion])
def test_large_graphs_are_worked_out_by_columns(kind, monkeypatch):
    base = nx.to_numpy_array(KARATE)
    dense = kind(base, 0.02)
    expected, own = dense([0, 5, 33, 5], range(34)), dense.diag(range(34))
    monkeypatch.setattr(diffusion, "DENSE", 10)
    monkeypatch.setattr(diffusion, "COLUMNS_AT_ONCE", 7)
    by_columns = kind(sparse.csr_array(base), 0.02)
    np.testing.assert_allclose(by_columns([0, 5, 33, 5], range(34)), expected, rtol=1e-9)
    np.testing.assert_allclose(by_columns(range(34), [0, 5, 33, 5]), expected.T, rtol=1e-9)
    np.testing.assert_allclose(by_columns.diag(range(34)), own, rtol=1e-9)
    assert by_columns.diag([]).shape == (0,)
    if kind is VonNeumannDiffusion:
        with pytest.raises(ParameterError, match="one over the spectral radius"):
            kind(sparse.csr_array(base), 0.5)([0])


def test_columns_too_large_for_memory_are_refused(monkeypatch):
    monkeypatch.setattr(diffusion, "DENSE", 10)
    with memory_limit("10KB"), pytest.raises(TooLargeError, match="on 34 nodes would need"):
        ExponentialDiffusion(KARATE, 0.1)([0])


def test_names_of_nodes_are_understood():
    edges = [("ann", "bob"), ("bob", "cem")]
    by_name = VonNeumannDiffusion(edges, 0.5)(["cem", "ann"])
    by_number = VonNeumannDiffusion(Graph(3, [(0, 1), (1, 2)]), 0.5)([2, 0])
    np.testing.assert_allclose(by_name, by_number)
    named = VonNeumannDiffusion(nx.Graph(edges), 0.5)(np.array(["cem", "ann"]))
    np.testing.assert_allclose(named, by_number)
    labelled = VonNeumannDiffusion((edges, {"cem": 1, "ann": 1, "bob": 2}), 0.5)(["cem", "ann"])
    np.testing.assert_allclose(labelled, by_number)


def test_a_changed_graph_is_not_mistaken_for_the_one_before():
    base = np.zeros((3, 3))
    kernel = ExponentialDiffusion(base, 1.0)
    assert kernel([0], [1])[0, 0] == 0
    base[0, 1] = base[1, 0] = 1.0
    assert kernel([0], [1])[0, 0] > 1


def test_one_node_and_edgeless_graphs_are_similar_to_themselves_only():
    for graph in (Graph(1), Graph(4, []), np.zeros((2, 2))):
        np.testing.assert_array_equal(VonNeumannDiffusion(graph, 5.0)([0]), [[1.0]])


def test_a_learner_on_nodes_runs_and_the_kernel_can_be_copied():
    clubs = [KARATE.nodes[node]["club"] for node in KARATE]
    nodes = np.arange(34)[:, None]
    learner = SVC(kernel=clone(ExponentialDiffusion(KARATE, 0.3))).fit(nodes[::2], clubs[::2])
    assert learner.score(nodes[1::2], clubs[1::2]) > 0.85


def test_von_neumann_refuses_a_decay_at_the_bound_and_says_it():
    star = Graph(5, [(0, i) for i in range(1, 5)])
    with pytest.raises(ParameterError, match=r"must be below 0\.5, one over the spectral radius"):
        VonNeumannDiffusion(star, 0.5)([0, 1])
    negative = -2.0 * np.eye(2)
    with pytest.raises(ParameterError, match=r"below 0\.5"):
        VonNeumannDiffusion(negative, 0.7)([0])


def test_exponentials_beyond_floating_point_are_refused():
    with pytest.raises(DataError, match="Choose a smaller decay"):
        ExponentialDiffusion(np.full((3, 3), 1e6), 1.0)([0])


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (np.array([[0.0, 1.0], [0.0, 0.0]]), "symmetric"),
        (np.array([[0.0, np.nan], [np.nan, 0.0]]), "finite"),
        (np.ones((2, 3)), "as many rows as columns"),
        (nx.DiGraph([(0, 1)]), "directed"),
        ("abc", "where a graph was expected"),
    ],
)
def test_graphs_that_cannot_be_used_are_refused_in_words(graph, words):
    with pytest.raises(DataError, match=words):
        ExponentialDiffusion(graph, 0.1)([0])


def test_nodes_that_do_not_exist_are_refused_in_words():
    path = Graph(3, [(0, 1), (1, 2)])
    with pytest.raises(DataError, match=r"0 to 2\). Record 1 is 3"):
        ExponentialDiffusion(path)([0, 3])
    with pytest.raises(DataError, match="Record 0 is 'zoe'"):
        ExponentialDiffusion([("ann", "bob")])(["zoe"])
    with pytest.raises(DataError, match="needs a list of nodes"):
        ExponentialDiffusion(path)("0")
    with pytest.raises(DataError, match="without nodes"):
        ExponentialDiffusion(Graph(0))([0])
    with pytest.raises(ParameterError, match="'graph' parameter"):
        ExponentialDiffusion(None)([0])
