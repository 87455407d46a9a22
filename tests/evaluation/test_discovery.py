from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import DataError
from rarefind.evaluation import (
    classes_found,
    labels_needed,
    random_classes_found,
    random_labels_needed,
)

# Exact expectations published for the thesis data sets; Shuttle counts the rare classes only.
PUBLISHED = {
    "ecoli": ([143, 77, 52, 35, 20, 9], 336, 39.9),
    "glass": ([76, 70, 29, 17, 13, 9], 214, 30.5),
    "page-blocks": ([4913, 329, 115, 88, 28], 5473, 209.7),
    "shuttle": ([674, 245, 132, 37, 11, 6], 4515, 776.9),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_random_samplings_exact_expectation_is_the_published_one(name):
    sizes, n, expected = PUBLISHED[name]
    assert random_labels_needed(sizes, n) == pytest.approx(expected, abs=0.05)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.integers(0, 5))
def test_the_expectation_equals_the_sum_over_all_subsets(sizes, rest):
    n = sum(sizes) + rest
    slow = sum(
        (-1) ** (len(chosen) + 1) * (n + 1) / (1 + sum(chosen))
        for k in range(1, len(sizes) + 1)
        for chosen in combinations(sizes, k)
    )
    assert random_labels_needed(sizes, n) == pytest.approx(slow)


def test_random_curves_match_simulation():
    rng = np.random.default_rng(0)
    sizes, n = [3, 5, 2], 25
    labels = np.repeat([0, 1, 2, 3], [*sizes, n - sum(sizes)])
    curves = [classes_found(rng.permutation(labels).tolist(), [3]) for _ in range(4000)]
    np.testing.assert_allclose(
        np.mean(curves, axis=0), random_classes_found(sizes, n, n), atol=0.06
    )
    all_seen = [int(np.argmax(curve == 3)) for curve in curves]
    assert np.mean(all_seen) == pytest.approx(random_labels_needed(sizes, n), abs=0.3)


@given(st.lists(st.sampled_from("abcd"), max_size=12))
def test_the_curve_counts_the_classes_seen_so_far(told):
    curve = classes_found(told, background=["a"])
    assert curve.tolist() == [len(set(told[:q]) - {"a"}) for q in range(len(told) + 1)]
    assert labels_needed(told, ["a"]) == {
        label: told.index(label) + 1 for label in dict.fromkeys(told) if label != "a"
    }


def test_impossible_sizes_are_refused():
    with pytest.raises(DataError, match="sum to at most the 5 records"):
        random_labels_needed([3, 4], 5)
