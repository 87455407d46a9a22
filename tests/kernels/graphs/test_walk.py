from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from sklearn.svm import SVC

from rarefind.core.errors import DataError, ParameterError, TooLargeError
from rarefind.core.memory_guard import memory_limit
from rarefind.core.progress import listen
from rarefind.kernels.graphs import Graph, Walk, walk
from rarefind.testing import check_kernel
from tests.kernels.graphs.graph_examples import (
    ODD_GRAPHS,
    brute_gram,
    edge_table,
    labels_of,
    lists_of_graphs,
    load_graphs,
    molecules,
)


def brute(kernel):
    """Invert or exponentiate the matrix of the product graph, as the definition says."""

    def pair(one, other):
        labels = [labels_of(graph, kernel.labelled) for graph in (one, other)]
        nodes = [
            (u, v)
            for u in range(one.size)
            for v in range(other.size)
            if labels[0][u] == labels[1][v]
        ]
        mine, theirs = edge_table(one), edge_table(other)
        product = np.zeros((len(nodes), len(nodes)))
        for row, (u, v) in enumerate(nodes):
            for column, (w, x) in enumerate(nodes):
                joined = (u, w) in mine and (v, x) in theirs
                product[row, column] = joined and (
                    not kernel.edge_labelled or mine[u, w] == theirs[v, x]
                )
        if kernel.weights == "exponential":
            return expm(kernel.decay * product).sum()
        return np.linalg.inv(np.eye(len(nodes)) - kernel.decay * product).sum()

    return pair


kernels = st.builds(
    Walk,
    st.sampled_from([0.01, 0.05]),
    weights=st.sampled_from(["geometric", "exponential"]),
    labelled=st.booleans(),
    edge_labelled=st.booleans(),
)


@settings(max_examples=25, deadline=None)
@given(lists_of_graphs, kernels)
def test_values_equal_the_inverse_or_exponential_of_product_graphs(graphs, kernel):
    np.testing.assert_allclose(kernel(graphs), brute_gram(brute(kernel), graphs), rtol=1e-11)
    check_kernel(kernel, graphs)


@pytest.mark.parametrize("weights", ["geometric", "exponential"])
@pytest.mark.parametrize("labelled", [False, True])
def test_odd_graphs_are_compared_as_the_definition_says(weights, labelled):
    kernel = Walk(0.1, weights=weights, labelled=labelled, edge_labelled=labelled)
    expected = brute_gram(brute(kernel), ODD_GRAPHS)
    np.testing.assert_allclose(kernel(ODD_GRAPHS), expected, rtol=1e-12)
    check_kernel(kernel, ODD_GRAPHS)


@pytest.mark.parametrize("labelled", [False, True])
def test_a_decay_just_below_the_bound_is_still_exact(labelled):
    graphs = molecules(5)
    with pytest.raises(DataError) as refused:
        Walk(0.9, labelled=labelled)(graphs)
    bound = float(str(refused.value).split("decay < ")[1].split()[0])
    kernel = Walk(0.9999 * bound, labelled=labelled)
    np.testing.assert_allclose(kernel(graphs), brute_gram(brute(kernel), graphs), rtol=1e-8)
    np.testing.assert_allclose(kernel.diag(graphs), np.diag(kernel(graphs)), rtol=1e-8)


@pytest.mark.parametrize("weights", ["geometric", "exponential"])
def test_the_spectral_form_equals_the_series(weights, monkeypatch):
    graphs = [*molecules(8), *ODD_GRAPHS]
    kernel = Walk(0.05, weights=weights)
    series = kernel(graphs)
    monkeypatch.setattr(walk, "MOST_TERMS", -1)
    np.testing.assert_allclose(kernel(graphs), series, rtol=1e-11)
    np.testing.assert_allclose(kernel(graphs[:3], graphs[3:]), series[:3, 3:], rtol=1e-11)
    np.testing.assert_allclose(kernel.diag(graphs), np.diag(series), rtol=1e-11)


def test_a_few_product_graphs_at_a_time_change_nothing_and_tell_progress(monkeypatch):
    graphs = molecules(8)
    kernel = Walk(labelled=True)
    expected = kernel(graphs)
    monkeypatch.setattr(walk, "PRODUCT_AT_ONCE", 100)
    steps = []
    with listen(steps.append):
        np.testing.assert_array_equal(kernel(graphs), expected)
    assert len(steps) > 10
    assert steps[-1].done == steps[-1].total == 36


def test_labels_of_all_one_kind_give_what_no_labels_give():
    graphs = [Graph(["C"] * graph.size, graph.edges) for graph in molecules(6)]
    for weights in ("geometric", "exponential"):
        labelled = Walk(0.05, weights=weights, labelled=True)(graphs)
        np.testing.assert_allclose(labelled, Walk(0.05, weights=weights)(graphs), rtol=1e-12)


def test_graphs_without_a_common_label_have_nothing_in_common():
    graphs = [Graph(["C", "C"], [(0, 1)]), Graph(["O", "O"], [(0, 1)])]
    assert Walk(labelled=True)(graphs)[0, 1] == 0


def test_large_graphs_use_the_sparse_eigenvalue():
    ring = Graph(500, [(i, (i + 1) % 500) for i in range(500)])
    assert Walk(0.2)([ring])[0, 0] == pytest.approx(500**2 / (1 - 0.8))
    with pytest.raises(DataError, match=r"decay < 0\.25 for these graphs"):
        Walk(0.25)([ring])


def test_a_divergent_decay_names_the_bound_and_the_graph():
    star = Graph(5, [(0, i) for i in range(1, 5)])
    with pytest.raises(DataError, match=r"decay < 0\.25 for these graphs \(graph 1 sets"):
        Walk(0.3)([Graph(2, [(0, 1)]), star])
    with pytest.raises(DataError, match=r"decay < 0\.25"):
        Walk(0.3)([Graph(2, [(0, 1)])], [star])
    with pytest.raises(DataError, match=r"decay < 0\.25"):
        Walk(0.3).diag([star])


def test_exponential_sums_beyond_floating_point_are_refused():
    star = Graph(30, [(0, i) for i in range(1, 30)])
    with pytest.raises(DataError, match="Choose decay below"):
        Walk(100.0, weights="exponential")([star])


def test_product_graphs_too_large_for_memory_are_refused():
    graphs = [Graph(["C"] * 40, [(i, i + 1) for i in range(39)])]
    with memory_limit("100KB"), pytest.raises(TooLargeError, match="product of graphs 0 and 0"):
        Walk(labelled=True)(graphs)


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ParameterError, match="'decay' parameter of Walk"):
        Walk(0.0)([Graph(1)])
    with pytest.raises(ParameterError, match="'weights' parameter of Walk must be 'geometric' or"):
        Walk(weights="linear")([Graph(1)])


def test_a_support_vector_machine_takes_molecules():
    graphs, classes = load_graphs("MUTAG")
    learner = SVC(kernel=Walk(0.05, weights="exponential"), C=100).fit(graphs[::2], classes[::2])
    assert learner.score(graphs[1::2], classes[1::2]) > 0.65
