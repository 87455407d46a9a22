"""The key and the colour of each class, which it keeps from the moment it is named.

Both follow from what was said, in the order it was said, so they are the same for everybody and
after every restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from rarefind.discovery.class_keys import key_for
from rarefind.store.contract import Event
from rarefind.store.rules.projection import Projection
from rarefind.store.rules.renames import read_rename

T = TypeVar("T")

COLOURS = 48
"""Colours people can choose from: twelve, in four shapes."""

_MOST_REUSED = 64
"""Classes beyond have no key anyway, so the place of one that is gone is not looked for."""


@dataclass(frozen=True)
class ClassKey:
    """How a class is answered with: its key, if one was left, and the number of its colour.

    Colour 0 is that of the classes known to be ordinary from the start.
    """

    key: str | None
    colour: int


class ClassKeys:
    """Keys and colours of the classes of a hunt.

    A class that nobody holds any more keeps its place until another class needs it.

    Parameters
    ----------
    named
        Classes known before anything was said.
    ordinary
        Those of them that are ordinary.
    """

    def __init__(self, named: Iterable[str] = (), ordinary: Iterable[str] = ()) -> None:
        self._of: dict[str, ClassKey] = {}
        self._named = tuple(dict.fromkeys(named))
        self._moved: dict[str, tuple[str, str]] = {}  # renames that took a place along, by id
        grey = set(ordinary)
        for name in self._named:
            self._place(name, set(self._named))
            if name in grey:
                self._of[name] = replace(self._of[name], colour=0)

    def hear(self, event: Event, projection: Projection) -> None:
        """Take in an event that the projection has just heard."""
        if event.kind == "label" and event.value not in self._of:
            few = len(self._of) < _MOST_REUSED
            held = {word.label for word in projection.statements} if few else self._of
            self._place(str(event.value), {*self._named, *(name for name in held if name)})
        elif event.kind == "rename":
            self._move(event.id, *read_rename(event.value))
        elif event.kind == "undo" and str(event.value) in self._moved:
            new, old = self._moved.pop(str(event.value))
            if new in self._of and old not in self._of:
                self._of[old] = self._of.pop(new)

    def of(self, name: str, keys: Mapping[str, str], colours: Mapping[str, int]) -> ClassKey:
        """Return the answer of a class, with the keys and colours that people chose."""
        own = self._of.get(name, ClassKey(None, 0))
        grey = 1 + max((answer.colour for answer in self._of.values()), default=0)
        return ClassKey(
            _chosen(name, own.key, keys, {each: a.key for each, a in self._of.items()}),
            _chosen(
                name, own.colour, colours, {each: a.colour or grey for each, a in self._of.items()}
            ),
        )

    def _move(self, id: str, old: str, new: str) -> None:
        """Hand the place of a class on to its new name, unless that has one of its own."""
        if old in self._of and new not in self._of:
            self._of[new] = self._of.pop(old)
            self._moved[id] = (new, old)

    def _place(self, name: str, held: Iterable[str]) -> None:
        stay = set(held)
        keys = {answer.key for other, answer in self._of.items() if other in stay}
        colours = {answer.colour for other, answer in self._of.items() if other in stay}
        key = key_for(name, keys, stay)
        colour = next(number for number in range(1, len(self._of) + 2) if number not in colours)
        for other in [each for each in self._of if each not in stay]:
            if self._of[other].key == key or self._of[other].colour == colour:
                del self._of[other]
        self._of[name] = ClassKey(key, colour)


def _chosen(name: str, own: T, wishes: Mapping[str, T], given: Mapping[str, T]) -> T:
    """Return what a class has once wishes are met: who had it gets what the other was given."""
    for wanted, wish in sorted(wishes.items()):
        if wanted == name:
            own = wish
        elif wanted in given and own == wish:
            own = given[wanted]
    return own
