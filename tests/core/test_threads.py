from __future__ import annotations

import threading
from contextvars import ContextVar

import numpy as np
import pytest

from rarefind.core import threads
from rarefind.core.threads import in_threads, undivided_products, workers
from tests.waiting import PATIENCE


def test_there_is_at_least_one_processor():
    assert workers() >= 1


@pytest.mark.parametrize("number", [1, 4])
def test_parts_come_back_in_order_whatever_the_threads(monkeypatch, number):
    monkeypatch.setattr(threads, "workers", lambda: number)
    assert list(in_threads(lambda part: part**2, range(100))) == [part**2 for part in range(100)]


def test_several_threads_work_at_the_same_time(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 2)
    meeting = threading.Barrier(2)
    assert sorted(in_threads(lambda _: meeting.wait(PATIENCE), range(2))) == [0, 1]


def test_parts_are_taken_only_a_little_ahead(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 2)
    taken = []

    def endless():
        for part in range(10**9):
            taken.append(part)
            yield part

    results = in_threads(lambda part: part, endless())
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    results.close()
    assert len(taken) < 20


def test_an_error_in_one_part_reaches_the_caller(monkeypatch):
    monkeypatch.setattr(threads, "workers", lambda: 2)
    with pytest.raises(ZeroDivisionError):
        list(in_threads(lambda part: 1 / part, [1, 0, 2]))


def test_products_can_be_kept_in_one_thread():
    with undivided_products():
        assert (np.eye(3) @ np.ones(3)).tolist() == [1.0, 1.0, 1.0]


def test_threads_know_the_context_they_were_started_in():
    word = ContextVar("word", default="none")
    word.set("here")
    with np.errstate(divide="raise"):
        seen = list(in_threads(lambda _: (word.get(), np.geterr()["divide"]), range(8)))
    assert seen == [("here", "raise")] * 8
