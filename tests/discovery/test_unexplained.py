from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from rarefind.discovery.auto.knots import Knots
from rarefind.discovery.auto.unexplained import WRONG, UnexplainedKnots, full_of_knots
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.geometry.any_records import make_space

PLACES = np.array([0.0, 0.5, 1.4, 9.0])
"""Points on a line. The knot at 0 holds the one at 0.5; the one at 1.4 touches it; 9 is far."""


def knots(surprise=(30.0, 20.0, 25.0, 15.0), **how):
    knots = Knots(
        point=np.arange(4),
        radius=np.array([1.0, 0.2, 0.5, 0.5]),
        size=np.array([20, 8, 9, 10]),
        surprise=np.array(surprise),
        contrast=np.full(4, 10.0),
        evidence=np.array([-1.0, 2.0, 0.0, 1.0]),
    )
    return UnexplainedKnots(knots, 100, **how)


def everything(*barred):
    allowed = np.ones(4, dtype=bool)
    allowed[list(barred)] = False
    return OpenPoints(allowed, np.arange(4), np.arange(4)[::-1])


def told(search, point, label="rare", *, ordinary=False):
    search.explain(point, np.abs(PLACES - PLACES[point]), label, ordinary=ordinary)


def test_the_chance_is_that_the_knot_is_real_and_the_record_not_ordinary():
    number, chance = knots(surprise=(9.0, 1.0, 1.0, 1.0)).best(everything())
    real = 1 / (1 + 300 * np.exp(-9.0))  # 100 records, looked at with three sizes of knots
    assert number == 0
    assert chance == pytest.approx(real * (1 - 1 / 10))


def test_beside_the_others_the_knot_that_stands_out_counts_not_the_most_surprising():
    number, chance = knots(beside_others=True).best(everything())
    assert number == 1
    assert chance == pytest.approx(1 / (1 + np.exp(-2.0)) * (1 - 1 / 10))


@pytest.mark.parametrize(
    ("columns", "kernel", "full"),
    [
        (3, None, False),
        (30, None, False),
        (120, None, True),
        (3, "gaussian", False),
        (30, "gaussian", True),
    ],
)
def test_columns_tell_whether_most_knots_surprise_and_through_a_kernel_directions_do(
    columns, kernel, full
):
    space = make_space(np.random.default_rng(0).normal(size=(300, columns)), kernel, "none")
    distances, _ = space.engine.nearest(20)
    assert full_of_knots(space, distances) is full


def test_a_class_found_explains_its_knot_and_what_is_within():
    search = knots()
    told(search, 0)
    assert search.best(everything(2, 3)) == (-1, 0.0)


def test_a_knot_that_touches_that_of_a_class_found_waits_but_is_not_given_up():
    search = knots()
    _, before = search.best(everything(0, 1, 3))
    told(search, 0)
    assert search.best(everything())[0] == 3
    number, after = search.best(everything(3))
    assert number == 2
    assert after == pytest.approx(before / 4)


def test_an_ordinary_record_speaks_against_its_knot_but_not_finally():
    search = knots(surprise=(12.0, 1.0, 1.0, 1.0))
    chances = [search.best(everything())[1]]
    for _ in range(4):
        told(search, 1, "crowd", ordinary=True)
        chances.append(search.best(everything())[1])
    assert all(later < earlier for earlier, later in pairwise(chances))
    assert chances[-1] > 0


def test_equal_knots_are_taken_in_random_order_and_answers_can_be_forgotten():
    search = knots(surprise=(30.0, 30.0, 30.0, 30.0))
    assert search.best(everything())[0] == 3  # the highest priority
    told(search, 3)
    assert search.best(everything())[0] == 2
    search.reset()
    assert search.best(everything())[0] == 3


def test_a_knot_that_showed_a_class_may_be_looked_into_again_as_far_as_answers_are_wrong():
    search = knots()
    _, before = search.best(everything())
    assert search.best(everything(), again=True) == (-1, 0.0)
    told(search, 0)
    number, after = search.best(everything(), again=True)
    assert number == 0
    assert after == pytest.approx(before * WRONG)


def test_two_who_agree_are_doubted_less_than_one_and_two_who_differ_no_less():
    search = knots()
    chances = []
    for label in ("a", "b", "b"):
        told(search, 0, label)
        chances.append(search.best(everything(), again=True)[1])
    assert chances[1] == chances[0]
    assert chances[2] == pytest.approx(chances[0] * WRONG)
    assert search.confirmed(0, 1.0, "a")
    assert search.confirmed(1, 0.2, "b")
    assert not search.confirmed(3, 0.5, "a")
    assert not search.confirmed(0, 1.0, "c")
