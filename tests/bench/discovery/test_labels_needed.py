from __future__ import annotations

import itertools

import numpy as np
import pytest

from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.labels_needed import run_contest
from rarefind_bench.discovery.random_sampling import random_labels
from rarefind_bench.discovery.shared_spaces import Spaces


def small(seed):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(60, 2)), rng.normal(9, 0.1, size=(4, 2))])
    return LabelledSet("small", X, ("crowd",) * 60 + ("far",) * 4)


@pytest.mark.parametrize("sizes", [[1], [2, 1], [1, 1, 2]])
def test_random_labels_are_the_mean_over_all_orders(sizes):
    n = 6
    labels = [name for name, size in enumerate(sizes) for _ in range(size)]
    labels += [-1] * (n - len(labels))
    orders = [
        sorted(order.index(name) + 1 for name in range(len(sizes)))
        for order in itertools.permutations(labels)
    ]
    np.testing.assert_allclose(random_labels(sizes, n), np.mean(orders, axis=0))


def test_a_contest_counts_labels_for_every_strategy_and_draw():
    contest = run_contest(small, ["farthest-first", "malice", "random"], [0, 1, 2], budget=5)
    assert [len(entries) for entries in contest.entries.values()] == [3, 3, 3]
    assert contest.median("farthest-first") == (2.0,)
    assert contest.best_and_worst("farthest-first") == (2.0, 2.0)
    assert contest.random == pytest.approx([65 / 5])
    for entry in contest.entries["farthest-first"]:
        assert len(entry.rows) == 2


def test_a_class_not_seen_within_the_budget_counts_as_infinite():
    contest = run_contest(small, ["malice"], [0], budget=1)
    assert contest.median("malice")[0] in (1.0, np.inf)
    crowd = run_contest(
        lambda seed: LabelledSet("s", np.arange(9.0)[:, None], ("a",) * 8 + ("b",)),
        ["random"],
        range(6),
        budget=1,
    )
    assert crowd.best_and_worst("random")[1] == np.inf


def test_spaces_are_made_once_for_each_scale_that_matters():
    spaces = Spaces(small(0))
    assert spaces.scaled("standard") is spaces.scaled("standard")
    assert spaces.scaled("standard") is not spaces.scaled("squash")
    ready = Spaces(LabelledSet("s", np.arange(9.0)[:, None], ("a",) * 8 + ("b",), scale="none"))
    assert ready.scaled("standard") is ready.scaled("squash")
