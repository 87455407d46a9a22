"""Answers from a keyboard: single keys on a terminal, lines where input comes from elsewhere."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any

import click
from rich.console import Console

_ENTER, _BACKSPACE, _ESCAPE, _END = "\r\n", "\x7f\x08", "\x1b", "\x04"
"""What terminals send for these keys; the last is Ctrl-D, the end of input."""


class Keyboard:
    """Reads answers.

    On a terminal a digit, or one of the letters in ``commands``, is an answer by itself; any other
    letter begins a word that ends with Enter. Elsewhere every line is an answer. Used in a
    ``with`` block, so that the terminal is left as it was; what is typed ahead is not lost.
    """

    def __init__(self, talk: Console, commands: str) -> None:
        self._talk = talk
        self._commands = commands
        self._keys = sys.stdin.isatty()
        self._before: list[Any] | None = None

    def __enter__(self) -> Keyboard:
        if self._keys and sys.platform != "win32":
            import termios
            import tty

            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None and sys.platform != "win32":
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
            self._before = None

    def answer(self, *, digits: bool = True) -> str | None:
        """Return the next answer; None at the end of input."""
        self._talk.print("> ", end="")
        if not self._keys:
            return self._line()
        key = self._key()
        if key in _END:
            return None
        if key.lower() in self._commands or (digits and key.isdigit()):
            self._talk.print(key, markup=False)
            return key
        return self._word("" if key in _ENTER + _BACKSPACE + _ESCAPE else key)

    def name(self, what: str) -> str | None:
        """Ask for a word; empty if it was thought better of, None at the end of input."""
        self._talk.print(f"{what} ", end="", markup=False)
        return self._word("") if self._keys else self._line()

    @staticmethod
    def _line() -> str | None:
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _word(self, begun: str) -> str | None:
        word = begun
        self._show(word)
        while True:
            key = self._key()
            if key in _ENTER + _END:
                self._show("\n")
                return word.strip() if key in _ENTER or word else None
            if key == _ESCAPE:
                self._show("\n")
                return ""
            if key in _BACKSPACE:
                if word:
                    word = word[:-1]
                    self._show("\b \b")
            elif key.isprintable():
                word += key
                self._show(key)

    def _key(self) -> str:
        """Read one character; the end of input is that of a terminal, Control-D."""
        if self._before is None:
            return click.getchar()
        data = b""
        while True:
            more = os.read(sys.stdin.fileno(), 1)
            if not more:
                return _END
            data += more
            try:
                return data.decode()
            except UnicodeDecodeError:
                if len(data) == 4:
                    data = b""

    def _show(self, text: str) -> None:
        self._talk.file.write(text)
        self._talk.file.flush()
