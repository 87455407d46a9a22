"""The co-rooted subtree kernel."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.kernels.trees.distinct import Alphabet, Forest
from rarefind.kernels.trees.ordered import FlatTree
from rarefind.kernels.trees.shared import TreeKernel

PAIRS_AT_ONCE = 2**18
"""Pairs of trees compared between two steps of the progress bar. A choice."""


class CoRootedSubtree(TreeKernel):
    """Counts the parts that two trees share at their roots.

    A part is the root with all its children, some of them with all their children, and so on.
    ``k(T, T')`` is zero if one is a leaf or the roots differ in their number of children, and
    otherwise the product over children of ``k(child, child') + 1``.

    Parameters
    ----------
    labelled
        Whether all labels in a part must agree; otherwise only the shape counts.
    decay
        Weight of each node that is continued to its children; below 1, large parts count less.

    Examples
    --------
    >>> trees = ["(S (NP she) (VP sleeps))", "(S (NP he) (VP sleeps))"]
    >>> CoRootedSubtree()(trees)
    array([[4., 2.],
           [2., 4.]])
    """

    def _gram(self, left: list[FlatTree], right: list[FlatTree] | None) -> FloatArray:
        alphabet = Alphabet()
        mine = Forest.grow(left, alphabet, labelled=self.labelled)
        theirs = mine if right is None else Forest.grow(right, alphabet, labelled=self.labelled)
        # Equal trees are compared once, and both orders of a pair are one.
        roots, rows = np.unique(mine.roots, return_inverse=True)
        other_roots, columns = np.unique(theirs.roots, return_inverse=True)
        gram = np.empty((len(roots), len(other_roots)))
        if right is None:
            first, second = np.triu_indices(len(roots))
        else:
            first, second = (grid.ravel() for grid in np.indices(gram.shape))
        for start in range(0, len(first), PAIRS_AT_ONCE):
            i, j = first[start : start + PAIRS_AT_ONCE], second[start : start + PAIRS_AT_ONCE]
            gram[i, j] = self._compare(mine, theirs, roots[i], other_roots[j])
            announce("subtrees", start + len(i), len(first))
        if right is None:
            gram[second, first] = gram[first, second]
        return self._countable(gram)[np.ix_(rows, columns)]

    def _diag(self, left: list[FlatTree]) -> FloatArray:
        forest = Forest.grow(left, Alphabet(), labelled=self.labelled)
        return self._countable(self._compare(forest, forest, forest.roots, forest.roots))

    def _compare(self, mine: Forest, theirs: Forest, u: IntArray, v: IntArray) -> FloatArray:
        """Similarities of pairs of subtrees, going down level by level and up again."""
        levels = []
        while True:
            alike = (mine.kinds[u] == theirs.kinds[v]) & (mine.kinds[u] >= 0)
            pairs, back = np.unique(u[alike] * len(theirs.kinds) + v[alike], return_inverse=True)
            levels.append((alike, back))
            if not len(pairs):
                break
            one, other = np.divmod(pairs, len(theirs.kinds))
            many = mine.first_children[one + 1] - mine.first_children[one]
            begins = np.cumsum(many) - many
            offset = np.arange(int(many.sum())) - np.repeat(begins, many)
            levels.append((begins, offset))
            u = mine.children[np.repeat(mine.first_children[one], many) + offset]
            v = theirs.children[np.repeat(theirs.first_children[other], many) + offset]
        found = np.empty(0)
        while True:
            alike, back = levels.pop()
            values = np.zeros(len(alike))
            values[alike] = found[back]
            if not levels:
                return values
            begins, _ = levels.pop()
            with np.errstate(over="ignore"):
                found = self.decay * np.multiply.reduceat(1 + values, begins)
