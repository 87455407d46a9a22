from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from rarefind.core.errors import DataError, NotAvailableError, ParameterError, TooLargeError
from rarefind.core.memory_guard import memory_limit
from rarefind.core.progress import listen
from rarefind.kernels import Normalized
from rarefind.kernels.trees import AllSubtree, CoRootedSubtree, Tree, all_subtree, co_rooted
from rarefind.testing import check_kernel
from tests.kernels.trees.tree_examples import brute_gram, lists_of_trees

KINDS = [(CoRootedSubtree, False), (AllSubtree, True)]
SENTENCES = [
    "(S (NP (D the) (N cat)) (VP (V sees) (NP (D the) (N dog))))",
    "(S (NP (D a) (N dog)) (VP (V sees) (NP (D the) (N cat))))",
    "(S (NP she) (VP (V sleeps)))",
    "(S (NP she) (VP (V sees) (NP (D the) (N cat))))",
    "word",
]


@pytest.mark.parametrize(("kind", "everywhere"), KINDS)
@settings(max_examples=25, deadline=None)
@given(lists_of_trees, st.booleans(), st.sampled_from([1.0, 0.5]))
def test_values_equal_counts_of_parts_listed_one_by_one(kind, everywhere, trees, labelled, decay):
    kernel = kind(labelled=labelled, decay=decay)
    expected = brute_gram(trees, labelled, decay, everywhere)
    np.testing.assert_allclose(kernel(trees), expected, rtol=1e-12)
    check_kernel(kernel, trees)


@pytest.mark.parametrize(("kind", "everywhere"), KINDS)
def test_small_blocks_change_nothing_and_tell_progress(kind, everywhere, monkeypatch):
    kernel = kind(decay=0.7)
    expected = kernel(SENTENCES)
    monkeypatch.setattr(all_subtree, "TABLE", 300)
    monkeypatch.setattr(co_rooted, "PAIRS_AT_ONCE", 2)
    steps = []
    with listen(steps.append):
        np.testing.assert_allclose(kernel(SENTENCES), expected, rtol=1e-14)
    assert len(steps) > 2
    assert steps[-1].done == steps[-1].total
    np.testing.assert_allclose(kernel(SENTENCES[:2], SENTENCES[2:]), expected[:2, 2:], rtol=1e-14)


def test_a_hand_counted_example_of_collins_and_duffy():
    # (NP (D the) (N cat)): two words under their tags, and the phrase with 2 x 2 endings.
    assert AllSubtree()(["(NP (D the) (N cat))"])[0, 0] == 6
    assert CoRootedSubtree()(["(NP (D the) (N cat))"])[0, 0] == 4
    assert AllSubtree()(["(NP (D the) (N cat))"], ["(NP (D the) (N dog))"])[0, 0] == 3


def test_shape_alone_counts_without_labels():
    one, other = ("a", "b", ("c", "d")), ("x", "y", ("z", "z"))
    for kind, _ in KINDS:
        assert kind()([one], [other])[0, 0] == 0
        unlabelled = kind(labelled=False)
        assert unlabelled([one], [other])[0, 0] == unlabelled.diag([one])[0] > 0


def test_a_leaf_shares_nothing_and_normalises_to_zero():
    for kind, _ in KINDS:
        gram = Normalized(kind())(["word", "(S a)"])
        np.testing.assert_array_equal(gram, [[0, 0], [0, 1]])


def test_trees_deeper_than_any_recursion_limit_are_compared():
    chain = Tree("end")
    for _ in range(5000):
        chain = Tree("step", [chain])
    assert len(chain) == 5001
    # k(h) = decay * (1 + k(h - 1)) has the limit decay / (1 - decay).
    shape = CoRootedSubtree(decay=0.5, labelled=False)
    assert shape([chain])[0, 0] == pytest.approx(1.0)
    assert shape([chain], [("a", ("b", "c"))])[0, 0] == 0.75


def test_all_subtrees_of_a_deep_chain_are_counted():
    depth = 1500
    chain = "(a " * depth + "a" + ")" * depth
    # Between two chains of h and h' steps there are min(h, h') parts at the root.
    steps = np.minimum.outer(np.arange(1, depth + 1), np.arange(1, depth + 1)).sum()
    assert AllSubtree(labelled=False)([chain])[0, 0] == steps


def test_counts_beyond_floating_point_are_refused_and_decay_helps():
    full = "a"
    for _ in range(12):
        full = f"(a {full} {full})"
    for kind, _ in KINDS:
        with pytest.raises(DataError, match="Choose decay below 1"):
            kind()([full])
        with pytest.raises(DataError, match="Choose decay below 1"):
            kind().diag([full])
        assert np.isfinite(kind(decay=0.2)([full])).all()


def test_a_table_too_large_for_memory_is_refused():
    with memory_limit("1KB"), pytest.raises(TooLargeError, match="different subtrees would need"):
        AllSubtree()(SENTENCES)


def test_a_support_vector_machine_takes_sentences():
    learner = SVC(kernel=Normalized(AllSubtree(decay=0.5))).fit(SENTENCES[:4], [1, 1, 0, 0])
    assert learner.predict(SENTENCES).shape == (5,)


def test_no_trees_have_no_similarities():
    for kind, _ in KINDS:
        assert kind()([]).shape == (0, 0)
        assert kind()(SENTENCES, []).shape == (5, 0)
        assert kind().diag([]).shape == (0,)


def test_parameters_out_of_range_are_refused():
    with pytest.raises(ParameterError, match=r"'decay' parameter of AllSubtree.*\(0, 1\].*Got 0"):
        AllSubtree(decay=0)(SENTENCES)
    with pytest.raises(ParameterError, match="'labelled' parameter of CoRootedSubtree"):
        CoRootedSubtree(labelled=1)(SENTENCES)
    with pytest.raises(NotAvailableError):
        AllSubtree().features(SENTENCES)
