"""Small helpers of arrays, each beside what numpy has."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.arrays import quantile

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


@given(NUMBERS, st.floats(0.0, 1.0))
def test_a_quantile_is_that_of_numpy(numbers, share):
    numbers = np.array(numbers)
    assert quantile(numbers, share) == np.quantile(numbers, share)
