from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone

from rarefind.core.errors import ParameterError
from rarefind.kernels import (
    AllSubsets,
    Anova,
    Centered,
    Gaussian,
    Linear,
    On,
    PathSum,
    Polynomial,
)
from rarefind.testing import check_kernel

few = settings(max_examples=25, deadline=None)
matrices = arrays(np.float64, (5, 4), elements=st.floats(-2, 2))


def all_subsets_graph(width):
    edges = []
    for i in range(width):
        edges += [(i, i + 1, 1), (i, i + 1, On(i, Linear()))]
    return PathSum(edges, source=0, sink=width)


def anova_graph(width, degree):
    edges = []
    for m in range(1, width + 1):
        for s in range(degree + 1):
            edges.append(((s, m - 1), (s, m), 1.0))
            if s:
                edges.append(((s - 1, m - 1), (s, m), On(m - 1, Linear())))
    return PathSum(edges, source=(0, 0), sink=(degree, width))


def polynomial_graph(degree, offset):
    edges = []
    for i in range(degree):
        edges += [(i, i + 1, offset), (i, i + 1, Linear())]
    return PathSum(edges, source=0, sink=degree)


@few
@given(matrices)
def test_closed_kernels_are_sums_over_paths(X):
    def same(graph, kernel):
        np.testing.assert_allclose(graph(X), kernel(X), rtol=1e-9, atol=1e-9)
        check_kernel(graph, X)

    same(all_subsets_graph(4), AllSubsets())
    same(anova_graph(4, 2), Anova(2))
    same(polynomial_graph(3, 0.5), Polynomial(3, offset=0.5))


def test_edges_that_no_path_uses_do_not_matter():
    edges = [("s", "t", Linear()), ("alone", "t", Linear()), ("s", "dead end", Linear())]
    X = np.array([[1.0], [2.0]])
    np.testing.assert_allclose(PathSum(edges, source="s", sink="t")(X), [[1, 2], [2, 4]])
    nowhere = PathSum([("s", "m", 1), ("t", "m", 1)], source="s", sink="t")
    np.testing.assert_allclose(nowhere(X), 0.0)


def test_parameters_on_edges_are_reached_by_number():
    kernel = PathSum([("s", "t", 2), ("s", "t", Gaussian(3.0))], source="s", sink="t")
    assert kernel.get_params()["edge1__width"] == 3.0
    X = np.array([[0.0], [1.0]])
    copy = clone(kernel).set_params(edge1__width=1.0)
    np.testing.assert_allclose(copy(X)[0, 1], 2 + np.exp(-0.5))
    copy.set_params(edge1=Linear())
    np.testing.assert_allclose(copy(X)[1, 1], 3.0)
    np.testing.assert_allclose(kernel(X)[0, 1], 2 + np.exp(-1 / 18))


def test_kernels_on_edges_learn():
    X = np.array([[0.0], [1.0], [5.0]])
    kernel = PathSum([("s", "t", Centered(Linear()))], source="s", sink="t").fit(X)
    np.testing.assert_allclose(kernel(X), np.outer(X - 2, X - 2))


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([], "'edges' parameter of PathSum must be a list of triples"),
        ([("s", "t", -1)], "'edges' parameter of PathSum must be a list of triples"),
        ([("s", "t")], "'edges' parameter of PathSum must be a list of triples"),
        ([("s", "m", 1), ("m", "s", 1), ("m", "t", 1)], "without cycles. Got"),
        ([("s", "m", 1)], "'sink' parameter of PathSum must be a node"),
    ],
)
def test_graphs_that_make_no_kernel_are_refused(edges, words):
    with pytest.raises(ParameterError, match=words):
        PathSum(edges, source="s", sink="t")([[1.0]])
