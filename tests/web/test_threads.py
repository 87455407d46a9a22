from __future__ import annotations

import threading
import time

import pytest

from rarefind.web.live import threads as module
from rarefind.web.live.threads import Threads
from tests.waiting import PATIENCE, wait_until


def test_calls_run_side_by_side_up_to_the_limit_and_all_are_done():
    threads = Threads(3, "test")
    running, most, lock = 0, 0, threading.Lock()
    meeting = threading.Barrier(3)

    def call(number):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        meeting.wait(PATIENCE)
        with lock:
            running -= 1
        return number

    futures = [threads.submit(lambda number=number: call(number)) for number in range(30)]
    assert [future.result(PATIENCE) for future in futures] == list(range(30))
    assert most == 3
    threads.close()


def test_an_error_reaches_whoever_waits_and_the_thread_goes_on():
    threads = Threads(1, "test")
    with pytest.raises(ZeroDivisionError):
        threads.submit(lambda: 1 // 0).result(PATIENCE)
    assert threads.submit(lambda: 7).result(PATIENCE) == 7
    threads.close()


def test_idle_threads_end(monkeypatch):
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.05)
    before = threading.active_count()
    threads = Threads(5, "test")
    for future in [threads.submit(lambda: time.sleep(0.02)) for _ in range(5)]:
        future.result(PATIENCE)
    wait_until(lambda: threading.active_count() <= before)
    assert threads.submit(lambda: 1).result(PATIENCE) == 1
    threads.close()


def test_closing_drops_what_waits_and_takes_nothing_more():
    threads = Threads(1, "test")
    began, gate = threading.Event(), threading.Event()
    first = threads.submit(lambda: (began.set(), gate.wait(PATIENCE)))
    assert began.wait(PATIENCE)
    waiting = threads.submit(lambda: 1)
    threads.close()
    assert waiting.cancelled()
    gate.set()
    assert first.result(PATIENCE) == (None, True)
    with pytest.raises(RuntimeError, match="stopping"):
        threads.submit(lambda: 1)
