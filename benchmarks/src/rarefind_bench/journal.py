"""Parts of a long benchmark that are finished, so that a stopped one goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rarefind._version import __version__
from rarefind.core.errors import DataError


class Journal:
    """Remembers results by key, in a file of JSON lines or only in memory.

    Results of another version of rarefind are not used: they were measured on other code.

    Examples
    --------
    >>> journal = Journal()
    >>> journal.result(["shuttle", 0], lambda: 23), journal.result(["shuttle", 0], lambda: 99)
    (23, 23)
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, Any] = {}
        if path is not None and path.exists():
            self._read(path)

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, key: list[Any]) -> bool:
        return json.dumps(key) in self._known

    def result(self, key: list[Any], work: Callable[[], Any]) -> Any:
        """Return what is known for the key (anything JSON can hold), else do the work and keep it.

        The key and the result are as JSON gives them back.
        """
        name = json.dumps(key)
        if name not in self._known:
            line = json.dumps({"version": __version__, "key": key, "result": work()})
            if self._path is not None:
                self._write(self._path, line)
            self._known[name] = json.loads(line)["result"]
        return self._known[name]

    def _read(self, path: Path) -> None:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as problem:
            raise DataError(f"The journal {path} cannot be read: {problem}.") from None
        whole = 0
        for line in lines:
            try:
                entry = json.loads(line)
                key, kept, result = json.dumps(entry["key"]), entry["version"], entry["result"]
            except (ValueError, KeyError, TypeError):
                continue  # a line that was being written when the run was stopped
            whole += 1
            if kept == __version__:
                self._known[key] = result
        if len(lines) > 1 and not whole:
            raise DataError(f"{path} is no journal of a benchmark. Name another file.")

    @staticmethod
    def _write(path: Path, line: str) -> None:
        try:
            with path.open("a", encoding="utf-8") as file:
                # The empty line ends what a run that was killed may have left half written.
                file.write(f"\n{line}\n")
        except OSError as problem:
            raise DataError(f"The journal {path} cannot be written: {problem.strerror}.") from None
