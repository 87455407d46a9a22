"""A real terminal for a real process: what a person sees and types."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import tempfile
from pathlib import Path

from tests.cli.command import Command
from tests.waiting import PATIENCE, wait_until

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PROMPT = re.compile(r"or\s+(?:a\s+name|another\s+answer):\s*> |Name of the class: ")


class Terminal:
    """``rarefind`` running in a pseudo-terminal."""

    def __init__(self, *arguments, cwd):
        self._main, other = pty.openpty()
        self._folder = tempfile.TemporaryDirectory()
        place = os.ttyname(other)
        size = {"COLUMNS": "100", "LINES": "50", "TERM": "xterm"}
        self.process = Command(arguments, cwd, Path(self._folder.name), [place] * 3, **size)
        # A terminal that nobody has open counts as hung up, so the process opens it first.
        opened = Path(f"/proc/{self.process.pid}/fd/2")
        wait_until(lambda: str(opened.readlink()) == place)
        os.close(other)
        self.shown = ""

    def type(self, text):
        os.write(self._main, text.encode())

    def wait_for(self, words):
        """Read until the words are shown; returns all shown since the last call."""
        wait_until(lambda: words in self.shown or not self._read())
        assert words in self.shown, f"{words!r} was not shown, but: {self.shown[-2000:]}"
        before, _, self.shown = self.shown.partition(words)
        return before + words

    def question(self):
        """Wait for the next question; returns its row."""
        return int(re.findall(r"what is row (\d+)", self.prompt())[-1])

    def prompt(self):
        """Wait until an answer can be typed; returns all shown since the last call."""
        while (found := _PROMPT.search(self.shown)) is None:
            if not self._read():
                raise AssertionError(f"no prompt was shown, but: {self.shown[-2000:]}")
        before, self.shown = self.shown[: found.end()], self.shown[found.end() :]
        return before

    def kill(self):
        self.process.signal(signal.SIGKILL)
        self._close()

    def end(self):
        """Read until the process ends; returns what was shown and the exit code."""
        while self._read():
            pass
        return self.shown, self._close()

    def _close(self):
        code = self.process.wait()
        os.close(self._main)
        self._folder.cleanup()
        return code

    def _read(self):
        if not select.select([self._main], [], [], PATIENCE)[0]:
            return False
        try:
            data = os.read(self._main, 65536)
        except OSError:  # the other side is closed
            return False
        self.shown += _COLOURS.sub("", data.decode(errors="replace")).replace("\r", "")
        return bool(data)
