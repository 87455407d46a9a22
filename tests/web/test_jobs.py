from __future__ import annotations

import threading

import pytest

from rarefind.core.errors import DataError, StateError, UnknownNameError
from rarefind.core.progress import Step, announce
from rarefind.web.live import jobs as module
from rarefind.web.live.jobs import Jobs
from tests.waiting import PATIENCE, wait_until


@pytest.fixture
def news():
    return []


@pytest.fixture
def jobs(news):
    jobs = Jobs(lambda hunt, event: news.append((hunt, event)))
    yield jobs
    jobs.close()


def test_a_job_reports_its_steps_and_its_result(jobs, news):
    go = threading.Event()

    def work():
        announce("counting", 1, 4)
        go.wait(PATIENCE)
        return 42

    job = jobs.start("h", "rank", work)
    wait_until(lambda: job.step is not None)
    assert (job.state, job.step) == ("running", Step("counting", 1, 4))
    go.set()
    assert job.over.wait(PATIENCE)
    assert (job.state, job.result) == ("done", 42)
    assert jobs.get("h", job.id) is job
    assert [event.state for _, event in news] == ["running", "done"]
    assert {hunt for hunt, _ in news} == {"h"}


def test_a_job_stops_at_its_next_step_when_cancelled(jobs):
    began = threading.Event()

    def work():
        for step in range(10_000_000):
            began.set()
            announce("working", step, 10_000_000)

    job = jobs.start("h", "rank", work)
    assert began.wait(PATIENCE)
    job.stop.set()
    assert job.over.wait(PATIENCE)
    assert job.state == "cancelled"


def test_a_job_that_waits_can_be_cancelled_too(jobs):
    go = threading.Event()
    running = [jobs.start("h", "rank", go.wait) for _ in range(module.AT_ONCE)]
    waiting = jobs.start("h", "rank", lambda: 1)
    waiting.stop.set()
    assert waiting.over.wait(PATIENCE)
    assert waiting.state == "cancelled"
    go.set()
    for job in running:
        assert job.over.wait(PATIENCE)


def test_an_error_a_person_can_act_on_is_told_in_its_own_words(jobs):
    def work():
        raise DataError("All labels are 'a'.")

    job = jobs.start("h", "rank", work)
    assert job.over.wait(PATIENCE)
    assert (job.state, job.error) == ("failed", "All labels are 'a'.")


def test_any_other_error_is_logged_and_told_without_its_details(jobs, caplog):
    job = jobs.start("h", "rank", lambda: {}["secret detail"])
    assert job.over.wait(PATIENCE)
    assert job.state == "failed"
    assert job.id in job.error
    assert "secret" not in job.error
    assert "secret detail" in caplog.text


def test_one_of_a_kind_is_not_begun_twice(jobs):
    go = threading.Event()
    first = jobs.start("h", "prepare", go.wait, alone=True)
    assert jobs.start("h", "prepare", go.wait, alone=True) is first
    assert jobs.start("other", "prepare", go.wait, alone=True) is not first
    go.set()
    assert first.over.wait(PATIENCE)
    assert jobs.start("h", "prepare", go.wait, alone=True) is not first


def test_too_many_waiting_jobs_are_refused_and_rankings_keep_nobody_from_opening_a_hunt(jobs):
    go = threading.Event()
    kinds = ["rank", "compare"] * (module.MOST_WAITING // 2)
    started = [jobs.start("h", kind, go.wait) for kind in kinds]
    with pytest.raises(StateError, match="already waiting"):
        jobs.start("h", "rank", go.wait)
    opened = jobs.start("other", "prepare", lambda: 42, alone=True)
    assert opened.over.wait(PATIENCE)
    assert opened.result == 42
    assert not any(job.over.is_set() for job in started)
    go.set()
    for job in started:
        assert job.over.wait(PATIENCE)


def test_old_jobs_are_forgotten_and_foreign_ones_not_shown(jobs, monkeypatch):
    monkeypatch.setattr(module, "REMEMBERED", 5)
    made = []
    for _ in range(10):
        made.append(jobs.start("h", "rank", lambda: 1))
        assert made[-1].over.wait(PATIENCE)
    with pytest.raises(UnknownNameError):
        jobs.get("h", made[0].id)
    assert jobs.get("h", made[-1].id) is made[-1]
    with pytest.raises(UnknownNameError):
        jobs.get("another hunt", made[-1].id)
