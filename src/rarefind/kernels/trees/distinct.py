"""Trees that share their equal parts, so that each different subtree is compared once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from rarefind.core.arrays import IntArray
from rarefind.kernels.trees.ordered import FlatTree


@dataclass
class Alphabet:
    """Numbers for what has been seen, the same for all forests that share it."""

    labels: dict[Hashable, int] = field(default_factory=dict)
    kinds: dict[Hashable, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Forest:
    """The different subtrees (nodes with all below them) of some trees.

    Attributes
    ----------
    kinds
        Subtrees can share a part only if they are of the same kind: with the same number of
        children and, if labels count, the same labels on the root and its children. Leaves, which
        share nothing, have kind -1.
    heights
        Steps down to the farthest leaf.
    children, first_children
        The children of subtree i are ``children[first_children[i]:first_children[i + 1]]``.
    roots
        The subtree that each tree is as a whole.
    counts
        How often each subtree occurs in each tree.
    """

    kinds: IntArray
    heights: IntArray
    children: IntArray
    first_children: IntArray
    roots: IntArray
    counts: sparse.csr_array

    @classmethod
    def grow(cls, trees: Sequence[FlatTree], alphabet: Alphabet, *, labelled: bool) -> Forest:
        """Find the different subtrees of some trees."""
        known: dict[tuple[int, tuple[int, ...]], int] = {}
        kinds: list[int] = []
        heights: list[int] = []
        children: list[int] = []
        first_children = [0]
        labels: list[int] = []
        roots, found, ends = [], [], [0]
        for tree in trees:
            waiting: list[int] = []
            for name, degree in zip(tree.labels, tree.degrees, strict=True):
                label = alphabet.labels.setdefault(name, len(alphabet.labels)) if labelled else 0
                below = tuple(waiting[len(waiting) - degree :])
                del waiting[len(waiting) - degree :]
                number = known.setdefault((label, below), len(known))
                if number == len(kinds):
                    kind: Hashable = (label, *[labels[child] for child in below])
                    kinds.append(
                        alphabet.kinds.setdefault(kind, len(alphabet.kinds)) if below else -1
                    )
                    heights.append(1 + max((heights[child] for child in below), default=-1))
                    children.extend(below)
                    first_children.append(len(children))
                    labels.append(label)
                found.append(number)
                waiting.append(number)
            roots.append(waiting[0])
            ends.append(len(found))
        shape = (len(trees), len(kinds))
        counts = sparse.csr_array(
            (np.ones(len(found)), np.array(found, dtype=np.int64), ends), shape=shape
        )
        counts.sum_duplicates()
        return cls(
            np.array(kinds, dtype=np.int64),
            np.array(heights, dtype=np.int64),
            np.array(children, dtype=np.int64),
            np.array(first_children, dtype=np.int64),
            np.array(roots, dtype=np.int64),
            counts,
        )

    def child(self, subtrees: IntArray, place: int) -> IntArray:
        """Return the child at one place of each of these subtrees."""
        return self.children[self.first_children[subtrees] + place]

    def degree(self, subtree: int) -> int:
        """How many children a subtree has."""
        return int(self.first_children[subtree + 1] - self.first_children[subtree])
