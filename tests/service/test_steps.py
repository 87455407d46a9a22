"""Many records labelled at once: each an event, taken back together in every door."""

from __future__ import annotations

import uuid

import pytest

import rarefind as rf
from rarefind.core.errors import ParameterError, StateError, UnknownNameError


def test_a_step_is_events_of_its_own_and_undone_as_one(payments):
    hunt = payments("memory:", overlap=2)
    service, id = hunt.service, hunt.id
    service.tell(id, 0, "ordinary", "anna")
    step = str(uuid.uuid4())
    kept = service.tell_many(id, [5, 3, 5, 9], "fraud", "anna", step)
    assert [each.event.row for each in kept] == [5, 3, 9]
    assert all(each.repeated for each in service.tell_many(id, [5, 3, 9], "fraud", "anna", step))
    assert service.labels(id) == {0: "ordinary", 5: "fraud", 3: "fraud", 9: "fraud"}
    folded = service.history(id, wanted=rf_filter(fold=True))
    assert [(each.step, each.together) for each in folded] == [(step, 3), (None, 1)]
    undo = str(uuid.uuid4())
    assert len(service.take_back(id, "anna", undo)) == 3
    assert all(each.repeated for each in service.take_back(id, "anna", undo))  # sent again
    assert service.labels(id) == {0: "ordinary"}
    service.undo(id, "anna")
    assert service.labels(id) == {}
    assert [each.row for each in service.ask(id, "bert", 1)]  # overlap counts anew after a step


def test_part_of_a_step_and_many_steps_are_taken_back(payments):
    hunt = payments()
    service, id = hunt.service, hunt.id
    first, second = str(uuid.uuid4()), str(uuid.uuid4())
    kept = service.tell_many(id, [1, 2, 3], "fraud", "anna", first)
    service.tell_many(id, [3, 4], "error", "bert", second)
    service.undo(id, "anna", target=kept[1].event.id)
    assert sorted(service.labels(id)) == [1, 3, 4]
    undone = service.undo_many(id, [first, second, kept[1].event.id], "cleo", "6f" * 16)
    assert len(undone) == 4
    assert service.labels(id) == {}
    again = service.undo_many(id, [first, second, kept[1].event.id], "cleo", "6f" * 16)
    assert all(each.repeated for each in again)
    with pytest.raises(StateError, match="taken back already"):
        service.undo_many(id, [first], "cleo")
    with pytest.raises(StateError, match="cannot be taken back"):
        service.undo_many(id, [undone[0].event.id], "cleo")
    with pytest.raises(StateError, match="taken back already"):
        service.undo(id, "anna", target=first)


def test_what_cannot_be_labelled_changes_nothing(payments):
    hunt = payments()
    for rows, label, kind, words in [
        ([], "x", ParameterError, "1 to 10,000 records"),
        ([1, 99_999], "x", UnknownNameError, "There is no row 99999"),
        ([1], " ", ParameterError, "empty"),
    ]:
        with pytest.raises(kind, match=words):
            hunt.service.tell_many(hunt.id, rows, label, "anna")
    assert hunt.service.labels(hunt.id) == {}


def test_a_notebook_takes_the_step_of_the_workbench_back(payments, tmp_path, monkeypatch):
    monkeypatch.setenv("LOGNAME", "anna")
    hunt = payments(f"sqlite:///{tmp_path / 'shared.db'}", strategy="random")
    hunt.service.tell(hunt.id, 7, "ordinary", "anna")
    hunt.service.tell_many(hunt.id, [1, 2], "fraud", "anna")
    name = hunt.service.hunt(hunt.id).name
    rows = [[float(row)] for row in range(len(hunt.truth))]
    with_store = rf.Hunt(rows, "random", store=str(tmp_path / "shared.db"), name=name)
    assert with_store.labels == {7: "ordinary", 1: "fraud", 2: "fraud"}
    with_store.undo()
    assert with_store.labels == {7: "ordinary"}
    with_store.close()


def test_a_step_of_thousands_is_heard_and_undone(payments):
    hunt = payments(overlap=2)
    every = list(range(len(hunt.truth)))
    for _ in range(3):
        hunt.service.tell_many(hunt.id, every, "ordinary", "anna")
    hunt.service.undo_many(hunt.id, [each.id for each in hunt.service.history(hunt.id, 400)], "b")
    assert len(hunt.service.labels(hunt.id)) == 3 * len(every) - 400  # the first ones stand


def rf_filter(**wanted):
    from rarefind.service.finding.history import HistoryFilter

    return HistoryFilter(**wanted)
