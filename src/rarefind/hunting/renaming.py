"""A hunt whose classes can get other names, and become one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from rarefind import discovery
from rarefind.core.errors import ParameterError
from rarefind.core.names import unknown_name
from rarefind.discovery.contract.event import Event, Renamed
from rarefind.discovery.contract.labels import clean_label
from rarefind.discovery.contract.strategy import Label


@dataclass(frozen=True)
class _Change:
    """What was said, before and after a class got another name."""

    renamed: Renamed
    before: Mapping[int, Event]
    after: Mapping[int, Event]
    ordinary: frozenset[Label] | None


class RenamingHunt(discovery.Hunt):
    """Discovery's hunt, with names of classes that may change."""

    def rename(self, old: Label, new: Label) -> None:
        """Give a class another name, for all that was told; ``undo`` brings the old one back.

        >>> from rarefind import Hunt
        >>> hunt = Hunt([[0.0], [0.1], [9.0]], strategy="random")
        >>> hunt.tell(2, "frued")
        >>> hunt.rename("frued", "fraud")
        >>> hunt.labels
        {2: 'fraud'}
        >>> hunt.undo()
        Renamed(old='frued', new='fraud', rows=(2,))
        >>> hunt.labels
        {2: 'frued'}
        """
        rows = self._rows_of(old)
        new = clean_label(rows[0], new)
        if new in self.labels.values():
            raise ParameterError(
                f"There is a class {new!r} already: merge({old!r}, {new!r}) makes them one."
            )
        ordinary = self._ordinary
        if ordinary is not None and old in ordinary:
            ordinary = (ordinary - {old}) | {new}
        self._call(Renamed(old, new, rows), ordinary)

    def merge(self, old: Label, into: Label) -> None:
        """Make a class part of another; ``undo`` parts them again.

        >>> from rarefind import Hunt
        >>> hunt = Hunt([[0.0], [0.1], [9.0]], strategy="random")
        >>> for row, label in enumerate(["even", "evn", "odd"]):
        ...     hunt.tell(row, label)
        >>> hunt.merge("evn", "even")
        >>> hunt.labels
        {0: 'even', 1: 'even', 2: 'odd'}
        """
        rows = self._rows_of(old)
        if old == into:
            raise ParameterError(f"The class {old!r} cannot be merged into itself.")
        known = {*self.labels.values(), *(self._ordinary or ())}
        if into not in known:
            raise unknown_name("class", into, sorted(map(str, known)))
        self._call(Renamed(old, into, rows), self._ordinary)

    def undo(self, row: int | None = None) -> Event | Renamed:
        """Take back the last thing said, or what was said about a row; return what it was.

        A new name of a class is taken back once nothing was said since.
        """
        last = next(reversed(self._said), None)
        if row is not None or last is None or not self._renames:
            return super().undo(row)
        change = self._renames[-1]
        if change.after.get(last) is not self._said[last]:
            return super().undo()
        self._renames.pop()
        self._ordinary = change.ordinary
        unchanged = {row for row, event in self._said.items() if change.after.get(row) is event}
        self.restore(
            change.before[row] if row in unchanged else event for row, event in self._said.items()
        )
        return change.renamed

    @cached_property
    def _renames(self) -> list[_Change]:
        return []

    def _call(self, renamed: Renamed, ordinary: frozenset[Label] | None) -> None:
        """Call the class by its new name."""
        before, was_ordinary = dict(self._said), self._ordinary
        after = {
            row: replace(event, label=renamed.new) if row in renamed.rows else event
            for row, event in before.items()
        }
        self._ordinary = ordinary
        self.restore(after.values())
        self._renames.append(_Change(renamed, before, after, was_ordinary))

    def _rows_of(self, name: Label) -> tuple[int, ...]:
        rows = tuple(row for row, label in self.labels.items() if label == name)
        if not rows:
            raise unknown_name("class", name, sorted({str(each) for each in self.labels.values()}))
        return rows
