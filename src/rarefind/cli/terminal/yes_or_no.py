"""Looking at the records of a harvest on the terminal: yes, no, or the name of a class."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel

from rarefind.cli.terminal.fields import record_panel
from rarefind.cli.terminal.keyboard import Keyboard
from rarefind.cli.terminal.output import counted, progress_bar
from rarefind.cli.terminal.stopping import undisturbed
from rarefind.core.errors import StateError
from rarefind.core.names import mistyped_name, same_name
from rarefind.service.facade import Service
from rarefind.service.showing.views import HarvestView

_YES, _NO = ("y", "yes"), ("n", "no")
_SKIP, _UNDO, _QUIT = ("s", "skip"), ("u", "undo"), ("q", "quit", "exit")
"""What may be written for each answer, in small letters."""

_HELP = (
    "Every answer ends with Enter. y says that the record is of the class, n that it is an "
    "ordinary one, a name that it is of that class (= before a name takes it as it is), s leaves "
    "it undecided, u takes your last answer back, q stops: every answer is kept already."
)
"""Said when somebody asks what can be answered."""


class Looking:
    """Rounds of a harvest, shown on a console."""

    def __init__(
        self, service: Service, hunt: str, target: str, annotator: str, talk: Console
    ) -> None:
        self._service = service
        self._hunt = hunt
        self._target = target
        self._annotator = annotator
        self._talk = talk
        self._keyboard = Keyboard(talk)

    def run(self, model: str, looks: int, budget: int | None) -> HarvestView:
        """Show records until enough is found, the budget is spent or the person stops."""
        with self._keyboard:
            answered = 0
            while True:
                made = self._next(model, looks)
                self._say(f"[dim]{escape(made.words)}[/]")
                if not made.looks:
                    self._say(escape(made.ended or "No record is left to look at."))
                    return made
                if made.ended is not None:
                    self._say(escape(made.ended))
                    reply = self._goes_on()
                    if reply in _UNDO:
                        if not self._undone():
                            return made
                        continue
                    if reply not in _YES:
                        return made
                for look in made.looks:
                    if budget is not None and answered >= budget:
                        self._say(f"The budget of {counted(budget, 'look')} is spent.")
                        return made
                    known = set(self._known())
                    if not self._look(look.row, look.chance):
                        return made
                    answered += 1
                    if not set(self._known()) <= known:
                        break  # news: what comes next is chosen with it

    def _next(self, model: str, looks: int) -> HarvestView:
        with progress_bar():
            return self._service.harvest(self._hunt, self._target, self._annotator, model, looks)

    def _goes_on(self) -> str:
        self._say("Go on all the same? y yes, n no, u takes your last answer back:")
        return (self._keyboard.line() or "n").casefold()

    def _look(self, row: int, chance: float | None) -> bool:
        """Show one record and hear what it is; False if the person stops."""
        self._show(row, chance)
        while True:
            self._say(
                "[dim]Type and Enter:[/] [bold]y[/] yes  [bold]n[/] no  [bold]s[/] skip  "
                "[bold]u[/] undo  [bold]q[/] quit  [bold]?[/] help, or the name of its class:"
            )
            typed = self._keyboard.line(completions=self._known())
            if typed is None or typed.casefold() in _QUIT:
                return False
            if typed.casefold() in _UNDO:
                if not self._undone():
                    return False
                self._show(row, chance)
                continue
            with undisturbed():
                if self._heard(row, typed.strip()):
                    return True

    def _show(self, row: int, chance: float | None) -> None:
        record = self._service.record(self._hunt, row)
        likely = "" if chance is None else f" (chance {chance:.0%})"
        title = escape(f"Is row {row} {self._target}?{likely}")
        self._talk.print(Panel(record_panel(record), title=title, title_align="left"))
        if self._keyboard.forget_lines():
            self._say("[dim]What was typed before this record was shown is no answer to it.[/]")

    def _heard(self, row: int, typed: str) -> bool:
        """Keep an answer; False if the record is still to be answered."""
        word = typed.casefold()
        if word in _SKIP:
            self._service.skip(self._hunt, row, self._annotator)
            self._say(f"Row {row} stays undecided. (u takes it back.)")
            return True
        if word in ("?", "help") or not typed.strip("= "):
            self._say(_HELP)
            return False
        answer: bool | str = True if word in _YES else False if word in _NO else typed
        if isinstance(answer, str):
            meant = self._name(answer)
            if meant is None:
                return False
            answer = meant
        kept = self._service.tell_look(self._hunt, self._target, row, answer, self._annotator)
        self._say(escape(f"Row {row} is {kept.event.value}. (u takes it back.)"))
        return True

    def _name(self, typed: str) -> str | None:
        """Return the class of a name; of one that is not there yet say how to make it, None."""
        if typed.startswith("="):
            return typed[1:].strip()
        known = self._known()
        same = same_name(typed, known)
        if same is not None:
            return same
        # Whoever is asked for yes or no seldom means to make a class.
        slip = mistyped_name(typed, known)
        close = f"For {slip} type it, for" if slip else "For"
        words = (
            f"No class is called {typed} yet. {close} a new class ={typed}; s leaves it undecided."
        )
        self._say(escape(words))
        return None

    def _undone(self) -> bool:
        """Take the last answer back and ask about its record anew; False if the person stops.

        The record is shown before anything is heard: what is typed next is meant for it.
        """
        with undisturbed():
            try:
                taken_back = self._service.take_back(self._hunt, self._annotator)
            except StateError as problem:
                self._say(escape(str(problem)))
                return True
        if len(taken_back) > 1:
            self._say(f"The {len(taken_back)} answers of one step are taken back.")
            return True
        before = self._service.store.event(str(taken_back[0].event.value))
        assert before is not None
        if before.row is None:  # a class was renamed since the last answer
            self._say(escape(self._service.history(self._hunt, 1)[0].words))
            return True
        self._say(f"Your answer about row {before.row} is taken back; here it is again.")
        return self._look(before.row, None)

    def _known(self) -> list[str]:
        return [each.name for each in self._service.progress(self._hunt).classes]

    def _say(self, words: str) -> None:
        self._talk.print(words)
