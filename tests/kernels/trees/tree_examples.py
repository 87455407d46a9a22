"""Trees to test with, and the parts of a tree one by one."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
from hypothesis import strategies as st

leaves = st.sampled_from("ab").map(lambda label: (label,))


def extend(children):
    below = st.lists(children, min_size=1, max_size=3)
    return st.tuples(st.sampled_from("ab"), below).map(lambda node: (node[0], *node[1]))


trees = st.recursive(leaves, extend, max_leaves=5)
lists_of_trees = st.lists(trees, min_size=4, max_size=6)


def parts_at_root(tree, labelled):
    """Every part that contains the root: each child is an end, or goes on as a part itself."""
    label = tree[0] if labelled else "*"
    children = tree[1:]
    if not children:
        return []
    choices = [
        [(child[0] if labelled else "*",), *parts_at_root(child, labelled)] for child in children
    ]
    return [(label, *choice) for choice in product(*choices)]


def weight(part, decay):
    """The decay for each node of the part that goes on to its children."""
    return (decay if len(part) > 1 else 1.0) * np.prod([weight(below, decay) for below in part[1:]])


def nodes(tree):
    return [tree, *(node for child in tree[1:] for node in nodes(child))]


def brute_gram(trees, labelled, decay, everywhere):
    counts = [
        Counter(
            part
            for node in (nodes(tree) if everywhere else [tree])
            for part in parts_at_root(node, labelled)
        )
        for tree in trees
    ]
    return np.array(
        [
            [
                sum(weight(part, decay) * times * theirs[part] for part, times in mine.items())
                for theirs in counts
            ]
            for mine in counts
        ],
        dtype=float,
    )
