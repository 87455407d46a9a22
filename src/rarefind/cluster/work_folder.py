"""The folder that a cluster works in: who works there, and when what lies there is removed.

What lies there only saves time, and it is large. It stays while somebody may go on with it: after a
run that was killed, stopped or failed, and for a hunt that a person answers. It goes when a run has
ended well, if nobody asked to keep it, and with age.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rarefind.core.errors import DataError, Remedy

MOST_DAYS = 30
"""What is older is removed when a run begins."""

_OURS = ("points-*.npy", "vectors-*.npy", ".points-*.part", ".vectors-*.part", ".seen-*")
"""What this program writes there: only such files are ever removed."""

_IN_JOURNAL = ("*.npz", ".*.part")
"""The same for the journal."""

_KEPT = "kept"
"""A file of this name says that somebody asked to keep the folder."""

_AT_WORK = "working-*"
"""A file for each process at work there, so that none removes what another needs."""


class WorkFolder:
    """A folder for the work of a cluster, made if it is not there.

    Parameters
    ----------
    folder
        Where it is.
    keep
        Whether it stays when the work has ended well.

    Attributes
    ----------
    path, journal
        The folder, and the one of the journal in it.
    """

    def __init__(self, folder: Path, *, keep: bool) -> None:
        self.path = Path(folder).absolute()
        self.journal = self.path / "journal"
        self._mark = self.path / f"working-{uuid.uuid4().hex}"
        try:
            self.journal.mkdir(parents=True, exist_ok=True)
            if keep:
                (self.path / _KEPT).touch()
            if not self._others():
                self._remove_older_than(time.time() - 86_400 * MOST_DAYS)
            self._mark.write_text(f"{os.getpid()} {socket.gethostname()}")
        except OSError as problem:
            raise DataError(
                f"The folder {folder} for the work of the cluster cannot be made: "
                f"{problem.strerror or problem}."
            ).advising(Remedy("Name another with {cluster_folder}.")) from None

    def leave(self, *, done: bool) -> None:
        """Work here no longer; remove all if it is ``done`` and nobody needs it, or if it is empty.

        Files of others are left alone, and so is the folder that holds any.
        """
        kept = self.path / _KEPT
        with suppress(OSError):
            self._mark.unlink(missing_ok=True)
            if self._others():
                return
            if done and not kept.exists():
                self._remove_older_than(float("inf"))
            if next(self._made_here(), None) is None:
                kept.unlink(missing_ok=True)
                self.journal.rmdir()
                self.path.rmdir()

    def _others(self) -> bool:
        """Tell whether another run works here; marks of runs that were killed are removed."""
        found = False
        for mark in self.path.glob(_AT_WORK):
            if mark == self._mark:
                continue
            if _alive(mark):
                found = True
            else:
                mark.unlink(missing_ok=True)
        return found

    def _remove_older_than(self, moment: float) -> None:
        for path in self._made_here():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < moment:
                    path.unlink()

    def _made_here(self) -> Iterator[Path]:
        for folder, patterns in ((self.path, _OURS), (self.journal, _IN_JOURNAL)):
            for pattern in patterns:
                yield from folder.glob(pattern)


def _alive(mark: Path) -> bool:
    """Tell whether the run that left a mark may still work. Of other machines only age tells."""
    try:
        process, host = mark.read_text().split(maxsplit=1)
        if host != socket.gethostname():
            return mark.stat().st_mtime > time.time() - 86_400 * MOST_DAYS
        os.kill(int(process), 0)
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return False
    except PermissionError:
        return True
    return True
