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
        known = np.minimum(labelled.away, np.min([labelled.distances(p) for p in held], axis=0))
        measured = np.minimum(labelled.away, labelled.between(None, remembered.points))
        np.testing.assert_allclose(measured, known)
        assert (np.minimum(bound, labelled.away) * (1 + 1e-12) >= known).all()
        if labelled.weights is None:
            np.testing.assert_allclose(np.minimum(bound, labelled.away), known)


def test_a_point_held_since_costs_one_measurement(monkeypatch):
    X = np.random.default_rng(0).normal(size=(N, 3))
    labelled = LabelledDistance(make_space(X, None, "standard"))
    measured = []
    distances = labelled.distances
    monkeypatch.setattr(
        labelled, "distances", lambda point: measured.append(point) or distances(point)
    )
    remembered = HeldDistance(labelled, 64)
    asked = np.zeros(N, dtype=bool)
    for most in range(1, 20):
        remembered.bound(np.arange(most), asked)
    assert measured == list(range(19))
