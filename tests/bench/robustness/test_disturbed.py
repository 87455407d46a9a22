from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import DataError
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.plan import Plan
from rarefind_bench.robustness.disturbed import (
    DISTURBED,
    UNDISTURBED,
    disturbed,
    labels_disturbed,
)


def one_apart(**options):
    """A crowd, and one record far away in the first column."""
    X = np.vstack([np.random.default_rng(0).normal(size=(60, 2)), [[50.0, 0.0]]])
    return LabelledSet("one apart", X, (*["crowd"] * 60, "odd"), **options)


def test_a_column_in_another_unit_changes_nothing():
    # It is asked first: one label in place of (61 + 1) / (1 + 1).
    *_, unit = DISTURBED
    assert labels_disturbed(UNDISTURBED, one_apart(), 1, 20) == 1 / 31
    assert labels_disturbed(unit, one_apart(), 1, 20) == 1 / 31


def test_a_class_counts_when_it_is_called_by_its_name_or_by_first_sight():
    wrong, sighted, *_ = DISTURBED
    # Of two classes a wrong answer names the other: whoever errs about the only record of one
    # never says its name.
    labels = [labels_disturbed(wrong, one_apart(), seed, 20) for seed in range(40)]
    assert set(labels) == {1 / 31, (20 + 42 / 2) / 31}
    assert 0 < np.mean(np.array(labels) > 1) < 0.3
    assert {labels_disturbed(sighted, one_apart(), seed, 20) for seed in range(40)} == {1 / 31}


@pytest.mark.parametrize("way", [UNDISTURBED, *DISTURBED])
def test_what_is_no_table_of_numbers_is_refused(way):
    with pytest.raises(DataError, match="one apart is no table of numbers alone"):
        labels_disturbed(way, one_apart(scale="none"), 0, 20)


def test_every_way_is_played_and_measured_against_the_same_draw():
    found = disturbed(Plan(sets=("heavy tails",), seeds=1, budget=12))
    assert set(found.data["heavy tails"]) == {UNDISTURBED, *DISTURBED}
    by_set, by_group = found.grids
    *_, unit = by_set.rows[0]
    assert unit == "1.00"
    assert [row[0] for row in by_group.rows] == ["synthetic"]
