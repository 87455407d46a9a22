"""The command line in a process of its own, forked from one that has everything imported."""

from __future__ import annotations

import atexit
import os
import sys
import tempfile
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.zygote import Zygote

# What the commands import when they are called; loading it takes longer than most of them run.
IMPORTED = (
    *("rarefind.cli.compare", "rarefind.cli.discover", "rarefind.cli.exchange"),
    *("rarefind.cli.hunts", "rarefind.cli.keeping", "rarefind.cli.rank"),
    *("alembic.runtime.environment", "alembic.script", "rarefind.store.sqlite"),
    *("pyarrow.parquet", "rarefind.service.service", "rarefind.discovery.auto"),
    *(
        "matplotlib.pyplot",
        "sklearn.ensemble",
        "sklearn.pipeline",
        "sklearn.svm",
        "rarefind.detection.lago",
    ),
)


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
        words = [str(argument) for argument in arguments]
        pid = _zygote().start("run", arguments=words, cwd=str(cwd), folder=name)
        _zygote().wait(pid, 600)
        said = [(folder / file).read_text() for file in ("code", "stdout", "stderr")]
    return Done(int(said[0]), *said[1:])


@cache
def _zygote() -> Zygote:
    made = Zygote("tests.cli.command", *IMPORTED)
    atexit.register(made.close)
    return made


def run(arguments: list[str], cwd: str, folder: str) -> None:
    """Be the command line: what the forked process does."""
    from rarefind.cli.main import main

    os.chdir(cwd)
    files = (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY))
    for number, (name, how) in enumerate(files):
        os.dup2(os.open(f"{folder}/{name}", how | os.O_CREAT), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115  (the old one may have read ahead)
    sys.argv = ["rarefind", *arguments]
    code: object = 0
    try:
        main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    Path(folder, "code").write_text(str(code))
