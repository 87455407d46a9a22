"""What the process that measures runs: it reads a task a line, and answers with a line."""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

from rarefind.bench.scale.clocks import peak_gigabytes
from rarefind.bench.scale.tasks import TASKS


def main() -> None:
    """Answer tasks, one line of JSON each, until there are no more."""
    # What other people's tools print, in whatever language, must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    answers.write("ready\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(_answer(json.loads(line))) + "\n")
        answers.flush()


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    try:
        measured = TASKS[asked["task"]].function()(asked["what"])
    except Exception as problem:  # one that breaks must not stop the others
        words = " ".join(str(problem).split())[:200]
        return {"failed": f"{type(problem).__name__}: {words}"}
    return {**measured, "gigabytes": peak_gigabytes()}


if __name__ == "__main__":
    main()
