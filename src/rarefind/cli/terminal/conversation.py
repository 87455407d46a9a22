"""Asking a person on the terminal: the record, the reason, the answer."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from rarefind.cli.terminal.fields import record_panel
from rarefind.cli.terminal.keyboard import Keyboard
from rarefind.cli.terminal.output import counted, ordinal
from rarefind.cli.terminal.stopping import undisturbed
from rarefind.core.errors import StateError
from rarefind.core.names import mistyped_name, same_name
from rarefind.discovery.contract.meanings import told
from rarefind.service.facade import Service
from rarefind.service.showing.views import Asked

COMMANDS = {
    "n": "new", "new": "new", "s": "skip", "skip": "skip", "u": "undo", "undo": "undo",
    "q": "quit", "quit": "quit", "exit": "quit", "?": "help", "help": "help",
}  # fmt: skip
"""What can be typed that is no class; a class of such a name is typed with = before it."""

_LONGEST_NAME = 60
"""A longer name, as a paste may bring it, is asked about before it becomes a class."""

UNDECIDED = {
    "maybe", "unknown", "unsure", "not sure", "don't know", "dont know", "dunno", "idk", "no idea",
    "unclear", "undecided", "pass", "next", "yes", "no", "ok", "none", "back", "stop", "cancel",
}  # fmt: skip
"""Words that more often say that somebody does not know, or wants something else, than a class."""

_HELP = (
    "Every answer ends with Enter. A number gives that class, a name the class of that name (Tab "
    "completes it), n asks for the name of a new one, s leaves the record undecided, u takes your "
    "last answer back, q stops: every answer is kept already. Write = before a name to take it "
    "as it is, as one that is a number or one of these letters. An answer given earlier is "
    "corrected from another terminal, or after q: rarefind label HUNT ROW CLASS; rarefind find "
    "HUNT labelled lists them all."
)
"""Said when somebody asks what can be answered."""


_AGAIN = "You took back what you said of it."
"""Why a record is shown again that the strategy would not ask about now."""


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
        self._keyboard = Keyboard(talk)
        self._numbered: list[str] = []
        self._known: list[str] = []
        # The leases of what is on the screen; whoever comes back first sees what they saw last.
        self._seen: list[str] | None = None
        self._taken_back: int | None = None
        self._numbers: list[str] = []

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
        most = max((each.count for each in progress.classes if not each.background), default=0)
        view = self._service.hunt(self._hunt)
        said = view.settings["background"]
        found = [
            f"{each.name} (row {each.first_row})"
            for each in progress.classes
            # On a tie nobody knows yet which class is the ordinary one.
            if not each.background or (not said and each.count <= most)
        ]
        self._say(
            f"{counted(progress.labels, 'label')}. Classes found: "
            f"{escape(', '.join(found)) or 'none yet'}."
        )
        if progress.labels and progress.background:
            self._say(f"Ordinary: {escape(', '.join(progress.background))}.")
        elif progress.labels:
            words = f"rarefind set {quote(view.name)} background=CLASS"
            words = f"None of them is the ordinary one yet: {words} says which is."
            self._say(escape(words))
        if progress.labels:
            self._say(f"[dim]{escape(progress.outlook_words)}[/]")

    def _ask(self) -> bool:
        try:
            question = self._service.ask(self._hunt, self._annotator, seen=self._seen)[0]
        except StateError as problem:
            self._say(escape(str(problem)))
            return False
        self._seen = [question.lease]
        if self._taken_back not in (None, question.row):
            # Others may have answered meanwhile, so that another record would be asked about first.
            question = replace(question, row=self._taken_back, why=_AGAIN, evidence={})
        self._taken_back = None
        record = self._service.record(self._hunt, question.row)
        title = f"Question {self._labels() + 1}: what is row {question.row}?"
        self._talk.print(Panel(record_panel(record), title=title, title_align="left"))
        if self._keyboard.forget_lines():
            self._say("[dim]What was typed before this record was shown is no answer to it.[/]")
        self._say(f"[dim]Why: {escape(question.why)}[/]")
        self._numbers = told(question.evidence)
        self._show_neighbours(question)
        return self._take(question)

    def _show_neighbours(self, question: Asked) -> None:
        near = self._service.neighbours(self._hunt, question.row, 5)
        known = [f"{each.label} (row {each.row})" for each in near if each.label is not None]
        if known:
            self._say(f"[dim]Of the records most like it: {escape(', '.join(known))}.[/]")

    def _take(self, question: Asked) -> bool:
        """Hear answers until one settles the question; False if the person stops."""
        answer = self._choice()
        while answer is not None:
            command = COMMANDS.get(answer.casefold())
            if command == "quit":
                break
            if command in ("skip", "undo"):
                with undisturbed():
                    self._skip(question) if command == "skip" else self._undo()
                return True
            if answer.startswith("=") and answer[1:].strip():
                with undisturbed():
                    self._tell(question, answer[1:].strip())
                return True
            answer = self._exactly(answer)
        return False

    def _choice(self) -> str | None:
        """Show what can be said, and hear it."""
        progress = self._service.progress(self._hunt)
        self._known = [each.name for each in progress.classes]
        # A class that was taken back goes at once, and no other changes its number.
        while self._numbered and self._numbered[-1] not in self._known:
            self._numbered.pop()
        self._numbered += [name for name in self._known if name not in self._numbered]
        choices = "".join(
            f"[bold]{number}[/] {escape(name)}  "
            for number, name in enumerate(self._numbered, 1)
            if name in self._known
        )
        self._say(
            f"[dim]Type and Enter:[/] {choices}[bold]n[/] new class  [bold]s[/] skip  "
            "[bold]u[/] undo  [bold]q[/] quit  [bold]?[/] help, or a name:"
        )
        return self._keyboard.line(completions=self._known)

    def _exactly(self, answer: str) -> str | None:
        """Turn an answer into the class meant, with = before it, or into another answer heard."""
        command = COMMANDS.get(answer.casefold())
        if command == "help":
            self._say(_HELP)
            if self._numbers:
                self._say(escape("\n".join(["The numbers behind the reason:", *self._numbers])))
        elif command == "new":
            name = self._keyboard.line("Name of the class:")
            return name if not name or name.startswith("=") else self._name(name)
        elif not answer.strip("= "):
            self._say("Nothing was typed, so nothing is kept.")
        elif not (answer.isascii() and answer.isdigit()):
            return self._name(answer)
        elif 1 <= int(answer) <= len(self._numbered):
            return f"={self._numbered[int(answer) - 1]}"
        else:
            self._say(
                f"There is no class number {answer}. For a class of that name type ={answer}."
            )
        return self._choice()

    def _name(self, typed: str) -> str | None:
        """Take a name as it is, unless it looks like a class that there is: then ask first."""
        same = same_name(typed, self._known)
        if same is not None:
            if same != typed:
                self._say(escape(f"Taken for {same}. For a class of its own type ={typed}."))
            return f"={same}"
        meant = _meant(typed, self._known)
        unlike = typed.casefold() in UNDECIDED
        if meant is None and 1 < len(typed) <= _LONGEST_NAME and not unlike:
            return f"={typed}"
        doubt = f"Did you mean {meant}?" if meant else "Shall there be one?"
        no = "n a new class" if meant else "n no"
        no += ", s leaves the record undecided" if unlike else ""
        self._say(
            escape(f"No class is called {typed} yet. {doubt} y yes, {no}, or another answer:")
        )
        # An Enter from before the doubt was shown is no answer to it.
        self._keyboard.forget_lines()
        reply = self._keyboard.line(completions=self._known)
        if reply is not None and reply.casefold() in ("y", "yes"):
            return f"={meant or typed}"
        if reply is not None and reply.casefold() in ("n", "no"):
            return f"={typed}" if meant else self._choice()
        if reply == typed:  # said twice, it is meant
            return f"={typed}"
        return reply

    def _tell(self, question: Asked, label: str) -> None:
        kept = self._service.tell(self._hunt, question.row, label, self._annotator)
        label = str(kept.event.value)
        told = {each.name: each.count for each in self._service.progress(self._hunt).classes}
        count = told.get(label, 1)
        which = f"the {ordinal(count)} of it" if count > 1 else "the first of a new class"
        self._say(escape(f"Row {question.row} is {label}, {which}. (u takes it back.)"))

    def _skip(self, question: Asked) -> None:
        self._service.skip(self._hunt, question.row, self._annotator)
        self._say(f"Row {question.row} stays undecided. (u takes it back.)")

    def _undo(self) -> None:
        try:
            taken_back = self._service.take_back(self._hunt, self._annotator)
        except StateError as problem:
            self._say(escape(str(problem)))
            return
        self._seen = []  # given back, so that the question that was answered wrongly comes again
        if len(taken_back) > 1:
            self._say(f"The {len(taken_back)} answers of one step are taken back.")
            return
        before = self._service.store.event(str(taken_back[0].event.value))
        assert before is not None
        if before.row is None:  # a class was renamed since the last answer
            self._say(escape(self._service.history(self._hunt, 1)[0].words))
            return
        self._taken_back = before.row
        what = "The skip of" if before.kind == "skip" else "The answer about"
        self._say(f"{what} row {before.row} is taken back.")

    def _labels(self) -> int:
        return self._service.progress(self._hunt).labels

    def _say(self, words: str) -> None:
        self._talk.print(words)


def _meant(typed: str, classes: list[str]) -> str | None:
    """Return what a name that is no class yet may have been meant for.

    >>> _meant("norm", ["fraud", "normal"]), _meant("n spam", []), _meant("spam", ["normal"])
    ('normal', 'spam', None)
    >>> _meant("812 spam", ["spam"]), _meant("24 hours", ["spam"])  # a row's number before it
    ('spam', None)
    >>> _meant("normal, I think", ["normal"]), _meant("normality", ["normal"])
    ('normal', None)
    """
    first, _, rest = typed.partition(" ")
    if rest and len(first) == 1 and (first.casefold() in COMMANDS or first.isdigit()):
        return same_name(rest, classes) or rest.strip()
    if rest and first.isdigit() and same_name(rest, classes):
        return same_name(rest, classes)
    begun = (name for name in classes if name.casefold().startswith(typed.casefold()))
    more = (name for name in classes if _goes_on(typed.casefold(), name.casefold()))
    return mistyped_name(typed, classes) or next(begun, None) or next(more, None)


def _goes_on(typed: str, name: str) -> bool:
    """Whether a name was typed and something behind it: a remark, or lines pasted as one."""
    return typed.startswith(name) and not typed[len(name) :][:1].isalnum()
