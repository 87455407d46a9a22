from __future__ import annotations

import math

import numpy as np
import pytest

from rarefind import discovery
from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.discovery.theory.balls import log_overlap, log_volume
from rarefind.discovery.theory.promise import least_records


@pytest.mark.parametrize("dimensions", [1, 2, 3, 6])
@pytest.mark.parametrize("small", [0.2, 0.5, 1.0])
def test_the_overlap_of_balls_is_what_drawing_points_gives(dimensions, small):
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(200_000, dimensions))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    points = small * directions * rng.uniform(size=(200_000, 1)) ** (1 / dimensions)
    points[:, 0] += 1.0  # the centre of the small ball, on the surface of the large one
    share = np.mean(np.linalg.norm(points, axis=1) <= 1.0)
    exact = math.exp(log_overlap(dimensions, small, 1.0) - log_volume(dimensions, small))
    assert exact == pytest.approx(share, abs=0.005)


def test_volumes_of_balls_in_few_dimensions_are_those_of_school():
    volumes = [math.exp(log_volume(d, 2.0)) for d in (1, 2, 3)]
    assert volumes == pytest.approx([4.0, 4 * math.pi, 32 / 3 * math.pi])


def disc_in_a_square(seed):
    rng = np.random.default_rng(seed)
    angle, length = rng.uniform(0, 2 * np.pi, 40), 0.1 * np.sqrt(rng.uniform(size=40))
    disc = np.column_stack([length * np.cos(angle), length * np.sin(angle)])
    X = np.vstack([rng.uniform(-1, 1, size=(2000, 2)), disc])
    return X, ["crowd"] * 2000 + ["knot"] * 40


def test_every_figure_is_what_the_theorems_words_say():
    X, y = disc_in_a_square(0)
    (promised,) = discovery.guarantee(X, y, risk=0.1, scale="none")
    knot, crowd = X[2000:], X[:2000]
    centre = knot.mean(axis=0)
    radius = max(math.dist(one, centre) for one in knot)
    others = [sum(math.dist(one, other) <= radius for other in crowd) for one in knot]
    far = [one for one in X if math.dist(one, centre) > 2 * radius]
    near = [one for one in X if math.dist(one, centre) <= radius]
    gap = min(math.dist(one, other) for one in near for other in far)
    share, r2 = 40 / 2040, radius / math.sqrt(1 + max(others) / 40)
    beta = share**2 * promised.overlap / (2**5 * (math.pi * radius**2) ** 2)
    counts = 1 / ((1 - share) * beta * math.pi * (r2 / 2) ** 2) ** 4
    assert promised.radius == pytest.approx(radius)
    assert (promised.kappa_1, promised.kappa_2) == (min(others) / 40, max(others) / 40)
    assert promised.r2 == pytest.approx(r2)
    assert promised.gap == pytest.approx(gap)
    assert promised.rounds == math.ceil(2 * gap / r2)
    assert promised.roughness == pytest.approx(beta)
    assert promised.least_n == pytest.approx(math.log(30) * counts)
    assert promised.chance == 1 / 3
    assert not promised.applies


def test_the_radius_lies_between_its_bounds_and_the_class_is_met_in_time():
    met = 0
    for seed in range(12):
        X, y = disc_in_a_square(seed)
        (promised,) = discovery.guarantee(X, y)
        assert promised.r2 / 2 <= promised.search_radius <= promised.radius
        hunt = discovery.discover(
            X,
            y.__getitem__,
            strategy="alice",
            priors={"knot": promised.share},
            background="crowd",
            budget=promised.rounds,
        )
        met += "knot" in hunt.found
    assert met >= 12 / 3


def test_with_few_conditions_left_the_least_number_is_hoeffdings():
    plain = least_records(0.1, 0.5, 2, 0.0, 0.05)
    assert plain == pytest.approx(math.log(60) / (2 * 0.25 * 0.01))


def test_a_class_apart_from_all_others_is_promised_nothing():
    X = np.vstack([np.random.default_rng(0).normal(size=(100, 2)), 50 + np.eye(2)])
    (promised,) = discovery.guarantee(X, [0] * 100 + [1] * 2)
    assert promised.kappa_1 == 0
    assert promised.least_n == math.inf


def test_copies_of_one_record_are_a_class_as_well():
    X = np.vstack([np.random.default_rng(0).normal(size=(100, 2)), np.zeros((5, 2))])
    (promised,) = discovery.guarantee(X, ["a"] * 100 + ["b"] * 5)
    assert promised.radius > 0
    assert promised.size == 5


def test_classes_come_smallest_first_and_the_ordinary_one_can_be_named():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = ["a"] * 30 + ["b"] * 20 + ["c"] * 10
    assert [one.label for one in discovery.guarantee(X, y)] == ["c", "b"]
    assert [one.label for one in discovery.guarantee(X, y, background="b")] == ["c", "a"]
    assert [one.label for one in discovery.guarantee(X, y, background=["a", "b"])] == ["c"]


def test_what_cannot_be_is_said_in_a_sentence():
    X = np.random.default_rng(0).normal(size=(4, 2))
    with pytest.raises(DataError, match="a label for each of the 4 rows"):
        discovery.guarantee(X, ["a"])
    with pytest.raises(DataError, match="a class besides the ordinary one"):
        discovery.guarantee(X, ["a"] * 4)
    with pytest.raises(UnknownNameError, match="'z'"):
        discovery.guarantee(X, ["a", "a", "a", "b"], background="z")
    with pytest.raises(ParameterError, match="risk"):
        discovery.guarantee(X, ["a", "a", "a", "b"], risk=0.0)
