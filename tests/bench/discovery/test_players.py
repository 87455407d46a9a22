from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import UnknownNameError
from rarefind.kernels import Normalized, Spectrum
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.explorers import EXPLORERS, explored_rows
from rarefind_bench.discovery.players import check_players, play, usual_players
from rarefind_bench.discovery.shared_spaces import Spaces


@pytest.fixture
def spread():
    """A crowd, a tight group apart, and one record far off, some of them twice."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(60, 2)), 9 + 0.1 * rng.normal(size=(8, 2)), [[40.0, 40.0]]])
    return LabelledSet(
        "spread",
        np.vstack([X, X[:5]]),
        ("crowd",) * 60 + ("group",) * 8 + ("far",) + ("crowd",) * 5,
    )


@pytest.mark.parametrize("name", EXPLORERS)
def test_explorers_ask_about_every_different_record_once(spread, name):
    space = Spaces(spread).scaled("squash")
    rows = list(explored_rows(EXPLORERS[name], space, 3))
    assert sorted(rows) == list(range(69))
    assert rows == list(explored_rows(EXPLORERS[name], space, 3))
    assert rows != list(explored_rows(EXPLORERS[name], space, 4))


def test_spread_out_draws_by_squared_distance():
    distances = np.abs(np.subtract.outer([0.0, 1.0, 3.0], [0.0, 1.0, 3.0]))
    second = [0, 0, 0]
    weights = np.array([1, 1, 2])
    for seed in range(4000):
        drawn = EXPLORERS["k-means++"](distances, weights, np.random.default_rng(seed))
        if next(drawn) == 0:
            second[next(drawn)] += 1
    # From 0, the one at 1 has a weight of 1 and the two at 3 have 2 times 9.
    assert second[1] / sum(second) == pytest.approx(1 / 19, abs=0.02)


def test_clusters_take_turns_smallest_first(spread):
    rows = explored_rows(EXPLORERS["HDBSCAN"], Spaces(spread).scaled("none"), 0)
    first = [spread.labels[row] for _, row in zip(range(4), rows, strict=False)]
    assert "group" in first


@pytest.mark.parametrize(
    "player",
    [
        "auto",
        "auto, ask(2)",
        "auto, ask(10)",
        "linkage, average",
        "k-means++",
        "scikit-learn IsolationForest",
    ],
)
def test_every_player_counts_labels_until_each_class_is_seen(spread, player):
    played = play(spread, Spaces(spread), player, 0, 40)
    assert {"crowd", "far"} <= set(played["seen"])
    assert all(1 <= labels <= 40 for labels in played["seen"].values())
    assert ("told" in played) == (player == "auto")


def test_who_needs_features_says_so_where_there_are_none():
    strings = LabelledSet(
        "strings", ["abc", "abd", "xyz"], ("a", "a", "b"), Normalized(Spectrum(2))
    )
    spaces = Spaces(strings)
    assert "features" in play(strings, spaces, "scikit-learn IsolationForest", 0, 3)["cannot"]
    assert "cannot" in play(strings, spaces, "interleave", 0, 3)
    assert set(play(strings, spaces, "k-means++", 0, 3)["seen"]) == {"a", "b"}


def test_a_wrong_player_is_named_before_anything_is_played():
    with pytest.raises(UnknownNameError, match="Did you mean 'k-means\\+\\+'"):
        check_players(["auto", "kmeans++"])
    players, notes = usual_players(peers=False)
    assert check_players(players) == players
    assert notes == []
