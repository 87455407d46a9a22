"""What a database's error means: a sentence, and whether to try again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rarefind.core.errors import StorageError


class OutOfReachError(StorageError):
    """The store did not answer for as long as we were willing to wait."""


@dataclass(frozen=True)
class Problem:
    """An error of the database in our words.

    Attributes
    ----------
    error
        What to raise when trying again does not help.
    again
        Whether trying again may help (busy, connection lost).
    reconnect
        Whether the connections must be opened anew before that.
    """

    error: StorageError
    again: bool = False
    reconnect: bool = True


def of_sqlite(where: str, problem: BaseException) -> Problem:
    """Say what an error of SQLite means."""
    code = str(getattr(problem, "sqlite_errorname", ""))
    text = str(problem)
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL")):
        return Problem(
            OutOfReachError(_busy(where)),
            again=True,
            reconnect=False,
        )
    sentences = {
        "SQLITE_FULL": "The disk that holds the store {} is full: make room and try again.",
        "SQLITE_IOERR": "The disk that holds the store {} cannot be written or read ({}): make "
        "room or look after the disk, and try again.",
        "SQLITE_READONLY": "The store {} may not be written: give yourself the right to write the "
        "file and its folder.",
        "SQLITE_PERM": "The store {} may not be read and written: give yourself the right to.",
        "SQLITE_CANTOPEN": "The store {} cannot be opened: look whether the file is there and may "
        "be read and written, and its folder too.",
        "SQLITE_NOTADB": "{} is not a rarefind store: it is no SQLite file, or it is damaged.",
        "SQLITE_CORRUPT": "The store {} is damaged ({}): restore a backup.",
    }
    for prefix, sentence in sentences.items():
        if code.startswith(prefix):
            return Problem(StorageError(sentence.format(where, text)))
    return Problem(StorageError(f"The store {where} does not answer as it should ({text})."))


# Classes and codes of PostgreSQL after which the same work may succeed: connection lost, server
# going down or coming up, too many connections, conflict with another transaction.
_PASSING = ("08", "57P", "53300", "40001", "40P01", "25P03")
_STORAGE = {
    "53100": "The disk of the database server {} is full: make room and try again.",
    "25006": "The database {} may only be read: open one that may be written.",
    "42501": "The user may not do this in the database {} ({}): ask for the right to.",
}
"""PostgreSQL's codes for what a person can mend, and how."""


def of_postgres(where: str, problem: BaseException) -> Problem:
    """Say what an error of psycopg means."""
    from psycopg import OperationalError

    code = getattr(problem, "sqlstate", None)
    text = " ".join(str(problem).split())
    lost = isinstance(problem, OperationalError) and code is None
    if code == "55P03":
        return Problem(OutOfReachError(_busy(where)), again=True)
    if lost or (code or "").startswith(_PASSING):
        return Problem(OutOfReachError(_unreachable(where, text)), again=True)
    if code in _STORAGE:
        return Problem(StorageError(_STORAGE[code].format(where, text)))
    return Problem(StorageError(f"The database {where} does not answer as it should ({text})."))


def _busy(where: str) -> str:
    return f"The store {where} is busy: another process has been writing for too long. Try again."


def _unreachable(where: str, text: str) -> str:
    if "password authentication failed" in text or "no password supplied" in text:
        return f"The database server refused the password for {where}: check user and password."
    if re.search(r'database ".*" does not exist', text):
        return f"There is no database {where} on that server: create it first (createdb)."
    if re.search(r'role ".*" does not exist', text):
        return f"The database server does not know the user of {where}: create it first."
    return f"The database server of {where} cannot be reached ({text}): is it running?"
