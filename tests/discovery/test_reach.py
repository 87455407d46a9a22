from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.discovery.auto import reach
from rarefind.discovery.auto.views import other_views
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.geometry.any_records import make_space

N = 60


def plain(views, room, points, told, held, weights):
    """Measure everything from everything, in every view."""
    scores = room
    for space, counts in zip(views, weights, strict=True):
        vectors = space.vectors * np.sqrt(1.0 if counts is None else counts)
        near = vectors[[*told, *held]]
        away = np.sqrt(((vectors[:, None] - near) ** 2).sum(axis=2)).min(axis=1)
        scores = scores * away ** (1 / len(views))
    return np.where(points.allowed, scores, -np.inf)


def several_views(space, seed):
    """The space itself, and with some seeds others of the same points."""
    others = other_views(space, space.engine.nearest(5)[1])
    return [space, *others[: seed % 4]]


@given(seed=st.integers(0, 1000), told=st.integers(1, 30), held=st.integers(0, 4))
def test_the_point_found_is_the_best_of_all_measured_one_by_one(seed, told, held):
    rng = np.random.default_rng(seed)
    # On a grid many scores are equal, and the random order decides.
    X = rng.integers(0, 3, size=(N, 3)) * 1.0 if seed % 2 else rng.normal(size=(N, 3))
    space = make_space(X, None, "none")
    n = space.engine.n
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reach, "FIRST", 2)
        patch.setattr(reach, "MORE", 5)
        room = np.ones(n) if seed % 3 == 0 else rng.uniform(0.5, 2.0, size=n)
        views = several_views(space, seed)
        search = reach.Reach(views, room)
        order = rng.permutation(n)
        asked = np.zeros(n, dtype=bool)
        for number, point in enumerate(order[: min(told, n - 6)]):
            search.tell(int(point), "abc"[rng.integers(3)])
            asked[point] = True
            taken = order[number + 1 : number + 1 + held]
            allowed = ~asked
            allowed[taken] = False
            points = OpenPoints(allowed, np.arange(n), rng.permutation(n))
            weights = [view.labelled.weights for view in search.views]
            expected = plain(views, room, points, order[: number + 1], taken, weights)
            best = search.best(points, taken, asked)
            ties = np.flatnonzero(expected >= expected.max() * (1 - 1e-12))
            if np.ptp(expected[ties]) > 0:  # which of them is larger is up to rounding
                assert best in ties
            else:
                assert best == ties[np.argmin(points.priority[ties])]


def test_only_a_few_records_are_measured_after_features_count_otherwise(monkeypatch):
    rng = np.random.default_rng(0)
    space = make_space(rng.normal(size=(20_000, 4)), None, "none")
    search = reach.Reach([space], rng.uniform(0.5, 2.0, size=20_000))
    measured = []
    labelled = search.views[0].labelled
    between = labelled.between
    monkeypatch.setattr(
        labelled,
        "between",
        lambda points, others: (
            measured.append(0 if points is None else len(points)) or between(points, others)
        ),
    )
    asked = np.zeros(20_000, dtype=bool)
    points = OpenPoints(~asked, np.arange(20_000), np.arange(20_000))
    for point in range(60):
        search.tell(point, "ab"[point % 2])
        search.best(points, np.empty(0, dtype=np.int64), asked)
    assert sum(measured) / 60 < 2000
