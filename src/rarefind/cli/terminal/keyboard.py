"""Answers from a keyboard: lines seen while they are typed, which count when Enter is pressed.

No key acts by itself: the s of *spam* must not skip a record. What is pasted becomes part of the
line, whatever line ends it holds, and an Enter pressed before a question was shown answers nothing.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import click
from rich.cells import cell_len
from rich.console import Console

_ENTER, _BACKSPACE, _ESCAPE, _END, _TAB = "\r\n", "\x7f\x08", "\x1b", "\x04", "\t"
"""Keys as a terminal sends them."""

_ERASE_LINE, _ERASE_WORD, _BELL = "\x15", "\x17", "\a"
"""Control-U and Control-W, and what answers a key that does nothing."""

_PASTE, _PASTE_ENDS = "[200~", "\x1b[201~"
"""What stands around a paste; the first comes after an Escape."""

_PASTES = "\x1b[?2004{}"
"""Tells a terminal to mark what is pasted (h), or not to (l)."""

_PASTE_OR_ENTER = re.compile(rb"\x1b\[200~.*?(?:\x1b\[201~|\Z)|([\r\n])", re.DOTALL)
"""What is an Enter, and what only looks like one inside a paste."""

_SEQUENCE = re.compile(r"\[[^@-~\x04]*[@-~\x04]|O.", re.DOTALL)
"""What an arrow key and its like send after an Escape."""

_SEQUENCE_WAIT = 0.1
"""Seconds in which the rest of an arrow key follows its Escape."""


class Keyboard:
    """Reads lines, on a terminal with Tab to complete them. Used in a ``with`` block.

    Where input comes from elsewhere its lines are taken as they are.
    """

    def __init__(self, talk: Console) -> None:
        self._talk = talk
        self._typed = sys.stdin.isatty()
        self._before: list[Any] | None = None
        self._waiting = b""
        self._ended = False
        self._letters = codecs.getincrementaldecoder("utf-8")("ignore")

    def __enter__(self) -> Keyboard:
        if self._typed and sys.platform != "win32":
            import termios
            import tty

            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin, termios.TCSADRAIN)
            self._show(_PASTES.format("h"))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None and sys.platform != "win32":
            import termios

            self._show(_PASTES.format("l"))
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
            self._before = None

    def forget_lines(self) -> bool:
        """Forget the lines ended before now, and say whether there were any; one begun stays."""
        while not self._ended and self._has_more(0.0):
            self._waiting += self._read()
        ends = [match.end() for match in _PASTE_OR_ENTER.finditer(self._waiting) if match[1]]
        self._waiting = self._waiting[ends[-1] if ends else 0 :]
        return bool(ends)

    def line(self, what: str = ">", completions: Sequence[str] = ()) -> str | None:
        """Ask for a line; empty if nothing was typed, None at the end of input."""
        self._talk.print(f"{what} ", end="", markup=False)
        if self._typed:
            return self._edited(completions)
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _edited(self, completions: Sequence[str]) -> str | None:
        line = ""
        while True:
            key = self._key()
            more, kept = "", len(line)
            if key in _ENTER:
                self._show("\n")
                return line.strip()
            if key == _END and (self._ended or not line):
                return None
            if key in (_ESCAPE, _ERASE_LINE):
                kept = 0
            elif key in _BACKSPACE:
                kept = max(0, len(line) - 1)
            elif key == _ERASE_WORD:
                kept = line.rstrip().rfind(" ") + 1
            elif key == _TAB:
                kept, more = _completed(line, completions)
            elif key.isprintable():
                more = key
            if kept == len(line) and not more:
                self._show(_BELL)
            gone = cell_len(line[kept:])
            self._show("\b" * gone + " " * gone + "\b" * gone + more)
            line = line[:kept] + more

    def _key(self) -> str:
        """Read a character, a paste without its line ends, or the NUL of a key that means nothing.

        The end of input is that of a terminal, Control-D.
        """
        letter = self._letter()
        if letter != _ESCAPE or not (self._waiting or self._has_more(_SEQUENCE_WAIT)):
            return letter if len(letter) == 1 else "\0"
        sequence = self._letter()
        while sequence[0] in "[O" and not _SEQUENCE.fullmatch(sequence):
            sequence += self._letter()
        if sequence != _PASTE:
            return "\0"
        pasted = ""
        while not pasted.endswith((_PASTE_ENDS, _END)):
            pasted += self._letter()
        words = pasted.removesuffix(_PASTE_ENDS).removesuffix(_END).split()
        return "".join(filter(str.isprintable, " ".join(words))) or "\0"

    def _has_more(self, seconds: float) -> bool:
        return self._before is not None and bool(select.select([sys.stdin], [], [], seconds)[0])

    def _letter(self) -> str:
        if self._before is None:
            return click.getchar()
        while True:
            self._waiting = self._waiting or self._read()
            letter = self._letters.decode(self._waiting[:1])
            self._waiting = self._waiting[1:]
            if letter:
                return letter

    def _read(self) -> bytes:
        more = os.read(sys.stdin.fileno(), 1024)
        self._ended = not more
        return more or _END.encode()

    def _show(self, text: str) -> None:
        self._talk.file.write(text)
        self._talk.file.flush()


def _completed(line: str, names: Sequence[str]) -> tuple[int, str]:
    """Return how much of a line stays and what follows: as far as all fitting names agree.

    >>> _completed("sp", ["Spam", "ham", "Spanish"]), _completed("x", ["Spam"])
    ((0, 'Spa'), (1, ''))
    """
    fitting = [name for name in names if name.casefold().startswith(line.casefold())]
    common = os.path.commonprefix(fitting)  # noqa: RUF071  (names, not paths)
    return (0, common) if len(common) > len(line) else (len(line), "")
