"""Whose turn it is, by what questions paid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.asked_by import AskedBy
from rarefind.discovery.auto.credit import CROWD, KNOT, OPENING, REACH, Credit, Hope

HOPES = {REACH: Hope(0.5, 3.0), CROWD: Hope(0.25, 3.0)}


def told(answers):
    credit = Credit(HOPES)
    for member, label in answers:
        credit.give(AskedBy(member, {"chance": 0.9}), label, confirms=False)
    return credit


def plain_worth(answers, member):
    """Go through all answers: a new class pays one over the labels it has in the end."""
    hope = HOPES[member]
    paid, asked, seen = hope.pays * hope.patience, hope.patience, set()
    labels = [label for _, label in answers]
    for asker, label in answers:
        if asker == member:
            asked += 1
            paid += 0.0 if label in seen else 1.0 / labels.count(label)
        seen.add(label)
    return paid / asked


@given(st.lists(st.tuples(st.sampled_from([OPENING, REACH, CROWD, KNOT]), st.sampled_from("abcd"))))
def test_the_turn_is_that_of_the_member_whose_questions_paid_most(answers):
    worth = {member: plain_worth(answers, member) for member in HOPES}
    member, promised = told(answers).turn({})
    assert promised == pytest.approx(max(worth.values()))
    assert worth[member] == pytest.approx(promised)


def test_reach_goes_first_and_crowd_takes_turns_once_nothing_pays():
    credit, turns = told([(OPENING, "a")]), []
    for _ in range(40):
        turns.append(credit.turn({})[0])
        credit.give(AskedBy(turns[-1]), "a", confirms=False)
    assert turns[:3] == [REACH] * 3
    assert 10 <= turns.count(CROWD) < 20


def test_what_is_probably_an_accident_promises_little():
    credit = told([(OPENING, "a")])
    assert credit.turn({REACH: 0.4}) == (CROWD, 0.25)
    assert credit.turn({REACH: 0.6, CROWD: 0.5}) == (REACH, 0.3)


def test_questions_that_are_out_count_as_if_they_paid_nothing():
    credit = told([(OPENING, "a"), (REACH, "b")])
    credit.hold({number: AskedBy(REACH) for number in range(9)})
    assert credit.turn({}) == (CROWD, 0.25)
    credit.hold({})
    assert credit.turn({})[0] == REACH


def test_the_first_answer_pays_nobody_and_its_question_costs_nothing():
    credit = Credit(HOPES)
    credit.hold({1: AskedBy(OPENING)})
    assert credit.turn({}) == (REACH, 0.5)
    credit.give(AskedBy(OPENING), "a", confirms=False)
    credit.hold({})
    assert credit.turn({}) == (REACH, 0.5)
