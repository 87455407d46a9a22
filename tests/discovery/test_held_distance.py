from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rarefind.discovery.auto.labelled_distance import LabelledDistance
from rarefind.discovery.strategies.held_distance import HeldDistance
from rarefind.geometry.any_records import make_space

N = 30
STEPS = st.lists(st.tuples(st.sampled_from(["hold", "let go", "label"]), st.integers(0, N - 1)))


@given(STEPS)
def test_what_is_remembered_bounds_measuring_everything_anew(steps):
    X = np.random.default_rng(0).normal(size=(N, 3))
    labelled = LabelledDistance(make_space(X, None, "standard"))
    remembered = HeldDistance(labelled, 64)
    held: list[int] = []
    asked = np.zeros(N, dtype=bool)
    for what, point in steps:
        if what == "hold" and not asked[point] and point not in held:
            held.append(point)
        elif what == "let go" and point in held:
            held.remove(point)
        elif what == "label" and not asked[point]:
            held = [other for other in held if other != point]
            asked[point] = True
            labelled.tell(point, "ab"[point % 2])
        points = np.array(sorted(held), dtype=np.int64)
        bound = remembered.bound(points, asked)
        if not held:
            assert bound is None
            continue
        # Those labelled meanwhile may be among the points measured from: they count anyway.
        known = np.minimum(labelled.away, labelled.distances_from(np.array(held)))
        measured = np.minimum(labelled.away, labelled.between(None, remembered.points))
        np.testing.assert_allclose(measured, known)
        assert (np.minimum(bound, labelled.away) * (1 + 1e-12) >= known).all()
        if labelled.weights is None:
            np.testing.assert_allclose(np.minimum(bound, labelled.away), known)


def test_a_point_held_since_costs_one_measurement(monkeypatch):
    X = np.random.default_rng(0).normal(size=(N, 3))
    labelled = LabelledDistance(make_space(X, None, "standard"))
    measured = []
    from_these = labelled.distances_from
    monkeypatch.setattr(
        labelled, "distances_from", lambda fresh: measured.extend(fresh) or from_these(fresh)
    )
    remembered = HeldDistance(labelled, 64)
    asked = np.zeros(N, dtype=bool)
    for most in range(1, 20):
        remembered.bound(np.arange(most), asked)
    assert measured == list(range(19))


def test_a_point_labelled_meanwhile_is_forgotten():
    labelled = LabelledDistance(
        make_space(np.random.default_rng(0).normal(size=(N, 3)), None, "none")
    )
    remembered = HeldDistance(labelled, 64)
    asked = np.zeros(N, dtype=bool)
    for point in range(20):  # held, labelled by the next person, and nobody lets one go
        remembered.bound(np.array([point, point + 1]), asked)
        asked[point] = True
        labelled.tell(point, "ab"[point % 2])
        assert len(remembered.points) <= 2


def test_distances_from_several_points_are_those_from_the_nearest_of_them():
    labelled = LabelledDistance(
        make_space(np.random.default_rng(0).normal(size=(N, 3)), None, "none")
    )
    points = np.array([3, 8, 20])
    for _ in range(2):
        each = [labelled.distances_from(np.array([point])) for point in points]
        assert (labelled.distances_from(points) == np.min(each, axis=0)).all()
        for point in range(6):
            labelled.tell(point, "ab"[point % 2])  # from now on features do not count the same
    assert labelled.weights is not None
