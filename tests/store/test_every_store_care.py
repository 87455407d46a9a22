"""How every store is backed up, checked, closed and shared."""

from __future__ import annotations

import pytest

from rarefind.core.errors import RarefindError, StateError
from rarefind.store import open_store
from tests.store.example import (
    append,
    ask,
    data_set,
    label,
    new_id,
    ranking,
    skip,
    undo,
    with_hunt,
)


def fill(store):
    with_hunt(store, "hunt", "other")
    words = [store.keep(label(row, annotator=f"a{row % 3}")).event for row in range(20)]
    store.keep(skip(30, hunt="other"))
    store.keep(undo(words[4].id))
    store.keep(append("data"))
    ask(store, "ann", rows=(90, 91), count=2)
    store.put_ranking(ranking())


def everything(store):
    hunts = [hunt.id for hunt in store.hunts()]
    return (
        store.datasets(),
        store.hunts(),
        [store.events(hunt) for hunt in hunts],
        [store.standing(hunt) for hunt in hunts],
        [store.leases(hunt, 100.0) for hunt in hunts],
        [(one.id, one.rows.tolist()) for one in [store.ranking("r")]],
    )


def test_a_backup_holds_everything_and_goes_on(store, tmp_path):
    fill(store)
    target = tmp_path / "copy.db"
    store.backup(target)
    assert target.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("*copy*")] == ["copy.db"]
    with open_store(target) as copy:
        assert everything(copy) == everything(store)
        assert copy.check().ok
        assert copy.keep(label(77)).event.seq == 24
    assert len(store.events("hunt")) == 22


def test_a_backup_never_writes_over_a_file(store, tmp_path):
    target = tmp_path / "copy.db"
    target.write_text("precious")
    with pytest.raises(StateError, match="exists already: give the backup a new name"):
        store.backup(target)
    assert target.read_text() == "precious"
    with pytest.raises(RarefindError, match="There is no folder"):
        store.backup(tmp_path / "none" / "copy.db")


def test_a_whole_store_is_found_whole(store):
    fill(store)
    report = store.check()
    assert (report.ok, report.faults, report.repaired) == (True, (), ())
    assert (report.hunts, report.events) == (2, 23)
    assert store.check(repair=True) == report


def test_a_closed_store_says_so(store):
    with_hunt(store)
    store.close()
    store.close()
    for call in (
        lambda: store.keep(label(1)),
        lambda: store.hunts(),
        lambda: store.put_dataset(data_set()),
        lambda: ask(store),
    ):
        with pytest.raises(StateError, match="The store is closed"):
            call()


def test_what_is_kept_is_there_when_the_store_is_opened_again(engine, address):
    if engine == "memory":
        return
    with open_store(address) as store:
        fill(store)
        kept = everything(store)
    with open_store(address) as store:
        assert everything(store) == kept


def test_two_open_stores_see_each_other(engine, address):
    if engine == "memory":
        return
    with open_store(address) as one, open_store(address) as other:
        with_hunt(one)
        event = label(3, id=new_id())
        assert not one.keep(event).repeated
        assert other.keep(event).repeated
        assert other.keep(label(4)).event.seq == 2
        assert [kept.row for kept in one.events("hunt")] == [3, 4]
        assert ask(one, "ann") == [1]
        assert ask(other, "bob") == [2]
