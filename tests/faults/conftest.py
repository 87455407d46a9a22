from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.store.conftest import address, empty_postgres, engine, used_postgres  # noqa: F401

ROOT = Path(__file__).parents[2]


class Zygote:
    """Starts workers as processes of their own (see zygote.py)."""

    def __init__(self):
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
        )

    def start(self, work, **arguments):
        self._process.stdin.write(json.dumps({"work": work, **arguments}) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def kill(self, pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.wait(pid)

    def wait(self, pid, seconds=60):
        deadline = time.monotonic() + seconds
        while Path(f"/proc/{pid}").exists():
            assert time.monotonic() < deadline, f"process {pid} does not end"
            time.sleep(0.005)

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


@pytest.fixture(scope="session")
def zygote():
    made = Zygote()
    yield made
    made.close()
