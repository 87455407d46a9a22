"""A tiny string kernel for tests: how many letters two strings share, with multiplicity."""

from __future__ import annotations

from collections import Counter

import numpy as np

from rarefind.kernels.contract import Kernel


class Letters(Kernel):
    def __init__(self, weight=1.0):
        self.weight = weight

    def _read(self, A):
        return [Counter(text) for text in A]

    def _gram(self, left, right):
        right = left if right is None else right
        return self.weight * np.array(
            [[float(sum(a[c] * b[c] for c in a)) for b in right] for a in left]
        )

    def _diag(self, left):
        return self.weight * np.array([float(sum(a[c] ** 2 for c in a)) for a in left])


WORDS = ["aab", "abb", "ab", "aabb", "aba", "bab", "xxy", "xy", "yyx", "xyxy"]
KINDS = ["low"] * 6 + ["high"] * 4
