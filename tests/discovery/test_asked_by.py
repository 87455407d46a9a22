"""Who asked gets the credit: ask for several, tell, undo and skip in any order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.discovery import Event, Hunt, Proposal, Search, Strategy


def crowd_with_knots(seed=0, knots=3):
    """A Gaussian crowd with tight groups inside it, and the class of each record."""
    rng = np.random.default_rng(seed)
    parts, truth = [rng.normal(size=(160, 2))], ["crowd"] * 160
    for knot in range(knots):
        parts.append(rng.normal(size=2) + 0.01 * rng.normal(size=(9, 2)))
        truth += [f"knot {knot}"] * 9
    order = rng.permutation(len(truth))
    return np.vstack(parts)[order], [truth[row] for row in order]


X, TRUTH = crowd_with_knots()


class Remembering(Strategy):
    """Asks row after row, by two members in turn, and notes what comes back."""

    def prepare(self, problem):
        self.search = RememberingSearch()
        return self.search


class RememberingSearch(Search):
    def __init__(self):
        self.reset()

    def reset(self):
        self.heard = []
        self.held = []

    def hold(self, held):
        self.held.append(dict(held))

    def propose(self, barred):
        row = int(np.flatnonzero(~barred)[0])
        return Proposal(
            row, "why not", {}, AskedBy("even" if row % 2 == 0 else "odd", {"row": row})
        )

    def observe(self, answer):
        self.heard.append((answer.row, answer.asked_by))


def asker(row):
    return AskedBy("even" if row % 2 == 0 else "odd", {"row": row})


def test_a_question_carries_its_member_to_the_answer_however_late():
    strategy = Remembering()
    hunt = Hunt(np.arange(10.0)[:, None], strategy, background="a")
    questions = hunt.ask(4)
    assert [question.asked_by for question in questions] == [asker(row) for row in range(4)]
    for question in reversed(questions):
        hunt.tell(question.row, "a")
    hunt.tell(7, "a")
    heard = [(row, asker(row)) for row in (3, 2, 1, 0)] + [(7, None)]
    assert strategy.search.heard == heard
    assert [(event.row, event.asked_by) for event in hunt.events] == heard
    hunt.undo(1)
    hunt.tell(1, "b")
    assert hunt.events[-1] == Event(1, "b", asker(1))


def test_a_search_hears_which_questions_are_out_and_who_asked_them():
    strategy = Remembering()
    hunt = Hunt(np.arange(10.0)[:, None], strategy, background="a")
    hunt.ask(2)
    hunt.skip(1)
    hunt.skip(9)
    held = strategy.search.held
    held.clear()
    hunt.ask(2, exclude=[0, 5])
    before = {1: asker(1), 9: UNKNOWN, 0: asker(0), 5: UNKNOWN}
    assert held == [before, {**before, 2: asker(2)}]
    held.clear()
    hunt.ask(exclude={4: AskedBy("somebody")})
    assert held == [{1: asker(1), 9: UNKNOWN, 4: AskedBy("somebody")}]


def test_what_another_process_asked_is_told_with_its_member():
    hunt = Hunt(np.arange(10.0)[:, None], Remembering())
    hunt.tell(3, "a", asked_by=AskedBy("far away"))
    assert hunt.events == (Event(3, "a", AskedBy("far away")),)
    hunt.ask(5)
    again = Hunt(np.arange(10.0)[:, None], Remembering())
    again.ask(5)
    again.replay([Event(2, "b"), Event(4, None)])
    assert again.events == (Event(2, "b"), Event(4, None))


@pytest.mark.parametrize("several", [2, 3, 10])
def test_several_at_a_time_find_the_knots_as_soon_as_one_at_a_time(several):
    """Where the credit went to whoever's turn it was, ten at a time found nothing for long."""
    hunt = Hunt(X, background="crowd")
    labels = 0
    while len(hunt.found) < 3:
        for question in hunt.ask(several):
            hunt.tell(question.row, TRUTH[question.row])
            labels += 1
    assert labels <= 30


def test_several_questions_look_into_different_knots():
    hunt = Hunt(X, background="crowd")
    hunt.tell(TRUTH.index("crowd"), "crowd")
    inside = [TRUTH[each.row] for each in hunt.ask(12) if each.asked_by.member == "knot"]
    rare = [name for name in inside if name != "crowd"]
    assert len(rare) == len(set(rare)) > 0


class Hunting(RuleBasedStateMachine):
    """Whatever happened, the state is that which the events alone give."""

    strategy = "auto"
    priors = None

    def __init__(self):
        super().__init__()
        self.hunt = self.fresh()
        self.out = {}

    def fresh(self):
        return Hunt(X, self.strategy, priors=self.priors)

    @rule(count=st.integers(1, 6))
    def ask(self, count):
        for question in self.hunt.ask(count, exclude=self.out):
            assert question.row not in self.out
            self.out[question.row] = question.asked_by

    @precondition(lambda self: self.out)
    @rule(data=st.data(), wrong=st.booleans())
    def tell(self, data, wrong):
        row = data.draw(st.sampled_from(sorted(self.out)))
        asked_by = self.out.pop(row)
        self.hunt.tell(row, "crowd" if wrong else TRUTH[row])
        assert self.hunt.events[-1].asked_by == asked_by

    @precondition(lambda self: self.out)
    @rule(data=st.data())
    def skip(self, data):
        row = data.draw(st.sampled_from(sorted(self.out)))
        asked_by = self.out.pop(row)
        self.hunt.skip(row)
        assert self.hunt.events[-1] == Event(row, None, asked_by)

    @rule(row=st.integers(0, len(TRUTH) - 1))
    def tell_unasked(self, row):
        if row not in self.out and row not in {event.row for event in self.hunt.events}:
            self.hunt.replay([Event(row, TRUTH[row])])

    @precondition(lambda self: self.hunt.events)
    @rule()
    def undo(self):
        self.hunt.undo()

    @rule()
    def name_the_background(self):
        self.hunt.set_background("crowd")
        self.hunt.set_background(None)

    @invariant()
    def another_process_asks_the_same(self):
        again = self.fresh()
        again.restore(self.hunt.events)
        assert again.ask(3, exclude=self.out) == self.hunt.ask(3, exclude=self.out)


class HuntingByJumps(Hunting):
    strategy, priors = "malice", (0.05, 0.05)


class HuntingByChange(Hunting):
    strategy = "density-change"


class HuntingByParts(Hunting):
    strategy = "interleave"


few = settings(max_examples=12, stateful_step_count=12, deadline=None)
TestHunting = Hunting.TestCase
TestHunting.settings = few
TestHuntingByJumps = HuntingByJumps.TestCase
TestHuntingByJumps.settings = few
TestHuntingByChange = HuntingByChange.TestCase
TestHuntingByChange.settings = few
TestHuntingByParts = HuntingByParts.TestCase
TestHuntingByParts.settings = few


def test_answers_that_make_one_class_ordinary_after_the_other_are_heard_anew_once():
    strategy, told = Remembering(), len(X)
    hunt = Hunt(X, strategy=strategy)
    heard = []
    observe = strategy.search.observe
    strategy.search.observe = lambda answer: (heard.append(answer), observe(answer))
    hunt.replay(Event(row, "abc"[row % 3], asker(row)) for row in range(told))
    hunt.replay([])
    assert len(heard) == told
    assert [answer.background for answer in heard] == [row % 3 == 0 for row in range(told)]
    hunt.undo(0)  # one "a" less, so that "b" is ordinary
    assert [answer.background for answer in heard[told:]] == [
        row % 3 == 1 for row in range(1, told)
    ]
