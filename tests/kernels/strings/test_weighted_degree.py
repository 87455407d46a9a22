from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels import WeightedDegree, make_kernel
from rarefind.kernels.formulas.reading import parse_kernel

WORDS = st.lists(st.text("abc", max_size=7), min_size=1, max_size=6)


def slow(left, right, length, anchor):
    """Compare every piece of the one with the piece in the same place of the other."""
    if anchor == "end":
        # From the end, a piece is in the same place if as many letters follow it.
        left, right = left[::-1], right[::-1]
    total = 0.0
    for q in range(1, length + 1):
        same = sum(
            left[i : i + q] == right[i : i + q] for i in range(min(len(left), len(right)) - q + 1)
        )
        total += 2.0 * (length - q + 1) / (length * (length + 1)) * same
    return total


@given(WORDS, WORDS, st.integers(1, 4), st.sampled_from(["start", "end"]))
def test_it_equals_its_definition_also_for_records_met_later(learnt, others, length, anchor):
    kernel = WeightedDegree(length, anchor=anchor)
    expected = [[slow(a, b, length, anchor) for b in learnt] for a in others]
    if any(learnt) or any(others):
        np.testing.assert_allclose(kernel(others, learnt), expected, atol=1e-12)
    if any(learnt):
        fitted = WeightedDegree(length, anchor=anchor).fit(learnt)
        product = (fitted.features(others) @ fitted.features(learnt).T).toarray()
        np.testing.assert_allclose(product, expected, atol=1e-12)


def test_a_letter_in_another_place_is_another_letter():
    assert WeightedDegree(1)(["ab"], ["ba"]).tolist() == [[0.0]]
    assert WeightedDegree(1)(["ab"], ["ab"]).tolist() == [[2.0]]


def test_it_is_made_by_name_and_in_formulas():
    assert make_kernel("weighted-degree", length=2).length == 2
    kernel = parse_kernel('normalized(weighted-degree(3, anchor="end"))')
    assert kernel(["gattaca"], ["gattaca"])[0, 0] == pytest.approx(1.0)


def test_what_it_refuses_it_refuses_in_a_sentence():
    with pytest.raises(ParameterError, match=r"'length' parameter of WeightedDegree"):
        WeightedDegree(0)(["a"])
    with pytest.raises(ParameterError, match=r"'anchor' parameter of WeightedDegree"):
        WeightedDegree(2, anchor="middle")(["a"])
    with pytest.raises(DataError, match=r"WeightedDegree needs strings. Row 1 holds 3"):
        WeightedDegree(2)(["a", 3])
