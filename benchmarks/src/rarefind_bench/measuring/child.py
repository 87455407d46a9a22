"""What the process that measures runs: a task for every line read, progress and an answer back."""

from __future__ import annotations

import json
import os
import sys
import warnings
from time import monotonic
from typing import IO, Any

from rarefind.core.progress import Step, listen
from rarefind_bench.measuring.clocks import peak_gigabytes
from rarefind_bench.measuring.tasks import TASKS

_PAUSE = 0.5
"""Seconds between two words on how far the work has come."""


def main() -> None:
    """Answer tasks, one line of JSON each, until there are no more."""
    # What other people's tools print, in whatever language, must not mix with the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    _say(answers, "ready")
    heard = 0.0

    def tell(step: Step) -> None:
        nonlocal heard
        if monotonic() - heard > _PAUSE:
            heard = monotonic()
            _say(answers, {"step": [step.task, step.done, step.total]})

    for line in sys.stdin:
        with listen(tell):
            answer = _answer(json.loads(line))
        _say(answers, answer)


def _say(answers: IO[str], said: Any) -> None:
    answers.write(json.dumps(said) + "\n")
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
