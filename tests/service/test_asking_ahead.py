"""Questions held ahead of time are as good as those asked one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.asked_by import UNKNOWN
from rarefind.service.asking.handed_out import HandedOut
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.contract import Candidate, Lease
from rarefind.store.opening import open_store


def write_knots(path, seed=0):
    """A crowd with three tight groups inside it; returns the class of each record."""
    rng = np.random.default_rng(seed)
    X, truth = [rng.normal(size=(200, 2))], ["crowd"] * 200
    for knot in range(3):
        X.append(rng.normal(size=2) + 0.01 * rng.normal(size=(9, 2)))
        truth += [f"knot {knot}"] * 9
    order = rng.permutation(len(truth))
    rows = np.vstack(X)[order]
    path.write_text("a,b\n" + "\n".join(f"{x!r},{y!r}" for x, y in rows.tolist()) + "\n")
    return [truth[row] for row in order]


class Knots:
    """A hunt in knots, in a store that can be opened again."""

    def __init__(self, folder):
        self.path, self.store = folder / "knots.csv", str(folder / "rarefind.db")
        self.truth = write_knots(self.path)
        self.open()

    def open(self):
        self.service = Service(open_store(self.store))
        self.id = self.service.open_hunt(self.path, settings=HuntSettings()).id
        self.service.prepare(self.id)

    def reference(self):
        """The same hunt as a person has it in a notebook."""
        live = self.service._hunt(self.id)
        return live.data.hunt(live.settings)

    def tell(self, row, who="anna"):
        return self.service.tell(self.id, row, self.truth[row], who).event


@pytest.fixture
def knots(tmp_path):
    hunt = Knots(tmp_path)
    yield hunt
    hunt.service.close()


def test_whoever_holds_questions_ahead_is_asked_what_the_notebook_asks(knots):
    reference = knots.reference()
    shown = knots.service.ask(knots.id, "anna", 3, seen=[])
    members = set()
    for _ in range(25):
        question = reference.ask()
        assert (shown[0].row, shown[0].why) == (question.row, question.why)
        event = knots.tell(question.row)
        reference.tell(question.row, knots.truth[question.row])
        assert event.asked_by == question.asked_by
        members.add(event.asked_by.member)
        shown = knots.service.ask(knots.id, "anna", 3, seen=[])
    assert members >= {"reach", "knot"}
    assert len(reference.found) == 3


def test_what_was_seen_stays_and_the_rest_is_given_back(knots):
    first, _, third = knots.service.ask(knots.id, "anna", 3, seen=[])
    knots.tell(first.row)
    now = knots.service.ask(knots.id, "anna", 3, seen=[third.lease])
    assert (now[0].row, now[0].lease) == (third.row, third.lease)
    live = knots.service.store.leases(knots.id, now[0].expires_at - 1)
    assert {lease.candidate.row for lease in live} == {each.row for each in now}
    kept = knots.service.ask(knots.id, "anna", 3)
    assert [each.lease for each in kept] == [each.lease for each in now]


def test_what_was_given_back_may_be_asked_of_others(knots):
    held = knots.service.ask(knots.id, "anna", 2, seen=[])
    knots.service.ask(knots.id, "bert", 1)
    left = knots.service.ask(knots.id, "anna", 1, seen=[held[0].lease])
    assert [each.lease for each in left] == [held[0].lease]
    live = knots.service.store.leases(knots.id, left[0].expires_at - 1)
    assert held[1].row not in {lease.candidate.row for lease in live}
    taken = knots.service.store.take_leases(
        knots.id,
        "cem",
        [Candidate(held[1].row, "why")],
        count=1,
        seconds=60,
        now=left[0].expires_at - 1,
    )
    assert [lease.candidate.row for lease in taken] == [held[1].row]


def test_another_process_goes_on_with_the_same_questions(knots):
    reference = knots.reference()
    for _ in range(12):
        question = knots.service.ask(knots.id, "anna", 2, seen=[])[0]
        assert question.row == reference.ask().row
        knots.tell(question.row)
        reference.tell(question.row, knots.truth[question.row])
        knots.service.close()
        knots.open()
    assert [said.asked_by for said in reference.events] == [
        event.asked_by for event in knots.service.store.events(knots.id)
    ]


@pytest.mark.parametrize("ahead", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_undo_skip_and_opening_again_change_no_question(knots, ahead, seed):
    """One person on the terminal (one question) or on the page (some ahead), and a notebook."""
    rng = np.random.default_rng(seed)
    reference = knots.reference()
    seen = None
    for _ in range(40):
        shown = knots.service.ask(knots.id, "anna", ahead, seen=seen)[0]
        question = reference.ask()
        assert (shown.row, shown.why) == (question.row, question.why)
        seen = [shown.lease]
        match rng.choice(["undo", "open", "skip", "tell"], p=[0.15, 0.1, 0.1, 0.65]):
            case "undo" if reference.events:
                knots.service.undo(knots.id, "anna")
                reference.undo()
                seen = []
            case "open":
                knots.service.close()
                knots.open()
                seen = None
            case "skip":
                knots.service.skip(knots.id, shown.row, "anna")
                reference.skip(question.row)
            case _:
                knots.tell(shown.row)
                reference.tell(question.row, knots.truth[question.row])
    assert [said.asked_by for said in reference.events] == [
        word.asked_by for word in knots.service.store.standing(knots.id)
    ]


def test_what_was_taken_back_is_asked_next_although_the_next_question_was_shown(knots):
    first = knots.service.ask(knots.id, "anna")[0]
    knots.tell(first.row)
    second = knots.service.ask(knots.id, "anna")[0]
    knots.service.undo(knots.id, "anna")
    knots.service.release(knots.id, second)
    assert knots.service.ask(knots.id, "anna")[0].row == first.row


def test_an_answer_that_is_late_or_told_again_is_credited_to_whoever_asked(knots):
    reference = knots.reference()
    question = knots.service.ask(knots.id, "anna")[0]
    assert reference.ask().row == question.row
    knots.service.ask(knots.id, "anna", 1, seen=[])  # it was given back, and leased anew
    first = knots.tell(question.row)
    knots.service.undo(knots.id, "anna", target=first.id)
    again = knots.service.tell(knots.id, question.row, "something else", "anna").event
    assert again.asked_by == first.asked_by == reference.ask().asked_by
    assert knots.service.tell(knots.id, 0, "x", "anna", asked=False).event.asked_by is None
    assert knots.service.tell(knots.id, 1, "x", "bert").event.asked_by == UNKNOWN


def test_who_was_asked_for_a_second_opinion_was_asked_by_the_same(knots):
    knots.service.change(knots.id, overlap=2)
    question = knots.service.ask(knots.id, "anna")[0]
    first = knots.tell(question.row)
    assert knots.service.ask(knots.id, "bert")[0].row == question.row
    assert knots.tell(question.row, "bert").asked_by == first.asked_by


def test_three_people_find_the_knots_as_soon_as_one(knots):
    rng = np.random.default_rng(0)
    names = ("anna", "bert", "cem")
    held = {name: knots.service.ask(knots.id, name)[0].row for name in names}
    seen = set()
    labels = 0
    while len(seen) < 4 and labels < 60:
        labels += 1
        name = names[rng.integers(3)]
        seen.add(knots.truth[held[name]])
        knots.tell(held[name], name)
        held[name] = knots.service.ask(knots.id, name)[0].row
    assert len(seen) == 4
    assert labels <= 30


def lease(row, annotator="anna", until=2e9):
    return Lease(f"lease {row}", "hunt", annotator, Candidate(row, "why"), until)


def test_only_what_waits_behind_another_and_was_not_seen_is_ahead():
    out = HandedOut()
    out.give([lease(1), lease(2), lease(3)], seen=["lease 2"])
    out.give([lease(7, "bert"), lease(8, "bert")])
    assert out.ahead() == {3}
    out.take_back("anna", ["lease 1", "lease 2"])
    assert set(out.askers(answered=set())) == {1, 2, 7, 8}
    out.take_back("bert", [])
    assert set(out.askers(answered=set())) == {1, 2}
    aside = [Candidate(row, "why") for row in (1, 9, 10)]
    out.reserve(aside[1:])
    out.let_go([aside[0], aside[2]])  # what is leased stays out
    out.give([lease(5, until=1.0)])
    assert out.askers(answered={2}) == {1: UNKNOWN, 2: UNKNOWN, 9: UNKNOWN}
    assert out.askers(answered=set()) == {1: UNKNOWN, 9: UNKNOWN}
