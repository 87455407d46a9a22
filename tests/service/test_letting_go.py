"""Hunts that nobody uses give their memory back, and a file is not read more often than needed."""

from __future__ import annotations

import gc
import os
import sys
import threading
import weakref
from pathlib import Path

import pytest

from rarefind.service.facade import Service
from rarefind.service.hunts import attendant
from rarefind.service.hunts.attendant import idle
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store
from tests.service.conftest import Payments
from tests.waiting import wait_until


class Reads:
    """Counts how often a file is opened, by whomever; the interpreter itself tells."""

    def __init__(self):
        self.path, self.count = None, 0
        sys.addaudithook(self.hear)

    def hear(self, event, arguments):
        if self.path is not None and event == "open" and isinstance(arguments[0], str | Path):
            self.count += Path(arguments[0]) == self.path

    def of(self, path, work):
        """Tell how often a piece of work opens a file."""
        self.path, self.count = path, 0
        try:
            work()
            return self.count
        finally:
            self.path = None


READS = Reads()  # a hook cannot be taken back, so there is one


@pytest.fixture
def settled(tmp_path):
    """A file that was written a while ago, and a store."""
    hunt = Payments(tmp_path, str(tmp_path / "hunts.db"))
    hunt.service.tell(hunt.id, 0, "ordinary", "anna")
    hunt.service.tell(hunt.id, hunt.truth.index("fraud"), "fraud", "anna")
    hunt.close()
    os.utime(hunt.path, (1.6e9, 1.6e9))
    return hunt


def test_a_file_is_read_twice_from_the_first_look_to_the_first_question(settled):
    def story():
        with Service(open_store("memory:")) as service:
            service.inspect(settled.path)
            hunt = service.open_hunt(settled.path, settings=HuntSettings(strategy="random")).id
            service.prepare(hunt)
            service.ask(hunt, "anna")
            service.export(hunt, settled.folder / "out.csv")

    assert 1 <= READS.of(settled.path, story) <= 2  # for its digest, and for its records


def test_ranking_a_hunt_reads_its_file_twice(settled):
    def story():
        with Service(open_store(settled.store)) as service:
            hunt = service.open_hunt(settled.path, create=False).id
            made = service.rank(hunt, "fraud", "lago")
            service.ranked(hunt, made.id)
            service.export(hunt, settled.folder / "out.csv", what="ranking")

    assert 1 <= READS.of(settled.path, story) <= 2


def test_a_file_that_was_just_written_is_looked_at_again(tmp_path):
    path = tmp_path / "sizes.csv"
    path.write_text("size\n1\n2\n")
    with Service(open_store("memory:")) as service:
        service.inspect(path)
        path.write_text("size\n3\n4\n")  # as long, and perhaps under the same time
        assert service.inspect(path).preview[0] == {"size": "3"}


def test_a_hunt_that_nobody_uses_is_let_go_and_comes_back(tmp_path):
    hunt = Payments(tmp_path, str(tmp_path / "hunts.db"))
    hunt.close()
    before = threading.active_count()
    with Service(open_store(hunt.store), idle_seconds=0.2) as service:
        service.prepare(hunt.id)
        opened = service._hunt(hunt.id)
        records = weakref.ref(opened.data.records)
        strategy = weakref.ref(opened.live.hunt)
        wait_until(lambda: service.state(hunt.id).state == "closed")
        wait_until(lambda: gc.collect() >= 0 and records() is None and strategy() is None)
        assert not opened.records.loaded
        wait_until(lambda: threading.active_count() <= before + 2)  # the store's writer, and ours
        assert service.record(hunt.id, 5).row == 5
        service.prepare(hunt.id)
        assert service.ask(hunt.id, "anna")


def test_listeners_hear_of_other_processes_without_a_strategy(tmp_path):
    hunt = Payments(tmp_path, str(tmp_path / "hunts.db"))
    heard = []
    with Service(open_store(hunt.store), idle_seconds=1000) as service:
        service.subscribe(hunt.id, heard.append)
        row = hunt.answer()
        wait_until(lambda: [news.row for news in heard] == [row])
        assert service.state(hunt.id).state == "closed"
    hunt.close()


def test_the_hunts_used_longest_ago_go_first(tmp_path, monkeypatch):
    monkeypatch.setattr(attendant, "MOST_AT_HAND", 2)
    path = tmp_path / "sizes.csv"
    path.write_text("size\n1\n2\n")
    with Service(open_store("memory:")) as service:
        names = ("old", "middle", "young", "now", "closed")
        hunts = [service._hunt(service.open_hunt(path, name=name).id) for name in names]
        for hunt, seen_at in zip(hunts[:4], (0.0, 500.0, 900.0, 950.0), strict=True):
            assert hunt.data.n_records == 2
            hunt.records.seen_at = seen_at
        old, middle, young, now, closed = hunts
        assert idle(hunts, 1000.0, 2000.0) == [middle, old]
        assert idle([young, now], 1000.0, 75.0) == [young]
        assert idle([old, now], 1000.0, 2000.0) == []
        assert idle([closed], 1e9, 1.0) == []
