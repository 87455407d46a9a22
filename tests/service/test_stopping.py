"""Whoever stops does not wait for a strategy that has much to hear, of which nothing is kept."""

from __future__ import annotations

import threading

import pytest

from rarefind.discovery import FarthestFirst
from rarefind.service.facade import Service
from rarefind.store.opening import open_store
from tests.waiting import PATIENCE, wait_until


class Slow:
    """Lets a strategy hear one answer whenever the test lets it."""

    def __init__(self, monkeypatch):
        self.heard, self.waiting, self.allowed = 0, 0, threading.Semaphore(0)
        prepare = FarthestFirst.prepare
        monkeypatch.setattr(FarthestFirst, "prepare", lambda *given: self.slowed(prepare(*given)))

    def slowed(self, search):
        observe = search.observe

        def heard_late(answer):
            self.waiting += 1
            assert self.allowed.acquire(timeout=PATIENCE)
            self.heard += 1
            observe(answer)

        search.observe = heard_late
        return search


@pytest.fixture
def slow(monkeypatch):
    slow = Slow(monkeypatch)
    yield slow
    slow.allowed.release(10_000)


def thinking(hunt):
    return [thread for thread in threading.enumerate() if thread.name == f"rarefind hunt {hunt}"]


def test_closing_waits_neither_for_a_long_step_nor_for_all_the_answers(payments, tmp_path, slow):
    hunt = payments(str(tmp_path / "hunts.db"))
    hunt.service.tell(hunt.id, 0, "ordinary", "anna")
    wait_until(lambda: slow.waiting)
    for row in range(1, 150):
        hunt.service.tell(hunt.id, row, hunt.truth[row], "anna")
    slow.allowed.release()
    wait_until(lambda: slow.waiting == 2)
    hunt.service.close()  # although the strategy is in the middle of hearing 149 answers
    slow.allowed.release(10_000)
    wait_until(lambda: not thinking(hunt.id))
    assert slow.heard < 150, "those it had not heard are not heard any more"
    with Service(open_store(str(tmp_path / "hunts.db"))) as again:
        assert again.progress(hunt.id).labels == 150
