"""A process that has everything imported and forks a worker for each line it reads.

Starting Python anew for each of hundreds of processes to be killed would take most of the time.
"""

from __future__ import annotations

import json
import os
import signal
import sys

import alembic.runtime.environment
import alembic.script  # noqa: F401

import rarefind.store.postgres
import rarefind.store.sqlite  # noqa: F401  (loaded once, before forking)
from tests.faults import workers


def main():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # killed children leave nothing behind
    for line in sys.stdin:
        command = json.loads(line)
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            status = 1
            try:
                getattr(workers, command.pop("work"))(**command)
                status = 0
            finally:
                sys.stderr.flush()
                os._exit(status)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
