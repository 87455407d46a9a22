from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.core.errors import ParameterError
from rarefind.core.progress import listen
from rarefind.kernels.graphs import Graph, ShortestPath, shortest_path
from rarefind.testing import check_kernel
from tests.kernels.graphs.graph_examples import (
    ODD_GRAPHS,
    brute_gram,
    edge_table,
    labels_of,
    lists_of_graphs,
    molecules,
)


def brute(labelled):
    def counts(graph):
        whole = nx.Graph(list(edge_table(graph)))
        whole.add_nodes_from(range(graph.size))
        labels = labels_of(graph, labelled)
        return Counter(
            (labels[source], labels[target], length)
            for source, lengths in nx.all_pairs_shortest_path_length(whole)
            for target, length in lengths.items()
            if target != source
        )

    def pair(one, other):
        mine, theirs = counts(one), counts(other)
        return sum(times * theirs[pattern] for pattern, times in mine.items())

    return pair


@settings(max_examples=25, deadline=None)
@given(lists_of_graphs, st.booleans())
def test_values_equal_counts_of_networkx_distances(graphs, labelled):
    kernel = ShortestPath(labelled=labelled)
    np.testing.assert_array_equal(kernel(graphs), brute_gram(brute(labelled), graphs))
    check_kernel(kernel, graphs)


def test_odd_graphs_are_compared_as_the_definition_says():
    for labelled in (True, False):
        kernel = ShortestPath(labelled=labelled)
        np.testing.assert_array_equal(kernel(ODD_GRAPHS), brute_gram(brute(labelled), ODD_GRAPHS))
        check_kernel(kernel, ODD_GRAPHS)


def test_working_on_few_sources_at_a_time_changes_nothing_and_tells_progress(monkeypatch):
    graphs = [*molecules(10), Graph(60, [(i, i + 1) for i in range(59)])]
    expected = ShortestPath()(graphs)
    monkeypatch.setattr(shortest_path, "PAIRS_AT_ONCE", 500)
    steps = []
    with listen(steps.append):
        np.testing.assert_array_equal(ShortestPath()(graphs), expected)
    assert steps[-1].done == steps[-1].total == sum(graph.size for graph in graphs)
    assert len(steps) > 5


def test_fitted_columns_are_the_same_for_new_graphs():
    train, test = molecules(9, seed=1), molecules(6, seed=2)
    kernel = ShortestPath().fit(train)
    product = kernel.features(test) @ kernel.features(train).T
    np.testing.assert_array_equal(product.toarray(), kernel(test, train))


def test_a_word_for_labelled_is_refused():
    with pytest.raises(ParameterError, match="'labelled' parameter of ShortestPath"):
        ShortestPath(labelled="yes")([Graph(1)])
