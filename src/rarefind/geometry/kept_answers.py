"""What engines answered while a search was set up, kept in files for the next time.

Setting up a search asks an engine for the neighbours of every record, and for little else that
takes long. The same question about the same records has the same answer, so a hunt that is opened
again asks as before and is answered from the files: no strategy has to know of it. A file is named
after everything its answer depends on (the records as compared, the question, the version of
rarefind), so what has changed is asked anew, and files that a set-up did not ask for are removed.

The files hold arrays of numbers and a few words about them, nothing that could be executed. One
that is damaged counts as missing.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar, Token
from functools import wraps
from pathlib import Path
from time import process_time
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from rarefind._version import __version__
from rarefind.geometry import thresholds
from rarefind.geometry.fingerprint import NoFingerprintError, fingerprint

FORMAT = 1
"""Which arrays a file holds, and what they mean; files of another format count as missing."""

_at_hand: ContextVar[KeptAnswers | None] = ContextVar("kept_answers", default=None)

_Method = TypeVar("_Method", bound=Callable[..., Any])


class KeptAnswers:
    """Answers in the files of a folder, used by the engines inside a ``with`` block.

    Parameters
    ----------
    folder
        Where the files are; it is made when there is something to keep.

    Examples
    --------
    >>> from rarefind.geometry import TreeEngine
    >>> with tempfile.TemporaryDirectory() as folder, KeptAnswers(folder):
    ...     TreeEngine(np.array([[0.0], [1.0], [5.0]])).nearest(1)[1].ravel()
    array([1, 0, 1])
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._used: set[str] = set()
        self._tokens: list[Token[KeptAnswers | None]] = []

    def __enter__(self) -> KeptAnswers:
        self._tokens.append(_at_hand.set(self))
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        _at_hand.reset(self._tokens.pop())
        if kind is None:
            self._tidy()

    def answer(self, key: str, compute: Callable[[], Any]) -> Any:
        """Return the answer of that key, from its file if there is one."""
        path = self._folder / f"{key}.npz"
        found = read_answer(path)
        if found is None:
            begun = process_time()
            found = compute()
            if process_time() - begun < thresholds.KEPT_SECONDS:
                return found
            with suppress(OSError):  # a full disk or a folder nobody may write to stops no hunt
                self._write(path, found)
        self._used.add(path.name)
        return found

    def _write(self, path: Path, answer: Any) -> None:
        room = thresholds.KEPT_BYTES - sum(each.stat().st_size for each in self._files())
        if sum(array.nbytes for array in _arrays(answer)) <= room:
            write_answer(path, answer)

    def _files(self) -> list[Path]:
        return list(self._folder.glob("*.npz")) if self._folder.is_dir() else []

    def _tidy(self) -> None:
        """Remove what nobody asked for: it is about other records, or of an earlier version."""
        for path in self._files():
            if path.name not in self._used:
                with suppress(OSError):
                    path.unlink()


def kept(ask: _Method) -> _Method:
    """Let the answers of a method be kept, if whoever answers has a ``fingerprint``."""

    @wraps(ask)
    def answer(self: Any, *args: Any, **named: Any) -> Any:
        answers = _at_hand.get()
        if answers is None:
            return ask(self, *args, **named)
        try:
            key = fingerprint(FORMAT, __version__, self.fingerprint, ask.__name__, args, named)
        except NoFingerprintError:
            return ask(self, *args, **named)
        # What is asked on the way to an answer need not be kept besides it.
        token = _at_hand.set(None)
        try:
            return answers.answer(key, lambda: ask(self, *args, **named))
        finally:
            _at_hand.reset(token)

    return cast(_Method, answer)


def read_answer(path: Path) -> Any:
    """Return what a file holds; None if it is missing, damaged or of another format."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
            words, *arrays = (held[f"arr_{place}"] for place in range(len(held.files)))
        about = json.loads(bytes(words))
        if about["format"] != FORMAT or about["digest"] != fingerprint(*arrays):
            return None
        return _answer(about["kind"], arrays)
    except Exception:  # whatever bytes a damaged file holds, the answer can be computed
        return None


def write_answer(path: Path, answer: Any) -> None:
    """Write a number, an array or several into a file, which is there only when it is whole."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    arrays = _arrays(answer)
    about = {"format": FORMAT, "kind": _kind(answer), "digest": fingerprint(*arrays)}
    words = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".draft")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez(file, words, *arrays)
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def _kind(answer: Any) -> str:
    if isinstance(answer, tuple):
        return "several"
    return "array" if isinstance(answer, np.ndarray) else "number"


def _arrays(answer: Any) -> list[NDArray[Any]]:
    return [np.asarray(part) for part in (answer if isinstance(answer, tuple) else (answer,))]


def _answer(kind: str, arrays: list[NDArray[Any]]) -> Any:
    if kind == "several":
        return tuple(arrays)
    return arrays[0] if kind == "array" else arrays[0].item()
