from __future__ import annotations

import os
import signal
import threading

from rarefind.core.progress import listen
from rarefind_bench.measuring.worker import Worker
from tests.waiting import PATIENCE

STRINGS = {"strings": 8, "length": 12}
LONG = {"rows": 3_000_000, "dimensions": 9}


def test_tasks_are_measured_one_after_the_other_in_one_other_process():
    with Worker() as worker:
        first = worker.measure("rarefind Spectrum(4)", STRINGS, PATIENCE)
        process = worker.process
        assert process.pid != os.getpid()
        assert first["kernel"]["processors"] > 0
        assert first["gigabytes"] > 0.01
        steps = []
        with listen(steps.append):
            hunted = worker.measure("rarefind auto", {"rows": 500, "dimensions": 2}, PATIENCE)
        assert {"set-up", "question"} <= set(hunted)
        assert steps
        assert all(step.task.startswith("rarefind auto: ") for step in steps)
        failed = worker.measure("rarefind Spectrum(4)", {"strings": 8}, PATIENCE)
        assert failed == {"failed": "KeyError: 'length'"}
        assert "kernel" in worker.measure("rarefind Spectrum(4)", STRINGS, PATIENCE)
        assert worker.process is process
        assert worker.measure("rarefind auto", LONG, 0.3) == {"stopped": 0.3}
        assert process.poll() is not None
        assert worker.process is None


def test_a_process_that_dies_is_told_and_the_next_task_gets_a_new_one():
    with Worker() as worker:
        worker.measure("rarefind Spectrum(4)", STRINGS, PATIENCE)
        kill = threading.Timer(0.3, os.kill, (worker.process.pid, signal.SIGKILL))
        kill.start()
        answer = worker.measure("rarefind auto", LONG, PATIENCE)
        assert answer == {"failed": "the process ended with -9"}
        kill.join()
        assert "kernel" in worker.measure("rarefind Spectrum(4)", STRINGS, PATIENCE)
    assert worker.process is None
