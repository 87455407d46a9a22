from __future__ import annotations

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
    # A class of that share would be missed by as many random draws with a chance of 5 %.
    assert (1 - look.largest_unseen_share) ** len(told) == pytest.approx(0.05)
    once = sum(told.count(label) == 1 for label in set(told))
    good_turing, jeffreys = (once + 0.5) / (len(told) + 1), 0.5 / (look.since_last_new + 1)
    assert look.chance_of_new == min(good_turing, jeffreys)
    assert 0 < look.chance_of_new <= 0.5
    assert look.unseen_classes >= 0


def test_chao_counts_classes_seen_once_and_twice():
    told = ["a"] * 30 + ["b", "c", "d", "e", "e"]
    assert outlook(told).unseen_classes == pytest.approx(3 * 2 / (2 * 2))


def test_a_hunt_says_that_it_knows_too_little_and_later_what_it_knows():
    hunt = Hunt([[float(row)] for row in range(100)], "random")
    assert outlook([]).largest_unseen_share == 1.0
    assert "too few to say" in str(hunt.outlook())
    for row in range(60):
        hunt.tell(row, "rare" if row == 20 else "ordinary")
    words = str(hunt.outlook())
    assert "60 labels showed 2 classes, the last new one 39 labels ago" in words
    assert "At most 1 in 21 records belongs to a class you have not seen, at 95 %" in words
    for row in range(60, 100):
        hunt.tell(row, "ordinary")
    assert str(hunt.outlook()) == "All 100 records are labelled: nothing is unseen."
    assert hunt.outlook().chance_of_new == 0.0
