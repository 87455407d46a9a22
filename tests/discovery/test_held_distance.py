from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rarefind.discovery.held_distance import HeldDistance
from rarefind.discovery.labelled_distance import LabelledDistance
from rarefind.discovery.spaces import make_space

N = 30
STEPS = st.lists(st.tuples(st.sampled_from(["hold", "let go", "label"]), st.integers(0, N - 1)))


@given(STEPS)
def test_what_is_remembered_equals_measuring_everything_anew(steps):
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
        wanted = labelled.away
        for each in held:
            wanted = np.minimum(wanted, labelled.distances(each))
        np.testing.assert_allclose(remembered.away(points, asked), wanted)


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
        remembered.away(np.arange(most), asked)
    assert measured == list(range(19))
