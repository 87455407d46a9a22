"""Asking a person on the terminal: the record, the reason, the answer."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from rarefind.cli.terminal.fields import record_panel
from rarefind.cli.terminal.keyboard import Keyboard
from rarefind.cli.terminal.output import counted
from rarefind.core.errors import StateError
from rarefind.core.names import mistyped_name, same_name
from rarefind.service.facade import Service
from rarefind.service.showing.views import Asked

_MOST_DIGITS = 9
"""Up to so many classes one digit names a class, and Enter is not needed."""


class Conversation:
    """Questions and answers about one hunt, shown on a console.

    Numbers stand for the classes in the order they were first seen here, so that a number never
    changes its meaning while somebody sits at the terminal.
    """

    def __init__(self, service: Service, hunt: str, annotator: str, talk: Console) -> None:
        self._service = service
        self._hunt = hunt
        self._annotator = annotator
        self._talk = talk
        self._keyboard = Keyboard(talk, "snuq?")
        self._classes: list[str] = []

    def greet(self) -> None:
        """Say where the hunt stands."""
        progress = self._service.progress(self._hunt)
        if progress.labels:
            self._say(f"Going on from {counted(progress.labels, 'label')}.")

    def run(self, budget: int | None) -> None:
        """Ask until the budget is spent, nothing is left, or the person stops."""
        with self._keyboard:
            while budget is None or self._labels() < budget:
                if not self._ask():
                    return
        self._say(f"The budget of {counted(budget or 0, 'label')} is spent.")

    def close(self) -> None:
        """Sum up."""
        progress = self._service.progress(self._hunt)
        found = [
            f"{each.name} (row {each.first_row})"
            for each in progress.classes
            if not each.background
        ]
        self._say(
            f"{counted(progress.labels, 'label')}. Classes found: "
            f"{escape(', '.join(found)) or 'none yet'}."
        )
        if progress.labels:
            self._say(f"[dim]{escape(progress.outlook_words)}[/]")

    def _ask(self) -> bool:
        try:
            question = self._service.ask(self._hunt, self._annotator)[0]
        except StateError as problem:
            self._say(escape(str(problem)))
            return False
        record = self._service.record(self._hunt, question.row)
        title = f"Question {self._labels() + 1}: what is row {question.row}?"
        self._talk.print(Panel(record_panel(record), title=title, title_align="left"))
        self._say(f"[dim]Why: {escape(question.why)}[/]")
        self._show_neighbours(question)
        return self._take(question)

    def _show_neighbours(self, question: Asked) -> None:
        near = self._service.neighbours(self._hunt, question.row, 5)
        known = [f"{each.label} (row {each.row})" for each in near if each.label is not None]
        if known:
            self._say(f"[dim]Of the records most like it: {escape(', '.join(known))}.[/]")

    def _take(self, question: Asked) -> bool:
        while True:
            self._show_choices()
            answer = self._keyboard.answer(digits=len(self._classes) <= _MOST_DIGITS)
            if answer is None or answer.lower() == "q":
                return False
            if answer.lower() == "s":
                self._service.skip(self._hunt, question.row, self._annotator)
                return True
            if answer.lower() == "u":
                self._undo(question)
                return True
            label = self._label(answer)
            if label:
                self._service.tell(self._hunt, question.row, label, self._annotator)
                if not answer.startswith("="):
                    self._hint_at_slip(label)
                return True

    def _show_choices(self) -> None:
        progress = self._service.progress(self._hunt)
        new = [each.name for each in progress.classes if each.name not in self._classes]
        self._classes += new
        choices = "".join(
            f"[bold]{number}[/] {escape(name)}  " for number, name in enumerate(self._classes, 1)
        )
        self._say(
            f"{choices}[bold]n[/] new class  [bold]s[/] skip  [bold]u[/] undo  [bold]q[/] quit, "
            "or a name:"
        )

    def _label(self, answer: str) -> str:
        """Turn an answer into a class; empty if it must be asked for again."""
        if answer == "?":
            self._say(
                "A number gives that class, n asks for the name of a new one, s leaves the record "
                "undecided, u takes your last answer back, q stops: every answer is kept already. "
                "A name may be typed at once; write = before one that is a number or one letter."
            )
            return ""
        if answer.lower() == "n":
            return self._known(self._keyboard.name("Name of the class:") or "")
        if answer.startswith("="):
            return answer[1:].strip()
        if not (answer.isascii() and answer.isdigit()):
            return self._known(answer)
        if 1 <= int(answer) <= len(self._classes):
            return self._classes[int(answer) - 1]
        self._say(f"There is no class number {answer}. For a class of that name type ={answer}.")
        return ""

    def _known(self, typed: str) -> str:
        """Take a name for the class that differs from it in capitals and blanks at most."""
        typed = typed.strip()
        same = same_name(typed, self._classes)
        if same is None or same == typed:
            return typed
        self._say(escape(f"Taken for {same}. For a class of its own type ={typed}."))
        return same

    def _hint_at_slip(self, label: str) -> None:
        meant = None if label in self._classes else mistyped_name(label, self._classes)
        if meant is not None:
            self._say(escape(f"{label} is a new class. Did you mean {meant}? u takes it back."))

    def _undo(self, question: Asked) -> None:
        try:
            kept = self._service.undo(self._hunt, self._annotator)
        except StateError as problem:
            self._say(escape(str(problem)))
            return
        # Given back, so that the question that was answered wrongly comes again first.
        self._service.release(self._hunt, question)
        before = self._service.store.event(str(kept.event.value))
        assert before is not None
        what = "The skip of" if before.kind == "skip" else "The answer about"
        self._say(f"{what} row {before.row} is taken back.")

    def _labels(self) -> int:
        return self._service.progress(self._hunt).labels

    def _say(self, words: str) -> None:
        self._talk.print(words)
