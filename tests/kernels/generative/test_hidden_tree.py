from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels.generative import FixedLengthHMM, HiddenTree
from rarefind.testing import check_kernel
from tests.kernels.generative.models import random_model, random_strings


def brute(parents, model, s, t):
    """Sum over hidden states of all nodes."""
    total = 0.0
    for states in product(range(len(model["initial"])), repeat=len(parents)):
        chance = 1.0
        for node, state in enumerate(states):
            parent = parents[node]
            before = model["initial"] if parent < 0 else model["transition"][states[parent]]
            chance *= before[state]
            for symbol in (s[node], t[node]):
                chance *= model["emission"][state][model["alphabet"].index(symbol)]
        total += chance
    return total


@st.composite
def shapes(draw):
    """Parents of a random tree whose nodes stand in a random order."""
    n = draw(st.integers(1, 6))
    parents = [-1] + [draw(st.integers(0, node - 1)) for node in range(1, n)]
    order = draw(st.permutations(range(n)))
    place = {node: i for i, node in enumerate(order)}
    return [-1 if parents[node] < 0 else place[parents[node]] for node in order]


@settings(max_examples=25, deadline=None)
@given(shapes(), st.integers(0, 10**6))
def test_values_equal_the_sum_over_all_hidden_states(parents, seed):
    model = random_model(seed)
    records = random_strings(seed, 5, [len(parents)])
    kernel = HiddenTree(parents, **model)
    expected = [[brute(parents, model, s, t) for t in records] for s in records]
    np.testing.assert_allclose(kernel(records), expected, rtol=1e-12)
    check_kernel(kernel, records)


@pytest.mark.parametrize("normalized", [False, True])
def test_a_chain_is_the_hidden_markov_model(normalized):
    model = {**random_model(5, 3, 4), "normalized": normalized}
    strings = random_strings(5, 8, [12], "abcd")
    chain = HiddenTree([place - 1 for place in range(12)], **model)
    np.testing.assert_allclose(chain(strings), FixedLengthHMM(**model)(strings), rtol=1e-12)
    backwards = HiddenTree([*range(1, 12), -1], **model)
    turned = [string[::-1] for string in strings]
    np.testing.assert_allclose(backwards(turned), chain(strings), rtol=1e-12)


def test_large_trees_do_not_underflow_when_normalized():
    parents = [-1, *[(node - 1) // 2 for node in range(1, 1023)]]
    kernel = HiddenTree(parents, **random_model(1, 3), normalized=True)
    records = random_strings(1, 5, [1023])
    np.testing.assert_allclose(np.diag(kernel(records)), 1.0, rtol=1e-9)
    check_kernel(kernel, records)


@pytest.mark.parametrize(
    ("parents", "words"),
    [
        ([0, 0], "exactly one node -1"),
        ([-1, -1], "exactly one node -1"),
        ([-1, 5], "number of its parent"),
        ([-1, 0.5], "number of its parent"),
        ([], "number of its parent"),
        ([-1, 2, 1], r"2 node\(s\) go round in a circle"),
    ],
)
def test_what_is_not_a_tree_is_refused_in_one_sentence(parents, words):
    with pytest.raises(ParameterError, match=words):
        HiddenTree(parents, **random_model(0))(["ab"])


def test_records_with_too_few_symbols_are_refused():
    with pytest.raises(DataError, match=r"each of its 3 nodes\. Record 1 has 2"):
        HiddenTree([-1, 0, 0], **random_model(0))(["aba", "ab"])
