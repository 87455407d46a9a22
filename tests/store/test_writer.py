from __future__ import annotations

import threading

import pytest

from rarefind.core.errors import StateError
from rarefind.store.database.problems import OutOfReachError
from rarefind.store.database.writer import Writer
from tests.waiting import PATIENCE


class Slow:
    """A disk that waits until it is let go, and remembers the batches."""

    def __init__(self, problem=None):
        self.batches = []
        self.go = threading.Event()
        self.problem = problem

    def __call__(self, jobs):
        self.go.wait(PATIENCE)
        work = [job.work for job in jobs]
        self.batches.append(work)
        if self.problem and "bad" in work:
            raise self.problem
        return [str(one) for one in work]


def test_all_that_waits_is_written_at_once():
    disk = Slow()
    writer = Writer(disk)
    futures = [writer.hand_over(number) for number in range(10)]
    assert not any(future.done() for future in futures)
    disk.go.set()
    assert [future.result(PATIENCE) for future in futures] == [str(number) for number in range(10)]
    assert len(disk.batches) <= 2
    writer.close()


def test_one_bad_job_fails_alone():
    disk = Slow(ValueError("bad"))
    writer = Writer(disk)
    futures = [writer.hand_over(work) for work in ["first", "good", "bad", "fine"]]
    disk.go.set()
    assert [future.exception(PATIENCE) is None for future in futures] == [True, True, False, True]
    writer.close()


def test_a_store_out_of_reach_is_not_tried_for_each_job():
    disk = Slow(OutOfReachError("away"))
    writer = Writer(disk)
    writer.hand_over("first")
    futures = [writer.hand_over(work) for work in ["good", "bad", "fine"]]
    disk.go.set()
    assert all(isinstance(future.exception(PATIENCE), OutOfReachError) for future in futures)
    writer.close()


def test_a_cancelled_job_is_not_written():
    disk = Slow()
    writer = Writer(disk)
    writer.hand_over("first")
    dropped = writer.hand_over("dropped")
    dropped.cancel()
    disk.go.set()
    writer.close()
    assert "dropped" not in [work for batch in disk.batches for work in batch]


def test_closing_finishes_what_was_handed_over():
    before = set(threading.enumerate())  # other tests may still have a store open
    disk = Slow()
    writer = Writer(disk)
    futures = [writer.hand_over(number) for number in range(5)]
    disk.go.set()
    writer.close()
    assert all(future.done() for future in futures)
    with pytest.raises(StateError, match="closed"):
        writer.hand_over(1)
    begun = set(threading.enumerate()) - before
    assert "rarefind-writer" not in {thread.name for thread in begun}
