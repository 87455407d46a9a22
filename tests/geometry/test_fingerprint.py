from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from rarefind.geometry.fingerprint import NoFingerprintError, fingerprint
from rarefind.kernels import Gaussian, Normalized, Spectrum
from rarefind.kernels.graphs import Graph

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def tagged(value):
    """Write a value with its types: True and 1 are equal in Python, and differ here."""
    if isinstance(value, dict):
        return "map", sorted((key, tagged(each)) for key, each in value.items())
    if isinstance(value, list):
        return "list", [tagged(each) for each in value]
    return type(value).__name__, value


@given(plain, plain)
def test_values_have_the_same_fingerprint_if_and_only_if_they_are_the_same(one, other):
    assert fingerprint(one) == fingerprint(one)
    assert (fingerprint(one) == fingerprint(other)) == (repr(tagged(one)) == repr(tagged(other)))


def test_arrays_count_by_numbers_shape_and_type():
    X = np.arange(6.0)
    others = [X + 1, X.reshape(2, 3), X.astype(np.float32), X[::-1], sparse.csr_array(X[None, :])]
    assert len({fingerprint(each) for each in [X, *others]}) == 6
    assert fingerprint(X[::-1]) == fingerprint(X[::-1].copy())
    assert fingerprint(sparse.coo_array(X[None, :])) == fingerprint(sparse.csr_array(X[None, :]))
    assert fingerprint(np.array(["a", None], dtype=object)) == fingerprint(["a", None])


def learnt(width):
    """A kernel that knows something of records; what a kernel learns ends in an underscore."""
    kernel = Gaussian()
    kernel.width_ = width
    return kernel


def test_kernels_count_by_parameters_and_by_what_they_learnt():
    different = [Gaussian(), Gaussian(2.0), Spectrum(2), Normalized(Spectrum(2)), learnt(1.0)]
    different += [learnt(2.0), Normalized(learnt(2.0))]
    assert len({fingerprint(kernel) for kernel in different}) == len(different)
    assert fingerprint(Normalized(learnt(2.0))) == fingerprint(Normalized(learnt(2.0)))


def test_graphs_and_sets_have_fingerprints_and_the_order_of_a_set_does_not_matter():
    graph = Graph([0, 1], [(0, 1)])
    assert fingerprint(graph) == fingerprint(Graph([0, 1], [(0, 1)]))
    assert fingerprint(graph) != fingerprint(Graph([0, 0], [(0, 1)]))
    assert fingerprint({"x", "y", "z"}) == fingerprint({"z", "y", "x"})


def test_a_fingerprint_is_the_same_in_another_process():
    code = (
        "from rarefind.geometry.fingerprint import fingerprint; print(fingerprint({'b', 'a'}, 1.5))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == fingerprint({"a", "b"}, 1.5)


class Home(Gaussian):
    """A kernel that is not ours, whose code may be another tomorrow."""


@pytest.mark.parametrize("value", [Home(), LogisticRegression(), len, object(), [1, Home()]])
def test_what_may_change_unseen_has_no_fingerprint(value):
    with pytest.raises(NoFingerprintError, match="has no fingerprint"):
        fingerprint(value)
