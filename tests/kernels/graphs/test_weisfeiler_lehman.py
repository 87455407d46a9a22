from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels import FeatureTransformer, Normalized
from rarefind.kernels.graphs import Graph, ShortestPath, WeisfeilerLehman
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


def unfold(graph, node, depth, labelled, edge_labelled):
    """The neighbourhood itself, written out as nested tuples."""
    label = labels_of(graph, labelled)[node]
    if depth == 0:
        return (label,)
    table = edge_table(graph)
    around = sorted(
        (
            repr(table[node, other] if edge_labelled else None),
            unfold(graph, other, depth - 1, labelled, edge_labelled),
        )
        for one, other in table
        if one == node
    )
    return (unfold(graph, node, depth - 1, labelled, edge_labelled), tuple(around))


def brute(depth, labelled, edge_labelled):
    def counts(graph):
        return Counter(
            repr((d, unfold(graph, node, d, labelled, edge_labelled)))
            for d in range(depth + 1)
            for node in range(graph.size)
        )

    def pair(one, other):
        mine, theirs = counts(one), counts(other)
        return sum(times * theirs[pattern] for pattern, times in mine.items())

    return pair


@settings(max_examples=25, deadline=None)
@given(lists_of_graphs, st.integers(0, 2), st.booleans(), st.booleans())
def test_values_equal_counts_of_unfolded_neighbourhoods(graphs, depth, labelled, edge_labelled):
    kernel = WeisfeilerLehman(depth, labelled=labelled, edge_labelled=edge_labelled)
    expected = brute_gram(brute(depth, labelled, edge_labelled), graphs)
    np.testing.assert_array_equal(kernel(graphs), expected)
    check_kernel(kernel, graphs)


def test_odd_graphs_are_compared_as_the_definition_says():
    expected = brute_gram(brute(3, True, True), ODD_GRAPHS)
    kernel = WeisfeilerLehman(3, edge_labelled=True)
    np.testing.assert_array_equal(kernel(ODD_GRAPHS), expected)
    check_kernel(kernel, ODD_GRAPHS)


def test_many_graphs_give_the_same_through_the_dense_and_the_sparse_product():
    graphs = molecules(60)
    kernel = WeisfeilerLehman(2)
    features = kernel.features(graphs).toarray()
    np.testing.assert_array_equal(kernel(graphs), features @ features.T)
    np.testing.assert_array_equal(kernel(graphs[:7], graphs[7:]), kernel(graphs)[:7, 7:])


def test_node_order_does_not_matter():
    graph = molecules(1)[0]
    order = np.random.default_rng(0).permutation(graph.size)
    place = np.argsort(order)
    shuffled = Graph(
        [graph.nodes[i] for i in order], [(int(place[j]), int(place[i])) for i, j in graph.edges]
    )
    gram = WeisfeilerLehman(4)([graph, shuffled])
    assert np.ptp(gram) == 0


def test_fitted_columns_are_the_same_for_new_graphs_and_their_products_exact():
    train, test = molecules(12, seed=1), molecules(8, seed=2)
    kernel = WeisfeilerLehman(3).fit(train)
    old, new = kernel.features(train), kernel.features(test)
    assert old.shape[1] == new.shape[1] == len(kernel.patterns_)
    np.testing.assert_array_equal((new @ old.T).toarray(), kernel(test, train))
    np.testing.assert_array_equal(kernel(test), WeisfeilerLehman(3)(test))


def test_columns_mean_the_same_in_every_process():
    # Python's own hashes of words differ from process to process; these must not.
    expected = [
        3606677229018232194,
        4306354076854519897,
        4351771463330089189,
        10354780632211961311,
        11853483150005730975,
        17254959709763934885,
    ]
    for labels, edges in ((["C", ("N", 1), 2.0], [(0, 1)]), ([2, ("N", 1), "C"], [(2, 1)])):
        assert WeisfeilerLehman(1).fit([Graph(labels, edges)]).patterns_.tolist() == expected


def test_a_linear_learner_on_features_and_a_grid_search_run():
    graphs = molecules(30)
    classes = [graph.nodes.count("O") > 1 for graph in graphs]
    kernels = Normalized(WeisfeilerLehman()) + Normalized(ShortestPath())
    learner = make_pipeline(FeatureTransformer(kernels), SVC(kernel="linear"))
    assert learner.fit(graphs[:20], classes[:20]).predict(graphs[20:]).shape == (10,)
    search = GridSearchCV(SVC(kernel=WeisfeilerLehman()), {"kernel__depth": [0, 2]}, cv=2)
    assert search.fit(graphs, classes).best_params_["kernel__depth"] in (0, 2)


def test_molecules_that_cause_mutations_are_told_from_others():
    graphs, classes = load_graphs("MUTAG")
    scores = cross_val_score(SVC(kernel=WeisfeilerLehman(3), C=0.1), graphs, classes, cv=5)
    assert scores.mean() > 0.8


def test_a_negative_depth_and_a_string_are_refused():
    with pytest.raises(ParameterError, match=r"'depth' parameter of WeisfeilerLehman.*Got -1"):
        WeisfeilerLehman(-1)([Graph(1)])
    with pytest.raises(DataError, match=r"needs a list of graphs\. Got one str"):
        WeisfeilerLehman()("CCO")
    with pytest.raises(DataError, match="cannot read graph 1: Got str where a graph"):
        WeisfeilerLehman()([Graph(1), "CCO"])
