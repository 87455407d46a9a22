from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import ParameterError
from rarefind.evaluation import Simulation, discovery_band, labels_to_classes


def played(seen, strategy="ours", budget=9):
    asked = tuple(max(first.values()) for first in seen)
    sizes = {"crowd": 90, "fraud": 5, "abuse": 5}
    background = frozenset(["crowd"])
    return Simulation(
        strategy, 100, sizes, background, budget, tuple(seen), asked, (0.0,) * len(seen)
    )


def test_the_mean_curve_counts_rare_classes_only():
    band = discovery_band(played([{"crowd": 1, "fraud": 2, "abuse": 3}, {"fraud": 1, "abuse": 4}]))
    assert band.mean.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]


def test_the_band_holds_the_share_of_seeds_asked_for():
    seen = [{"fraud": at, "abuse": at} for at in range(1, 11)]
    whole = discovery_band(played(seen), share=1.0)
    middle = discovery_band(played(seen), share=0.5)
    assert whole.low[1] == 0.0
    assert whole.high[1] == 2.0
    assert (middle.low >= whole.low).all()
    assert (middle.high <= whole.high).all()


def test_a_class_never_seen_stays_missing_however_long_the_curve():
    band = discovery_band(played([{"fraud": 2}]), labels=6)
    assert band.mean.tolist() == [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]


def test_labels_to_classes_sorts_the_moments_within_each_seed():
    table = labels_to_classes([played([{"fraud": 7, "abuse": 2}, {"fraud": 1, "abuse": 4}])])
    assert table == {"ours": (1.5, 5.5)}


def test_a_class_seen_by_too_few_seeds_is_infinitely_far():
    table = labels_to_classes([played([{"fraud": 3}, {"fraud": 3, "abuse": 5}, {"fraud": 3}])])
    assert table["ours"] == (3.0, np.inf)


def test_the_same_strategy_twice_is_refused():
    with pytest.raises(ParameterError, match="one simulation for each strategy"):
        labels_to_classes([played([{"fraud": 1, "abuse": 2}])] * 2)


def test_a_share_beyond_one_is_refused():
    with pytest.raises(ParameterError, match="share"):
        discovery_band(played([{"fraud": 1}]), share=1.5)


def test_the_band_of_the_mean_holds_it_and_narrows_with_more_seeds():
    seen = [{"fraud": at, "abuse": at} for at in range(1, 9)]
    few = discovery_band(played(seen), share=0.95, of="mean")
    many = discovery_band(played(seen * 9), share=0.95, of="mean")
    assert (few.low <= few.mean).all()
    assert (few.mean <= few.high).all()
    assert (many.high - many.low)[4] < (few.high - few.low)[4] / 2
    # Binomial: a mean of 4/8 among two classes has a deviation of 2 sqrt(1/4 / 8).
    assert (few.high - few.low)[4] == pytest.approx(4 * 2 * np.sqrt(0.25 / 8), rel=0.15)


def test_a_band_of_something_else_is_refused():
    with pytest.raises(ParameterError, match="'of' parameter of discovery_band"):
        discovery_band(played([{"fraud": 1}]), of="median")
