"""Backups made while labels arrive hold every label acknowledged before they began."""

from __future__ import annotations

import os
import threading

import pytest

from rarefind.store import open_store
from rarefind.testing.stores.examples import label, with_hunt

BACKUPS = max(4, int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50")) // 12)


def test_backups_while_labels_arrive_are_whole(address, tmp_path):
    told = []
    stop = threading.Event()

    def work(annotator):
        row = 0
        while not stop.is_set():
            told.append(store.keep(label(row, annotator=annotator)).event)
            row += 1
            stop.wait(0.02)

    with open_store(address) as store:
        with_hunt(store)
        threads = [threading.Thread(target=work, args=(f"a{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        try:
            before = []
            for number in range(BACKUPS):
                before.append(list(told))
                store.backup(tmp_path / f"{number}.db")
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        everything = store.events("hunt")
    for number, acknowledged in enumerate(before):
        with open_store(tmp_path / f"{number}.db") as copy:
            events = copy.events("hunt")
            assert events == everything[: len(events)]
            assert {event.id for event in acknowledged} <= {event.id for event in events}
            assert copy.check().ok
    assert len(before[-1]) > 0


def test_a_backup_that_fails_leaves_nothing_behind(tmp_path, monkeypatch):
    from rarefind.store.database import sqlite

    with open_store(tmp_path / "rarefind.db") as store:
        with_hunt(store)

        def fail(source, target):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(sqlite, "copy_file", fail)
        with pytest.raises(OSError, match=r"copy.db cannot be written: No space left on device"):
            store.backup(tmp_path / "copy.db")
        assert [path.name for path in tmp_path.glob("*copy*")] == []
