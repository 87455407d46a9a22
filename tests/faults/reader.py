"""Reads and prepares the files named on standard input, and says how each went.

A process of its own, so that a crash or a hang is seen: one line of JSON per file. A file that
takes more of the processor than any should ends it, with a traceback of where it was.
"""

from __future__ import annotations

import faulthandler
import json
import resource
import signal
import sys
import time
from pathlib import Path

from rarefind.core.errors import RarefindError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.by_ending import read_table
from rarefind.records.preparing.recipe import prepare

MOST_SECONDS = 10  # of the processor, so that a machine may be as busy as it likes


def peak() -> int:
    """Most memory used so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    import sklearn.feature_extraction.text  # noqa: F401  (its memory is not that of a file)

    faulthandler.register(signal.SIGXCPU, chain=True)
    for line in sys.stdin:
        path = Path(line.rstrip("\n"))
        before, limit = peak(), int(time.process_time()) + 1 + MOST_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
        said = outcome = ""
        try:
            table = read_table(path)
            outcome = "read"
            prepare(table, detect_kinds(table))
            outcome = "prepared"
        except RarefindError as problem:
            said = str(problem)
        except BaseException as problem:
            outcome, said = "crashed", f"{type(problem).__name__}: {problem}"
        answer = {
            "file": path.name,
            "outcome": outcome,
            "said": said,
            "memory": peak() - before,
        }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
