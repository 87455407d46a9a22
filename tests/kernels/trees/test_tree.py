from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from rarefind.core.errors import DataError
from rarefind.kernels.trees import AllSubtree, Tree
from rarefind.kernels.trees.ordered import read_trees
from tests.kernels.trees.tree_examples import trees


class ToolkitTree(list):
    """A tree as the natural language toolkit has it."""

    def __init__(self, label, children):
        super().__init__(children)
        self._label = label

    def label(self):
        return self._label


@pytest.mark.parametrize(
    "record",
    [
        "(S (NP she) (VP sleeps))",
        "  ( S(NP she)\n(VP (sleeps)) ) ",
        ("S", ("NP", "she"), ("VP", ("sleeps",))),
        ["S", ["NP", "she"], ["VP", "sleeps"]],
        Tree("S", (Tree("NP", [Tree("she")]), Tree("VP", [Tree("sleeps")]))),
        ToolkitTree("S", [ToolkitTree("NP", ["she"]), ToolkitTree("VP", ["sleeps"])]),
    ],
)
def test_every_form_of_a_tree_is_the_same_tree(record):
    (tree,) = read_trees([record], "Test")
    assert tree.labels == ["she", "NP", "sleeps", "VP", "S"]
    assert tree.degrees == [0, 1, 0, 1, 2]


def write(tree):
    return (
        tree[0] if len(tree) == 1 else f"({tree[0]} {' '.join(write(part) for part in tree[1:])})"
    )


@given(trees)
def test_brackets_and_tuples_agree(tree):
    assert read_trees([write(tree)], "Test") == read_trees([tree], "Test")


def test_labels_may_be_numbers_or_tuples():
    gram = AllSubtree()([((1, 2), 3), ((1, 2), 3.0), ((1, 2), "3")])
    np.testing.assert_array_equal(gram[0], [1, 1, 0])


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("", "the text is empty"),
        ("(S (NP she)", "brackets are left open"),
        ("(", "brackets are left open"),
        ("(S a) (S b)", r"more after its end, at character 6: '\('"),
        ("two words", "more after its end"),
        (")", "closes nothing"),
        ("(S () b)", "a label is missing"),
        ((), "empty node"),
        (("S", ()), "empty node"),
        (({"a": 1}, "b"), "Got dict"),
        (5, "got int. A tree is"),
    ],
)
def test_what_is_not_a_tree_is_refused_in_words(record, words):
    with pytest.raises(DataError, match=words) as refused:
        AllSubtree()(["(S a)", record])
    assert "AllSubtree cannot read tree 1" in str(refused.value)


@pytest.mark.parametrize("record", ["(S a)", Tree("S"), {}])
def test_one_tree_instead_of_a_list_is_refused_in_words(record):
    with pytest.raises(DataError, match="put it into a list"):
        AllSubtree()(record)
