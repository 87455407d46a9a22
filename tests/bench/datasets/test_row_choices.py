from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rarefind.kernels import Normalized, Spectrum
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.row_choices import cut_rows, rare_rows


def labels_of(sizes):
    return [name for name, size in sizes.items() for _ in range(size)]


def test_a_set_with_a_rare_class_is_left_whole():
    labels = labels_of({"a": 90, "b": 8, "c": 2})
    np.testing.assert_array_equal(rare_rows(labels, 0), np.arange(100))


def test_a_balanced_set_keeps_a_third_of_its_classes_and_thins_the_others():
    labels = labels_of({str(digit): 1000 + digit for digit in range(9)})
    kept = Counter(labels[row] for row in rare_rows(labels, 5))
    assert [kept[digit] for digit in "876"] == [1008, 1007, 1006]
    thinned = sorted(kept[str(digit)] for digit in range(6))
    assert thinned[0] == round(0.003 * 3021)
    assert thinned[-1] == round(0.03 * 3021)
    np.testing.assert_array_equal(rare_rows(labels, 5), rare_rows(labels, 5))


@pytest.mark.parametrize("rows", [None, 60, 5000])
def test_a_cut_keeps_shares_but_at_least_eight_of_every_class(rows):
    labels = labels_of({"a": 900, "b": 90, "c": 6, "d": 4})
    chosen = cut_rows(labels, rows, seed=3)
    assert len(set(chosen.tolist())) == len(chosen)
    kept = Counter(labels[row] for row in chosen)
    if rows == 60:
        assert kept == {"a": 54, "b": 8, "c": 6, "d": 4}
    else:
        assert kept == Counter(labels)
    assert (np.diff(chosen) < 0).any()  # not in the order of the file


def test_rare_background_and_priors_follow_from_the_labels():
    labels = ("a",) * 80 + ("b",) * 16 + ("c",) * 4
    some = LabelledSet("some", np.arange(100.0)[:, None], labels)
    assert some.background == "a"
    assert some.rare == ("c",)
    assert some.priors == {"b": 0.16, "c": 0.04}


def test_the_space_of_a_set_is_that_of_its_kernel_or_of_its_scaled_vectors():
    words = LabelledSet("words", ["aab", "abb", "aab"], ("x", "x", "y"), Normalized(Spectrum(2)))
    assert words.space("standard").engine.n == 2
    X = np.array([[0.0], [1.0], [100.0]])
    assert LabelledSet("v", X, ("x", "x", "y")).space("squash").vectors.max() < 2.0
    ready = LabelledSet("v", X, ("x", "x", "y"), scale="none")
    assert ready.space("squash").vectors.max() == 100.0
