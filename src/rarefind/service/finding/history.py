"""What was said in a hunt, latest first, as far as somebody wants to see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from rarefind.core.arrays import IntArray
from rarefind.service.asking.log import HuntLog
from rarefind.service.showing.record import RecordViewer
from rarefind.store.contract import Event, Kind
from rarefind.store.rules.projection import HistoryEntry
from rarefind.store.rules.renames import read_rename
from rarefind.store.rules.steps import step_of


@dataclass(frozen=True)
class HistoryView:
    """Something that was said, and whether it was taken back.

    ``summary`` tells the record in a line; it is empty where there is none or it is not at hand.
    ``step`` names the step it is part of, ``together`` how many parts of it stand.
    """

    id: str
    seq: int
    kind: str
    row: int | None
    value: str | None
    annotator: str
    at: float
    asked: bool
    undone: bool
    words: str
    summary: str = ""
    step: str | None = None
    together: int = 1


@dataclass(frozen=True)
class HistoryFilter:
    """Which of what was said is wanted; None means all.

    Attributes
    ----------
    label
        What was called so, under the name the class has by now.
    annotator, kind
        Who said it, and what kind of event it is.
    text
        What the sentence about it holds, capitals aside.
    rows
        Rows of records that ``text`` means: what was said of them is wanted as well.
    standing
        Only what was not taken back, nor replaced by a later answer of the same person.
    fold
        Of a step, show the latest part that is wanted alone.
    """

    label: str | None = None
    annotator: str | None = None
    kind: Kind | None = None
    text: str | None = None
    rows: IntArray | None = None
    standing: bool = False
    fold: bool = False


def history_view(
    log: HuntLog,
    limit: int,
    before: int | None,
    viewer: RecordViewer | None,
    wanted: HistoryFilter,
) -> list[HistoryView]:
    """List what was said, latest first, before the event of place ``before``.

    The viewer tells the records of the lines listed; None where they are not at hand.
    """
    entries = log.history()
    together = log.view("steps", lambda _: _together(entries))
    sieve = _Sieve(log, wanted, before)
    found: list[HistoryView] = []
    for entry in reversed(entries):
        if len(found) == limit:
            break
        if sieve.takes(entry):
            found.append(_told(entry, log, viewer, together))
    return found


def _together(entries: Collection[HistoryEntry]) -> Counter[str]:
    """Count the parts of each step that stand."""
    steps = (step_of(each.event.id) for each in entries if not each.undone)
    return Counter(step for step in steps if step is not None)


class _Sieve:
    """Lets through what is wanted, latest first."""

    def __init__(self, log: HuntLog, wanted: HistoryFilter, before: int | None) -> None:
        self._log, self._wanted, self._before = log, wanted, before
        self._text = (wanted.text or "").casefold()
        self._rows = None if wanted.rows is None else set(wanted.rows.tolist())
        self._seen: set[str] = set()
        self._said = {word.seq for word in log.statements()} if wanted.standing else set()

    def takes(self, entry: HistoryEntry) -> bool:
        """Tell whether an entry is to be listed."""
        if not self._wants(entry):
            return False
        step = step_of(entry.event.id) if self._wanted.fold else None
        first = step is None or step not in self._seen
        if step is not None:
            self._seen.add(step)
        # A step is listed where its latest part is, also if that is on an earlier page.
        return first and (self._before is None or entry.event.seq < self._before)

    def _wants(self, entry: HistoryEntry) -> bool:
        event, wanted = entry.event, self._wanted
        if wanted.standing and not self._stands(entry):
            return False
        if wanted.kind is not None and event.kind != wanted.kind:
            return False
        if wanted.annotator is not None and event.annotator != wanted.annotator:
            return False
        if wanted.label is not None and wanted.label not in _called(event, self._log):
            return False
        if not self._text or self._text in _words(event, self._log).casefold():
            return True
        return self._rows is not None and event.row in self._rows

    def _stands(self, entry: HistoryEntry) -> bool:
        event = entry.event
        if event.kind in ("label", "skip"):
            return event.seq in self._said
        return not entry.undone and event.kind != "undo"


def _called(event: Event, log: HuntLog) -> tuple[str, ...]:
    """Name the classes an event speaks of: as it was said, and as the class is called by now."""
    if event.kind == "label":
        return str(event.value), log.named_now(str(event.value), event.seq)
    return read_rename(event.value) if event.kind == "rename" else ()


def _told(
    entry: HistoryEntry, log: HuntLog, viewer: RecordViewer | None, together: Counter[str]
) -> HistoryView:
    event = entry.event
    step = step_of(event.id)
    return HistoryView(
        event.id,
        event.seq,
        event.kind,
        event.row,
        event.value,
        event.annotator,
        event.at,
        event.asked_by is not None,
        entry.undone,
        _words(event, log),
        _summary(event.row, viewer),
        step,
        1 if step is None else together[step],
    )


def _summary(row: int | None, viewer: RecordViewer | None) -> str:
    if row is None or viewer is None or row >= viewer.table.n_rows:
        return ""
    return viewer.summary(row)


def _merges(entries: Collection[HistoryEntry]) -> set[str]:
    """Find the renames after which two classes were one: the new name was in use already."""
    used: set[str] = set()
    found: set[str] = set()
    for event in (entry.event for entry in entries):
        if event.kind == "label":
            used.add(str(event.value))
        elif event.kind == "rename":
            old, new = read_rename(event.value)
            if new in used:
                found.add(event.id)
            used = (used - {old}) | {new}
    return found


def _words(event: Event, log: HuntLog) -> str:
    if event.kind == "label":
        return f"{event.annotator} called row {event.row} {event.value}."
    if event.kind == "skip":
        return f"{event.annotator} skipped row {event.row}."
    if event.kind == "append":
        return f"{event.annotator} added records."
    if event.kind == "rename":
        old, new = read_rename(event.value)
        if event.id in log.view("merges", lambda projection: _merges(projection.history)):
            return f"{event.annotator} made the class {old} part of {new}."
        return f"{event.annotator} called the class {old} {new}."
    target = log.known(event.value)
    what = "something" if target is None else f"the answer about row {target.row}"
    if target is not None and target.kind == "rename":
        what = "the name {1} of the class {0}".format(*read_rename(target.value))
    return f"{event.annotator} took back {what}."
