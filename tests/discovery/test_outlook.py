from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.discovery import Hunt
from rarefind.discovery.outlook import outlook


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=60))
def test_the_figures_follow_from_the_order_of_labels(told):
    look = outlook(told)
    fresh = [label not in told[:position] for position, label in enumerate(told)]
    assert look.labels == len(told)
    assert look.classes == sum(fresh)
    assert look.since_last_new == list(reversed(fresh)).index(True)
    # So many random draws in a row would miss that share with this wait's part of 5 %.
    missed = (1 - look.largest_unseen_share) ** look.since_last_new
    part = 0.05 / (look.classes * (look.classes + 1))
    if len(told) >= 10 and 0.5**look.since_last_new <= part:
        assert missed == pytest.approx(part)
    else:
        assert look.largest_unseen_share == 1.0
    once = sum(told.count(label) == 1 for label in set(told))
    good_turing, jeffreys = (once + 0.5) / (len(told) + 1), 0.5 / (look.since_last_new + 1)
    assert look.chance_of_new == min(good_turing, jeffreys)
    assert 0 < look.chance_of_new <= 0.5


def test_the_bound_holds_over_whole_hunts_of_random_draws():
    # Shares from one half down to one in two hundred: the next class is always a while away.
    rng = np.random.default_rng(0)
    shares = np.array([0.5, 0.2, 0.1, 0.08, 0.05, 0.03, 0.02, 0.01, 0.005, 0.005])
    broken = 0
    for _ in range(300):
        told = rng.choice(len(shares), size=400, p=shares / shares.sum()).tolist()
        broken += any(
            shares[[c for c in range(len(shares)) if c not in told[:moment]]].sum()
            > outlook(told[:moment]).largest_unseen_share
            for moment in range(1, len(told))
        )
    assert broken <= 0.05 * 300


def test_mistrust_of_all_waits_adds_up_to_that_of_the_hunt():
    assert sum(0.05 / (wait * (wait + 1)) for wait in range(1, 10_000)) == pytest.approx(
        0.05, abs=1e-4
    )


def test_a_hunt_says_that_it_knows_too_little_and_later_what_it_knows():
    hunt = Hunt([[float(row)] for row in range(100)], "random")
    assert outlook([]).largest_unseen_share == 1.0
    assert "too few to say" in str(hunt.outlook())
    for row in range(60):
        hunt.tell(row, "rare" if row == 20 else "ordinary")
    words = str(hunt.outlook())
    assert "60 labels showed 2 classes, the last new one 39 labels ago" in words
    # 1 - (0.05 / 6)^(1/39) = 0.1155
    assert "All classes you have not seen hold at most 1 in 9 records together, at 95 %" in words
    for row in range(60, 100):
        hunt.tell(row, "ordinary")
    assert str(hunt.outlook()) == "All 100 records are labelled: nothing is unseen."
    assert hunt.outlook().chance_of_new == 0.0


def test_labels_brought_along_show_classes_and_are_no_questions():
    told = ["fraud"] * 50 + ["normal"] * 20 + ["fraud", "normal"]
    brought = [True] * 50 + [False] * 22
    look = outlook(told, 1000, brought)
    assert (look.labels, look.brought, look.classes) == (22, 50, 2)
    assert look.since_last_new == 21  # fraud was known before it was asked about
    assert str(look).startswith(
        "22 labels (and 50 brought along or harvested) showed 2 classes, the last new"
    )
    assert outlook(told, 1000) == outlook(told, 1000, [False] * 72)
    hunt = Hunt([[float(row)] for row in range(100)], "random")
    for row in (1, 2, 3):
        hunt.tell(row, "fraud")
    question = hunt.ask()
    hunt.tell(question.row, "normal")
    assert hunt.background == {"normal"}
    assert (hunt.outlook().labels, hunt.outlook().brought) == (1, 3)


def test_how_long_the_last_new_class_is_ago_is_told_as_people_say_it():
    words = [str(outlook(["a"] * 20 + ["b"] + ["a"] * since, 500)) for since in (0, 1, 2)]
    for said, ago in zip(
        words, ("with the last label.", "1 label ago.", "2 labels ago."), strict=True
    ):
        assert f"the last new one {ago} " in said
