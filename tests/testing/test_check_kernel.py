"""Kernels that break one rule each."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.kernels import Linear
from rarefind.testing import check_kernel
from rarefind.testing.kernels import RULES
from tests.testing.broken import assert_breaks, assert_every_rule_is_tried

X = np.random.default_rng(0).normal(size=(6, 2))


class Single(Linear):
    def _gram(self, left, right):
        return super()._gram(left, right).astype(np.float32)


class Infinite(Linear):
    def __call__(self, A, B=None):
        gram = super().__call__(A, B)
        gram[1, 2] = np.inf
        return gram


class OneWay(Linear):
    def _gram(self, left, right):
        gram = super()._gram(left, right)
        return gram if right is not None else np.tril(gram)


class Distance(Linear):
    def _gram(self, left, right):
        right = left if right is None else right
        return np.linalg.norm(left[:, None] - right[None], axis=2)

    def _diag(self, left):
        return np.zeros(len(left))


class ForgetsTheLength(Linear):
    def _diag(self, left):
        return np.ones(len(left))


class ComparesPlaces(Linear):
    def _gram(self, left, right):
        return super()._gram(left, right) + np.eye(len(left), len(left if right is None else right))

    def _diag(self, left):
        return super()._diag(left) + 1.0

    def _features(self, A):
        return super(Linear, self)._features(A)


class KnowsItselfOnly(Linear):
    """Two lists of which one is the other are answered otherwise than one list alone."""

    def __call__(self, A, B=None):
        return super().__call__(A, B) * (2.0 if B is A else 1.0)


class HalfTheFeatures(Linear):
    def _features(self, A):
        return super()._features(A)[:, :1]


class ForgetsInACopy(Linear):
    """A setting that is no parameter, so that a copy does not have it."""

    def __init__(self):
        self.secret = 1.0

    def told(self, secret):
        self.secret = secret
        return self

    def _gram(self, left, right):
        return self.secret * super()._gram(left, right)

    def _diag(self, left):
        return self.secret * super()._diag(left)

    def _features(self, A):
        return np.sqrt(self.secret) * super()._features(A)


class Grows(Linear):
    """Every call on one list alone counts, and the fourth says something else."""

    calls = 0

    def __call__(self, A, B=None):
        if B is None:
            type(self).calls += 1
        return super().__call__(A, B) * (2.0 if type(self).calls > 2 else 1.0)


class CentresInPlace(Linear):
    def __call__(self, A, B=None):
        if B is None:
            A -= A.mean(axis=0)
        return super().__call__(A, B)


BROKEN = [
    (Single(), "k(A) is a square", "The type of k(A): expected 'float64', got 'float32'."),
    (Infinite(), "k(A) is a square", "k(A) is inf for records 1 ("),
    (OneWay(), "A is as similar", "For records 0 (array([[ 0.12"),
    (Distance(), "Similarities are inner products", "On these 6 records the smallest is -"),
    (ForgetsTheLength(), "diag(A) is", "diag(A) gives 1 and k(A) "),
    (ComparesPlaces(), "k(A, B) is", "k(A, B) gives "),
    (KnowsItselfOnly(), "k(A, A) is", "k(A, A) gives "),
    (HalfTheFeatures(), "Features, where", "the product of features(A) gives "),
    (ForgetsInACopy().told(3.0), "A copy made by clone", "a copy gives "),
    (Grows(), "Calls change nothing", "k(A) once more gives "),
    (CentresInPlace(), "Calls change nothing", "Record 0 is "),
]


@pytest.mark.parametrize(
    ("kernel", "rule", "example"), BROKEN, ids=[type(kernel).__name__ for kernel, _, _ in BROKEN]
)
def test_a_kernel_that_breaks_a_rule_is_told_which(kernel, rule, example):
    records = X.copy()
    assert_breaks(lambda: check_kernel(kernel, records), rule, example)


def test_every_rule_is_broken_here():
    assert_every_rule_is_tried(RULES, [rule for _, rule, _ in BROKEN])


def test_an_error_of_the_kernel_counts_against_it():
    class Refuses(Linear):
        def _diag(self, left):
            raise KeyError("diag")

    assert_breaks(lambda: check_kernel(Refuses(), X), "diag(A) is", "It raised KeyError")


def test_a_similarity_that_is_no_inner_product_passes_where_that_is_known():
    class Plain(Distance):
        def _features(self, A):
            return super(Linear, self)._features(A)

    check_kernel(Plain(), X, semidefinite=False)


def test_too_few_records_are_refused():
    with pytest.raises(ValueError, match=r"needs four records or more. Got 3."):
        check_kernel(Linear(), X[:3])
