from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.asked_by import AskedBy
from rarefind.discovery import Hunt, discover
from rarefind.discovery.auto.evidence import apart, evidence
from rarefind.discovery.auto.gaps import SIZES, Gaps
from rarefind.discovery.auto.knots import intrinsic_dimension
from rarefind.discovery.auto.reasons import gap_reason
from rarefind.discovery.contract.open_points import OpenPoints

NONE = np.empty(0, dtype=np.int64)


def all_distances(X):
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))


def plain_surprise(away, size, dimension):
    """How surprising the gap around the group of a point is, from its distances to all others."""
    inside, beyond = away[size - 2], away[size - 1]
    return (size - 1) * dimension * np.log(beyond / inside)


@given(seed=st.integers(0, 1000), labels=st.integers(0, 12))
def test_the_widest_gap_that_no_label_touches_is_found(seed, labels):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 60))
    D = all_distances(rng.normal(size=(n, 2)))
    near = np.sort(D, axis=1)[:, 1:]
    told = rng.permutation(n)[: min(labels, n - 1)]
    away = D[told].min(axis=0) if len(told) else np.full(n, np.inf)
    gaps = Gaps(near, lambda held, asked: away)
    allowed = ~np.isin(np.arange(n), told)
    points = OpenPoints(allowed, np.arange(n), rng.permutation(n))
    best = gaps.best(points, NONE, ~allowed)
    chance = gaps.chance(points, NONE, ~allowed)
    assert allowed[best]
    sizes = [size for size in SIZES if size <= n - 1]
    if not sizes:
        assert gaps.size.tolist() == [1] * n
        return
    reached = np.maximum(near, np.quantile(near[:, 0], 0.02))
    dimension = intrinsic_dimension(reached[:, :20])
    worth = []
    for size in sizes:
        surprise = np.array([plain_surprise(row, size, dimension) for row in reached])
        worth.append(evidence(apart(surprise, dimension), surprise, n * len(sizes), n * len(sizes)))
    for point in range(n):
        size = sizes[int(np.argmax([each[point] for each in worth]))]
        assert (gaps.size[point], gaps.radius[point]) == (size, near[point][size - 2])
        assert gaps.gap[point] == near[point][size - 1]
    score = np.max(worth, axis=0)
    touched = away < gaps.gap * (1 - 1e-9)
    open_ = allowed & ~touched if (allowed & ~touched).any() else allowed
    assert open_[best]
    assert score[best] == pytest.approx(score[open_].max())
    assert chance == pytest.approx(0.0 if touched[best] else 1.0 / (1.0 + np.exp(-score[best])))


def test_near_copies_make_no_gap_and_a_tight_group_does():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(300, 2)), 3 + 1e-9 * rng.normal(size=(3, 2))])
    near = np.sort(all_distances(X), axis=1)[:, 1:40]
    gaps = Gaps(near, lambda held, asked: np.full(len(X), np.inf))
    points = OpenPoints(np.ones(len(X), dtype=bool), np.arange(len(X)), np.arange(len(X)))
    assert gaps.best(points, NONE, np.zeros(len(X), dtype=bool)) < 300
    X[:5] = X[0] + 0.001 * rng.normal(size=(5, 2))
    near = np.sort(all_distances(X), axis=1)[:, 1:40]
    gaps = Gaps(near, lambda held, asked: np.full(len(X), np.inf))
    assert gaps.best(points, NONE, np.zeros(len(X), dtype=bool)) < 5
    assert gaps.chance(points, NONE, np.zeros(len(X), dtype=bool)) > 0.99
    alike = Gaps(np.zeros((4, 3)), lambda held, asked: np.full(4, np.inf))
    points = OpenPoints(np.ones(4, dtype=bool), np.arange(4), np.arange(4)[::-1])
    assert alike.best(points, NONE, np.zeros(4, dtype=bool)) == 3


def five_of_five(seed):
    """A crowd with five groups of five records inside it."""
    rng = np.random.default_rng(seed)
    groups = [0.8 * rng.normal(size=4) + 0.05 * rng.normal(size=(5, 4)) for _ in range(5)]
    labels = ["ordinary"] * 1200 + [f"group {number}" for number in range(5) for _ in range(5)]
    return np.vstack([rng.normal(size=(1200, 4)), *groups]), labels


@pytest.mark.parametrize("seed", range(3))
def test_five_classes_of_five_inside_the_crowd_are_found_long_before_chance(seed):
    X, labels = five_of_five(seed)
    # Chance needs 204 labels on average to see one of them.
    hunt = discover(X, labels.__getitem__, budget=30, random_state=seed)
    assert len(hunt.found) == 5
    assert "gap" in {event.asked_by.member for event in hunt.events}


def test_the_sentence_tells_the_group_and_the_gap():
    why, evidence = gap_reason(5, 0.25, 2.0, 3.0)
    assert why == (
        "It and the 4 records nearest to it lie within 0.25, and the next one is 2 away; "
        "the nearest labelled record is 3 away."
    )
    assert evidence["distance_of_next"] == 2.0
    assert gap_reason(5, 0.25, 2.0, None)[0].endswith("is 2 away.")


def test_several_questions_at_once_are_about_different_groups():
    X, labels = five_of_five(1)
    hunt = Hunt(X, background="ordinary")
    for _ in range(4):
        question = hunt.ask()
        hunt.tell(question.row, labels[question.row])
    asked = {question.row: question.asked_by for question in hunt.ask(12)}
    groups = [labels[row] for row, by in asked.items() if by == AskedBy("gap")]
    rare = [group for group in groups if group != "ordinary"]
    assert len(rare) == len(set(rare))
