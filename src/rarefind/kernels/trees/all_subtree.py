"""The all-subtree kernel."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.progress import announce
from rarefind.kernels.trees.distinct import Alphabet, Forest
from rarefind.kernels.trees.ordered import FlatTree
from rarefind.kernels.trees.shared import TreeKernel

TABLE = 2**22
"""Pairs of subtrees that are compared at a time."""


class AllSubtree(TreeKernel):
    """Counts the parts that two trees share anywhere.

    The sum of :class:`CoRootedSubtree` over all pairs of nodes. With labels these are the subset
    trees of Collins and Duffy (2001): a part is a node with all its children, some of them with
    all their children, and so on.

    Parameters
    ----------
    labelled
        Whether all labels in a part must agree; otherwise only the shape counts.
    decay
        Weight of each node that is continued to its children; below 1, large parts count less.

    Examples
    --------
    >>> trees = ["(S (NP she) (VP sleeps))", "(S (NP he) (VP sleeps))"]
    >>> AllSubtree()(trees)
    array([[6., 3.],
           [3., 6.]])
    """

    def _gram(self, left: list[FlatTree], right: list[FlatTree] | None) -> FloatArray:
        blocks = _blocks(left)
        others = blocks if right is None else _blocks(right)
        n_columns = len(left if right is None else right)
        gram = np.zeros((len(left), n_columns))
        todo = [
            (rows, columns)
            for i, rows in enumerate(blocks)
            for columns in others[i if right is None else 0 :]
        ]
        for done, (rows, columns) in enumerate(todo, start=1):
            again = right is None and rows == columns
            theirs = left if right is None else right
            part = self._block(left[rows], None if again else theirs[columns])
            gram[rows, columns] = part
            if right is None:
                gram[columns, rows] = part.T
            announce("subtrees", done, len(todo))
        return self._countable(gram)

    def _diag(self, left: list[FlatTree]) -> FloatArray:
        parts = [self._block(left[part], None).diagonal() for part in _blocks(left)]
        return self._countable(np.concatenate(parts) if parts else np.empty(0))

    def _block(self, left: list[FlatTree], right: list[FlatTree] | None) -> FloatArray:
        """Similarities of some trees, through a table of all their different subtrees."""
        alphabet = Alphabet()
        mine = Forest.grow(left, alphabet, labelled=self.labelled)
        theirs = mine if right is None else Forest.grow(right, alphabet, labelled=self.labelled)
        ensure_fits(
            32 * len(mine.kinds) * len(theirs.kinds),
            f"The table of {len(mine.kinds)} x {len(theirs.kinds)} different subtrees",
            "Compare smaller trees.",
        )
        table = np.zeros((len(mine.kinds), len(theirs.kinds)))
        by_kind = {
            kind: np.flatnonzero(theirs.kinds == kind)
            for kind in np.intersect1d(mine.kinds, theirs.kinds).tolist()
            if kind >= 0
        }
        # Lower subtrees first, so that children are in the table before their parents.
        order = np.lexsort((mine.kinds, mine.heights))
        changes = np.flatnonzero(np.diff(mine.kinds[order]) | np.diff(mine.heights[order])) + 1
        with np.errstate(over="ignore"):
            for group in np.split(order, changes):
                alike = by_kind.get(int(mine.kinds[group[0]])) if len(group) else None
                if alike is None:
                    continue
                values = np.full((len(group), len(alike)), self.decay)
                for place in range(mine.degree(int(group[0]))):
                    below = np.ix_(mine.child(group, place), theirs.child(alike, place))
                    values *= 1 + table[below]
                table[np.ix_(group, alike)] = values
            inner: FloatArray = mine.counts @ table
            return np.asarray((theirs.counts @ inner.T).T)


def _blocks(trees: list[FlatTree]) -> list[slice]:
    """Stretches of trees with about as many nodes as a side of the table has."""
    side = int(np.sqrt(TABLE))
    blocks, start, nodes = [], 0, 0
    for position, tree in enumerate(trees):
        if position > start and nodes + len(tree.labels) > side:
            blocks.append(slice(start, position))
            start, nodes = position, 0
        nodes += len(tree.labels)
    return [*blocks, slice(start, len(trees))] if trees else []
