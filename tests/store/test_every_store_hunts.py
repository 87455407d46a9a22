"""What every store must do with data sets, hunts and rankings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rarefind.core.errors import ParameterError, StateError, UnknownNameError
from tests.store.example import (
    data_set,
    hunt_entry,
    label,
    ranking,
    with_hunt,
)


def test_a_data_set_comes_back_as_it_was_kept(store):
    data = data_set(reading={"text": "é\x00\ud800", "list": [1, 2.5, None, True], "nan": 1e300})
    assert store.put_dataset(data) == data
    assert store.dataset("data") == data
    assert store.datasets() == [data]


def test_the_same_file_read_in_the_same_way_is_kept_once(store):
    first = store.put_dataset(data_set())
    assert store.put_dataset(data_set("another", name="copy", created_at=99.0)) == first
    changed = store.put_dataset(data_set("changed", sha256="cd" * 32))
    other_reading = store.put_dataset(data_set("read otherwise", reading={}))
    assert [data.id for data in store.datasets()] == ["changed", "data", "read otherwise"]
    assert (changed.id, other_reading.id) == ("changed", "read otherwise")


def test_an_id_of_another_data_set_is_refused(store):
    store.put_dataset(data_set())
    with pytest.raises(StateError, match="stands for another data set"):
        store.put_dataset(data_set(sha256="cd" * 32))


def test_a_hunt_is_found_by_id_and_by_name(store):
    with_hunt(store, "first", "second")
    assert store.hunt("first") == store.hunt("the first") == hunt_entry("first")
    assert [hunt.id for hunt in store.hunts()] == ["first", "second"]


def test_hunts_and_data_sets_come_oldest_first(store):
    store.put_dataset(data_set("data", created_at=5.0))
    store.put_dataset(data_set("older", sha256="00", created_at=4.0))
    store.create_hunt(hunt_entry("late", created_at=9.0))
    store.create_hunt(hunt_entry("early", created_at=8.0))
    assert [data.id for data in store.datasets()] == ["older", "data"]
    assert [hunt.id for hunt in store.hunts()] == ["early", "late"]


def test_an_unknown_hunt_is_answered_with_the_nearest_name(store):
    with_hunt(store)
    with pytest.raises(UnknownNameError, match=r"Did you mean 'the hunt'\? Available: the hunt"):
        store.hunt("the hnut")


def test_what_does_not_exist_is_said_to_be_missing(store):
    store.put_dataset(data_set())
    for call in [
        lambda: store.dataset("none"),
        lambda: store.events("none"),
        lambda: store.standing("none"),
        lambda: store.leases("none", 0.0),
        lambda: store.rankings("none"),
        lambda: store.ranking("none"),
        lambda: store.change_hunt("none", {}),
        lambda: store.keep(label(1, hunt="none")),
        lambda: store.take_leases("none", "ann", [], count=1, seconds=1, now=0),
        lambda: store.create_hunt(hunt_entry(dataset="none")),
        lambda: store.put_ranking(ranking(hunt="none")),
    ]:
        with pytest.raises(UnknownNameError, match=r"There is no .*none"):
            call()


def test_a_name_that_is_taken_is_refused_but_the_same_hunt_again_is_not(store):
    with_hunt(store)
    store.create_hunt(hunt_entry())
    with pytest.raises(StateError, match="a hunt named 'the hunt' already"):
        store.create_hunt(hunt_entry("other", name="the hunt"))
    with pytest.raises(StateError, match="stands for another hunt"):
        store.create_hunt(hunt_entry(name="other"))
    assert len(store.hunts()) == 1


def test_settings_are_replaced(store):
    with_hunt(store)
    changed = store.change_hunt("hunt", {"overlap": 3})
    assert changed == store.hunt("hunt") == replace(hunt_entry(), settings={"overlap": 3})


def test_settings_that_cannot_be_written_are_refused(store):
    with_hunt(store)
    with pytest.raises(ParameterError, match="settings of a hunt must hold only text, numbers"):
        store.change_hunt("hunt", {"strategy": object()})


def test_a_ranking_comes_back_with_its_numbers_and_lists_without(store):
    with_hunt(store)
    store.put_ranking(ranking())
    store.put_ranking(ranking("older", created_at=0.5))
    store.put_ranking(ranking())
    kept = store.ranking("r")
    np.testing.assert_array_equal(kept.rows, [5, 2, 9])
    np.testing.assert_array_equal(kept.scores, [0.5, -1.0, np.nan])
    assert kept.note == {"why": "best"}
    assert [(one.id, len(one.rows), len(one.scores)) for one in store.rankings("hunt")] == [
        ("older", 0, 0),
        ("r", 0, 0),
    ]


def test_another_ranking_of_the_same_id_is_refused(store):
    with_hunt(store)
    store.put_ranking(ranking())
    with pytest.raises(StateError, match="another ranking"):
        store.put_ranking(ranking(scores=np.array([0.5, -1.0, 2.0])))
    with pytest.raises(ParameterError, match="one score for each row"):
        store.put_ranking(ranking("uneven", rows=np.array([1])))
    with pytest.raises(ParameterError, match="must be numbers"):
        store.put_ranking(ranking("words", scores=["high", "low", "none"]))
