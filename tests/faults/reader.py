"""Reads and prepares the files named on standard input, and says how each went.

Every file has a process of its own, split off from this one, so that a crash or a hang is seen and
what a file cost is known: one line of JSON per file. A file that takes more of the processor than
any should ends its process, with a traceback of where it was, and counts as crashed.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import signal
import sys
from pathlib import Path

from rarefind.core.errors import RarefindError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.by_ending import file_digest, read_table
from rarefind.records.preparing.recipe import prepare
from rarefind.service.hunts.inspecting import inspect_table

MOST_SECONDS = 20  # of the processor: no file takes ten where nobody else is at work


def read(path: Path) -> dict[str, str]:
    """Do what every door does with a file before a hunt begins."""
    said = outcome = ""
    try:
        file_digest(path)
        table = read_table(path)
        outcome = "read"
        inspect_table(table, {})
        prepare(table, detect_kinds(table))
        outcome = "prepared"
    except RarefindError as problem:
        said = str(problem)
    except BaseException as problem:
        outcome, said = "crashed", f"{type(problem).__name__}: {problem}"
    return {"file": path.name, "outcome": outcome, "said": said}


def main() -> None:
    # Their memory is not that of a file.
    import pyarrow.csv
    import pyarrow.parquet  # noqa: F401
    import sklearn.feature_extraction.text  # noqa: F401

    faulthandler.register(signal.SIGXCPU, chain=True)
    for line in sys.stdin:
        here, there = os.pipe()
        child = os.fork()
        if not child:
            os.close(here)
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, resource.RLIM_INFINITY))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            answer = read(Path(line.rstrip("\n")))
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
            os.write(there, json.dumps({**answer, "memory": grown * 1024}).encode())
            os._exit(0)
        os.close(there)
        with os.fdopen(here, "rb") as pipe:
            text = pipe.read()
        _, status, used = os.wait4(child, 0)
        if text:
            answer = json.loads(text)
        else:
            said = f"its process ended with status {status}"
            name = Path(line.rstrip("\n")).name
            answer = {"file": name, "outcome": "crashed", "said": said, "memory": 0}
        answer["seconds"] = used.ru_utime + used.ru_stime
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
