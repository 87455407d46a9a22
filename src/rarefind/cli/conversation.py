"""Asking a person on the terminal: the record, the reason, the answer."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from rarefind.cli.fields import record_fields
from rarefind.core.errors import StateError
from rarefind.discovery import Hunt, Question
from rarefind.service.opening import Opened


class Conversation:
    """Questions and answers about one hunt, shown on a console.

    Numbers stand for the classes in the order they were first told, so that a number never changes
    its meaning.
    """

    def __init__(self, opened: Opened, hunt: Hunt, console: Console) -> None:
        self._opened = opened
        self._hunt = hunt
        self._console = console

    def greet(self) -> None:
        """Say what the records are and how they are compared."""
        vectors, table = self._opened.vectors, self._opened.table
        self._say(
            f"[bold]{escape(table.source)}[/]: {table.n_rows:,} records, compared by "
            f"{len(vectors.names)} features."
        )
        if vectors.left_out:
            names = escape(", ".join(vectors.left_out))
            self._say(f"Left out (text or identifiers): {names}.")
        if self._hunt.labels:
            self._say(f"Going on from {_labels(len(self._hunt.labels))} that the file has.")

    def ask(self) -> bool:
        """Ask the next question and take the answer; False when the person wants to stop."""
        try:
            question = self._hunt.ask()
        except StateError as problem:
            self._say(escape(str(problem)))
            return False
        title = f"Question {len(self._hunt.labels) + 1}: what is row {question.row}?"
        fields = record_fields(self._opened.table, question.row)
        self._console.print(Panel(fields, title=title, title_align="left"))
        self._say(f"[dim]Why: {escape(question.why)}[/]")
        return self._take(question)

    def close(self) -> None:
        """Sum up."""
        found = [f"{label} (row {row})" for label, row in self._hunt.found.items()]
        self._say(
            f"{_labels(len(self._hunt.labels))}. Classes found: "
            f"{escape(', '.join(found)) or 'none yet'}."
        )

    def _take(self, question: Question) -> bool:
        while True:
            classes = list(dict.fromkeys(str(label) for label in self._hunt.labels.values()))
            choices = "".join(
                f"[bold]{number}[/] {escape(name)}  " for number, name in enumerate(classes, 1)
            )
            self._say(f"{choices}[bold]s[/] skip  [bold]u[/] undo  [bold]q[/] quit, or a name:")
            answer = self._read()
            if answer is None or answer.lower() == "q":
                return False
            if answer.lower() == "s":
                self._hunt.skip(question.row)
                return True
            if answer.lower() == "u":
                return self._undo()
            label = self._label(answer, classes)
            if label:
                self._hunt.tell(question.row, label)
                return True

    def _label(self, answer: str, classes: list[str]) -> str:
        """Turn an answer into a class; empty if it must be asked for again."""
        if answer.startswith("="):
            return answer[1:].strip()
        if not (answer.isascii() and answer.isdigit()):
            return answer
        if 1 <= int(answer) <= len(classes):
            return classes[int(answer) - 1]
        self._say(f"There is no class number {answer}. For a class of that name type ={answer}.")
        return ""

    def _undo(self) -> bool:
        try:
            event = self._hunt.undo()
            self._say(f"Took back the answer about row {event.row}.")
        except StateError as problem:
            self._say(escape(str(problem)))
        return True

    def _read(self) -> str | None:
        self._console.print("> ", end="")
        line = sys.stdin.readline()
        return line.strip() if line else None

    def _say(self, words: str) -> None:
        self._console.print(words)


def _labels(number: int) -> str:
    return f"{number} label{'s' if number != 1 else ''}"
