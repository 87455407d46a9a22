"""The command line in a process of its own, forked from one that has everything imported."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.zygote import Zygote

# What the commands import when they are called; loading it takes longer than most of them run.
IMPORTED = (
    *(
        "rarefind.cli.commands.compare",
        "rarefind.cli.commands.discover",
        "rarefind.cli.commands.exchange",
    ),
    *(
        "rarefind.cli.commands.hunts",
        "rarefind.cli.commands.backup_and_check",
        "rarefind.cli.commands.rank",
        "rarefind.cli.commands.add",
    ),
    *(
        "rarefind.discovery.hunt",
        "rarefind.records.preparing.recipe",
        "rarefind.service.ranking.comparing",
    ),
    "rarefind.service.ranking.in_workroom",
    *("alembic.runtime.environment", "alembic.script", "rarefind.store.database.sqlite"),
    *("pyarrow.parquet", "rarefind.service.facade", "rarefind.discovery.auto.strategy"),
    *(
        "matplotlib.pyplot",
        "sklearn.ensemble",
        "sklearn.pipeline",
        "sklearn.svm",
        "rarefind.detection.lago.estimator",
    ),
)
PLACES = ("/stdin", "/stdout", "/stderr")


@dataclass(frozen=True)
class Done:
    """How a command ended and what it said."""

    returncode: int
    stdout: str
    stderr: str


def rarefind(*arguments: object, cwd: Path, stdin: str = "") -> Done:
    """Run the command line to its end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "stdin").write_text(stdin)
        command = Command(arguments, cwd, folder, [name + place for place in PLACES])
        code = command.wait()
        return Done(code, (folder / "stdout").read_text(), (folder / "stderr").read_text())


class Command:
    """The command line at work; ``places`` are what it reads from, and writes and errs to."""

    def __init__(
        self,
        arguments: Sequence[object],
        cwd: Path,
        folder: Path,
        places: Sequence[str],
        **environment: str,
    ) -> None:
        self._code = folder / "code"
        self.pid = zygote().start(
            "run",
            arguments=[str(argument) for argument in arguments],
            cwd=str(cwd),
            places=places,
            environment=environment,
            code=str(self._code),
        )

    def signal(self, number: int) -> None:
        """Send a signal."""
        os.kill(self.pid, number)

    def wait(self) -> int:
        """Wait for its end and return its exit code; -9 if it was killed."""
        zygote().wait(self.pid)
        return int(self._code.read_text()) if self._code.exists() else -signal.SIGKILL


@cache
def zygote() -> Zygote:
    made = Zygote("tests.cli.command", *IMPORTED)
    atexit.register(made.close)
    return made


def run(
    arguments: list[str], cwd: str, places: list[str], environment: dict[str, str], code: str
) -> None:
    """Be the command line: what the forked process does."""
    from rarefind.cli.main import main

    os.environ.update(environment)
    os.setsid()  # the first terminal opened from now on is this process's own
    os.chdir(cwd)
    for number, place in enumerate(places):
        os.dup2(os.open(place, os.O_RDWR | os.O_CREAT), number)
    # As Python makes them for a process that starts with these.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", buffering=1 if os.isatty(1) else -1, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    sys.argv = ["rarefind", *arguments]
    status: object = 0
    try:
        main()
    except SystemExit as end:
        status = end.code or 0
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    Path(code).write_text(str(status))
