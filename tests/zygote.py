"""A process that has everything imported and forks a worker for each line it reads.

Starting Python anew for each of hundreds of processes would take most of the time.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.waiting import wait_until

ROOT = Path(__file__).parents[1]


class Zygote:
    """Starts functions of the module ``work`` as processes of their own.

    The other modules are imported once, before forking.
    """

    def __init__(self, work: str, *imported: str) -> None:
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.zygote", work, *imported],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
        )

    def start(self, function: str, **arguments) -> int:
        self._process.stdin.write(json.dumps({"function": function, **arguments}) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def kill(self, pid: int) -> None:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return
        self.wait(pid)

    def wait(self, pid: int) -> None:
        wait_until(lambda: not Path(f"/proc/{pid}").exists())

    def close(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def main() -> None:
    work, *_ = [importlib.import_module(name) for name in sys.argv[1:]]
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # killed children leave nothing behind
    for line in sys.stdin:
        arguments = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            status = 1
            try:
                getattr(work, arguments.pop("function"))(**arguments)
                status = 0
            finally:
                sys.stderr.flush()
                os._exit(status)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
