from __future__ import annotations

import uuid

import pytest

from rarefind.core.errors import ParameterError, StateError, UnknownNameError


def names(hunt):
    return {each.name: each.count for each in hunt.service.progress(hunt.id).classes}


def told(hunt, *labels):
    for row, label in enumerate(labels):
        hunt.service.tell(hunt.id, row, label, "anna", asked=False)


def test_a_rename_is_an_event_for_everybody_and_undone_like_one(payments, tmp_path):
    hunt = payments(str(tmp_path / "store.db"))
    told(hunt, "ordinary", "frued", "frued")
    kept = hunt.service.rename(hunt.id, "frued", "fraud", "bert")
    assert names(hunt) == {"ordinary": 1, "fraud": 2}
    assert hunt.service.labels(hunt.id) == {0: "ordinary", 1: "fraud", 2: "fraud"}
    assert hunt.service.history(hunt.id, 1)[0].words == "bert called the class frued fraud."
    hunt.close()
    hunt.open()
    assert names(hunt) == {"ordinary": 1, "fraud": 2}
    hunt.service.undo(hunt.id, "anna", target=kept.event.id)
    assert names(hunt) == {"ordinary": 1, "frued": 2}
    words = hunt.service.history(hunt.id, 1)[0].words
    assert words == "anna took back the name fraud of the class frued."


def test_undo_takes_back_what_was_done_last_be_it_an_answer_or_a_name(payments):
    hunt = payments()
    told(hunt, "ordinary", "frued")
    hunt.service.rename(hunt.id, "frued", "fraud", "anna")
    hunt.service.undo(hunt.id, "bert", target=hunt.service.tell(hunt.id, 5, "x", "bert").event.id)
    hunt.service.undo(hunt.id, "anna")
    assert names(hunt) == {"ordinary": 1, "frued": 1}
    hunt.service.undo(hunt.id, "anna")
    assert names(hunt) == {"ordinary": 1}
    hunt.service.rename(hunt.id, "ordinary", "usual", "bert")
    hunt.service.undo(hunt.id, "anna")  # what others named stays
    assert not names(hunt).get("ordinary")


def test_the_strategy_hears_of_new_names(payments):
    hunt = payments()
    told(hunt, "ordinary", "odd")
    hunt.service.merge(hunt.id, "odd", "ordinary", "anna")
    live = hunt.service.opened(hunt.id).live
    live.wait_until_heard()
    assert live.hunt.labels == {0: "ordinary", 1: "ordinary"}
    assert hunt.service.history(hunt.id, 1)[0].words == "anna made the class odd part of ordinary."


def test_sent_twice_it_counts_once(payments):
    hunt = payments()
    told(hunt, "frued")
    id = str(uuid.uuid4())
    assert not hunt.service.rename(hunt.id, "frued", "fraud", "anna", id).repeated
    assert hunt.service.rename(hunt.id, "frued", "fraud", "anna", id).repeated


def test_an_ordinary_class_stays_ordinary(payments):
    hunt = payments(background=("nromal",))
    told(hunt, "nromal", "fraud")
    hunt.service.rename(hunt.id, "nromal", "normal", "anna")
    classes = hunt.service.progress(hunt.id).classes
    assert {each.name: each.background for each in classes} == {"normal": True, "fraud": False}
    hunt.service.undo_rename(hunt.id, "anna")
    classes = hunt.service.progress(hunt.id).classes
    assert {each.name: each.background for each in classes} == {"nromal": True, "fraud": False}


def test_rankings_follow_their_class(payments):
    hunt = payments()
    told(hunt, "ordinary", "ordinary", "frued", "frued")
    made = hunt.service.rank(hunt.id, "frued", "lago")
    hunt.service.rename(hunt.id, "frued", "fraud", "anna")
    row = hunt.service.ranked(hunt.id, made.id, 0, 1)[0].row
    hunt.service.tell(hunt.id, row, "fraud", "anna")
    view = hunt.service.ranking(hunt.id, made.id)
    assert (view.target, view.hits[0]["found"]) == ("fraud", 1)
    assert hunt.service.votes(hunt.id, made.id, row).words


@pytest.mark.parametrize(
    ("change", "problem", "words"),
    [
        (lambda s, id: s.rename(id, "none", "x", "anna"), UnknownNameError, "no class 'none'"),
        (lambda s, id: s.rename(id, "a", " ", "anna"), ParameterError, "is empty"),
        (lambda s, id: s.rename(id, "a", "a", "anna"), ParameterError, "already"),
        (lambda s, id: s.rename(id, "a", "b", "anna"), StateError, "merge 'a' into it"),
        (lambda s, id: s.merge(id, "a", "none", "anna"), UnknownNameError, "no class 'none'"),
        (lambda s, id: s.merge(id, "a", "a", "anna"), ParameterError, "into itself"),
        (lambda s, id: s.undo_rename(id, "anna"), StateError, "renamed or merged"),
        (lambda s, id: s.set_key(id, "a", "n"), ParameterError, "key of the class 'a'"),
    ],
)
def test_what_makes_no_sense_is_refused(payments, change, problem, words):
    hunt = payments()
    told(hunt, "a", "b")
    with pytest.raises(problem, match=words):
        change(hunt.service, hunt.id)
    assert names(hunt) == {"a": 1, "b": 1}
