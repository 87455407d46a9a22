"""Classes that get another name, or become one with another class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rarefind.core.errors import ParameterError, StateError
from rarefind.core.names import unknown_name
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.shared import ServiceBase
from rarefind.store.contract import Event, Kept
from rarefind.store.rules.renames import read_rename, rename_value


class Renaming(ServiceBase):
    """Names of classes."""

    def rename(
        self, hunt_id: str, old: str, new: str, annotator: str, event_id: str | None = None
    ) -> Kept:
        """Give a class another name, for all that was said; its key and colour go along.

        It is an event: ``undo`` of its id brings the old name back.
        """
        hunt = self.opened(hunt_id)
        new = new.strip() if isinstance(new, str) else new
        if not self._sent_before(hunt, event_id):
            _check_told(hunt, old)
            if not new:
                raise ParameterError(f"The new name of {old!r} is empty. Give it one.")
            if new == old:
                raise ParameterError(f"The class {old!r} has that name already: give it another.")
            if new in _told(hunt):
                raise StateError(
                    f"There is a class {new!r} already: merge {old!r} into it, or choose another "
                    "name."
                )
            self._carry_over(hunt, old, new)
        return self._renamed(hunt, old, new, annotator, event_id)

    def merge(
        self, hunt_id: str, old: str, into: str, annotator: str, event_id: str | None = None
    ) -> Kept:
        """Make a class part of another, which keeps its name, key and colour; an event as well."""
        hunt = self.opened(hunt_id)
        if not self._sent_before(hunt, event_id):
            _check_told(hunt, old)
            if old == into:
                raise ParameterError(f"The class {old!r} cannot be merged into itself.")
            known = [*_told(hunt), *hunt.settings.background]
            if into not in known:
                raise unknown_name("class", into, known)
        return self._renamed(hunt, old, into, annotator, event_id)

    def undo_rename(self, hunt_id: str, annotator: str) -> tuple[str, str]:
        """Take the last rename or merge back; return the old name and the new."""
        hunt = self._heard(hunt_id, force=True)
        entries = hunt.log.history()
        for entry in reversed(entries):
            if entry.event.kind == "rename" and not entry.undone:
                self._submit(hunt, "undo", None, entry.event.id, annotator, None).result()
                return read_rename(entry.event.value)
        raise StateError(f"No class of the hunt {hunt.entry.name!r} was renamed or merged.")

    def set_key(self, hunt_id: str, name: str, key: str) -> None:
        """Choose the key that answers with a class, for everybody; who had it gets the other."""
        self._wish(hunt_id, "keys", name, key)

    def set_colour(self, hunt_id: str, name: str, colour: int) -> None:
        """Choose the colour of a class by its number, as :meth:`set_key` chooses its key."""
        self._wish(hunt_id, "colours", name, colour)

    def _wish(self, hunt_id: str, part: str, name: str, wish: str | int) -> None:
        hunt = self._heard(hunt_id)
        wishes = getattr(hunt.settings, part)
        others = {each: had for each, had in wishes.items() if had != wish and each != name}
        self._change(hunt, {part: {**others, name: wish}})

    def _renamed(
        self, hunt: OpenHunt, old: str, new: str, annotator: str, event_id: str | None
    ) -> Kept:
        value = rename_value(old, new)
        return self._submit(hunt, "rename", None, value, annotator, event_id).result()

    def _carry_over(self, hunt: OpenHunt, old: str, new: str) -> None:
        """Let the settings speak of the new name as well; the old one stays, for undo."""
        settings = hunt.settings
        changes: dict[str, Any] = {}
        if old in settings.background:
            changes["background"] = (*settings.background, new)
        for part in ("keys", "colours"):
            wishes = getattr(settings, part)
            if old in wishes:
                changes[part] = {**wishes, new: wishes[old]}
        if changes:
            self._change(hunt, changes)

    def _sent_before(self, hunt: OpenHunt, event_id: str | None) -> Event | None:
        return None if event_id is None else hunt.log.find(event_id)


def _told(hunt: OpenHunt) -> Sequence[str]:
    """Name the classes that somebody holds."""
    hunt.log.catch_up(force=True)
    words = hunt.log.statements()
    return list(dict.fromkeys(word.label for word in words if word.label is not None))


def _check_told(hunt: OpenHunt, name: str) -> None:
    known = _told(hunt)
    if name not in known:
        raise unknown_name("class", name, known)
