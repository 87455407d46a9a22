from __future__ import annotations

import numpy as np
import pytest

from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.several_at_once import (
    WAYS,
    at_a_time,
    people_at_once,
    several_at_once,
)
from rarefind_bench.plan import Plan


def alike():
    """All records but two are the same kind; those lie far apart."""
    X = np.vstack([np.random.default_rng(0).normal(size=(60, 2)), [[50.0, 0.0], [0.0, 50.0]]])
    return LabelledSet("alike", X, (*["crowd"] * 60, "east", "north"))


@pytest.mark.parametrize("play", [WAYS["one"][1], WAYS["one person"][1]])
def test_labels_are_counted_until_each_rare_class_is_seen(play):
    # Both are asked first: they take one and two labels.
    assert play(alike(), 0, 20) == 1.5


def test_a_class_never_seen_takes_what_chance_needs_beyond_the_budget():
    drawn = alike()
    # One of the two is seen first; of the 61 records left one is the other.
    assert at_a_time(1, drawn, 0, 1) == (1 + (1 + 62 / 2)) / 2
    assert people_at_once(2, drawn, 0, 20) <= 3


def test_every_way_is_played_and_measured_against_one():
    found = several_at_once(Plan(sets=("heavy tails",), seeds=1, budget=12))
    assert set(found.data["labels"]["heavy tails"]) == set(WAYS)
    assert found.data["ratios"]["one"] == found.data["ratios"]["one person"] == 1.0
    assert [row[0] for row in found.grids[0].rows] == ["heavy tails", "against one"]
