from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import UnknownNameError
from rarefind_bench.datasets.synthetic import (
    OTHER_READINGS,
    SYNTHETIC,
    draw_synthetic,
    set_1,
    set_2,
    six_balls,
)


def members(drawn, name):
    return np.asarray(drawn.records)[np.asarray(drawn.labels) == name]


@pytest.mark.parametrize("name", [*SYNTHETIC, *OTHER_READINGS])
def test_the_same_seed_draws_the_same_set_and_another_seed_another(name):
    first, again, other = (draw_synthetic(name, seed) for seed in (4, 4, 5))
    assert first.name == name
    np.testing.assert_array_equal(first.records, again.records)
    assert first.labels == again.labels
    assert not np.array_equal(first.records, other.records)
    # Shuffled: the rare classes are not at the end.
    assert min(first.labels.index(label) for label in first.sizes) < len(first.labels) // 2


@pytest.mark.parametrize("away", [0.0, 1.0])
def test_set_1_hides_ten_records_in_a_disc(away):
    disc = members(set_1(0, away=away), "rare")
    assert disc.shape == (10, 2)
    assert np.linalg.norm(disc, axis=1).max() <= away + 0.1
    assert np.linalg.norm(disc, axis=1).min() >= away - 0.1


def test_set_2_has_four_discs_that_do_not_touch():
    drawn = set_2(1)
    assert sorted(drawn.sizes.values()) == [84, 150, 267, 280, 3000]
    discs = [members(drawn, name) for name in drawn.sizes if name != "ordinary"]
    for number, disc in enumerate(discs):
        spread = np.linalg.norm(disc[:, None] - disc[None], axis=2).max()
        assert spread <= 0.5
        for other in discs[:number]:
            assert np.linalg.norm(disc[:, None] - other[None], axis=2).min() > 0.1


def test_set_2_of_four_shapes_has_the_papers_sizes_and_a_ring_with_a_hole():
    drawn = draw_synthetic("set 2 of four shapes", 0)
    assert sorted(drawn.sizes.values()) == [84, 150, 267, 280, 3000]
    ring, bar = members(drawn, "ring of 280"), members(drawn, "bar of 150")
    assert np.linalg.norm(ring - ring.mean(axis=0), axis=1).min() > 0.08
    assert np.ptp(bar[:, 0]) > 10 * np.ptp(bar[:, 1])


def test_six_balls_lie_inside_the_crowd():
    drawn = six_balls(2)
    assert sorted(drawn.sizes.values()) == [8, 10, 12, 15, 20, 30, 3000]
    for name in drawn.rare:
        centre = members(drawn, name).mean(axis=0)
        assert 0.5 < np.linalg.norm(centre) < 1.7


def test_a_wrong_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'set 1'"):
        draw_synthetic("set1", 0)
