"""A process that measures, so that slow work can be ended and memory is that of the work alone."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from queue import Empty, Queue
from types import TracebackType
from typing import Any

from rarefind.core.progress import announce

_START = 300.0
"""Seconds the process may take until it is ready."""

Measured = Mapping[str, Any]
"""What was measured, by name; or ``stopped`` (seconds) or ``failed`` (why) alone."""


class Worker:
    """Measures one task after the other in another process, started when it is needed.

    A task that lasts too long is ended with its process, and one that kills its process is said to
    have failed; the next task gets a new one. ``process`` is the one that runs now, if any.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def measure(self, task: str, what: Mapping[str, Any], limit: float) -> Measured:
        """Do a task of :mod:`rarefind_bench.measuring.tasks`, for so many seconds at most."""
        if self.process is None and not self._started():
            return {"failed": "the process that measures did not start"}
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"task": task, "what": dict(what)}) + "\n")
            self.process.stdin.flush()
            answer = self._answer(task, limit)
        except Empty:
            self.end()
            return {"stopped": limit}
        except OSError:
            answer = None
        if answer is None:
            ended = self.process.wait()
            self.end()
            return {"failed": f"the process ended with {ended}"}
        return answer

    def _answer(self, task: str, limit: float) -> Measured | None:
        """Pass on the progress until the answer comes; None if the process has ended."""
        end = time.monotonic() + limit
        while line := self._lines.get(timeout=max(0.0, end - time.monotonic())):
            said: dict[str, Any] = json.loads(line)
            if "step" not in said:
                return said
            part, done, total = said["step"]
            announce(f"{task}: {part}", done, total)
        return None

    def end(self) -> None:
        """End the process, whatever it is doing."""
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process = None

    def _started(self) -> bool:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rarefind_bench.measuring.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._lines = Queue()
        threading.Thread(target=_listen, args=(self.process, self._lines), daemon=True).start()
        try:
            ready = bool(self._lines.get(timeout=_START))
        except Empty:
            ready = False
        if not ready:
            self.end()
        return ready


def why_not(point: Measured) -> str:
    """Say in a few words why nothing was measured.

    >>> why_not({"stopped": 30.0}), why_not({"failed": "MemoryError: 8 GB"})
    ('> 30 s', 'fails: MemoryError')
    """
    if "stopped" in point:
        return f"> {point['stopped']:g} s"
    return f"fails: {str(point['failed']).partition(':')[0]}"


def _listen(process: subprocess.Popen[str], lines: Queue[str]) -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            lines.put(line)
    except ValueError:
        pass  # closed in the middle of reading
    lines.put("")
