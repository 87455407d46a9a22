from __future__ import annotations

import numpy as np

from rarefind.records.examples import buried_disc, rare_digits


def test_the_examples_are_what_they_say():
    digits = rare_digits()
    assert digits.sizes() == {"5": 6, "6": 8, "7": 10, "8": 12, "9": 14}
    assert digits.X.shape == (len(digits.labels), 64)
    disc = buried_disc()
    assert disc.sizes() == {"rare": 10}
    rare = disc.X[np.array(disc.labels) == "rare"]
    assert np.linalg.norm(rare, axis=1).max() <= 0.1
    np.testing.assert_array_equal(rare_digits(3).X, rare_digits(3).X)
