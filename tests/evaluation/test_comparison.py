from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import DataError
from rarefind.evaluation import compare_paired


def test_equal_methods_have_no_difference_and_no_evidence():
    result = compare_paired([0.5, 0.6, 0.7], [0.5, 0.6, 0.7])
    assert (result.difference, result.ties, result.p_value) == (0.0, 3, 1.0)


def test_a_method_better_everywhere_is_told_from_chance():
    better = np.linspace(0.6, 0.9, 12)
    result = compare_paired(better, better - 0.05 - 0.01 * np.arange(12))
    assert result.p_value < 0.001
    assert result.low > 0
    assert "more than chance explains" in str(result)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=20))
def test_swapping_the_methods_turns_everything_round(values):
    zeros = [0.0] * len(values)
    one, other = compare_paired(values, zeros), compare_paired(zeros, values)
    assert one.difference == pytest.approx(-other.difference)
    assert (one.wins, one.losses) == (other.losses, other.wins)
    assert one.p_value == pytest.approx(other.p_value)
    assert one.low - 1e-9 <= one.difference <= one.high + 1e-9


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [([1.0], [1.0, 2.0], "same cases"), ([], [], "finite"), ([np.nan], [1.0], "finite")],
)
def test_what_cannot_be_compared_is_refused(first, second, words):
    with pytest.raises(DataError, match=words):
        compare_paired(first, second)
