"""One round of a harvest: which records to look at next, and what is to be expected of them.

Everything follows from what was said, so a round is the same in a notebook, on the command line and
in the workbench, and goes on after a break as if there had been none.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.core.arrays import Records, count
from rarefind.core.asked_by import HARVEST, AskedBy, by_harvest
from rarefind.core.errors import DataError, StateError
from rarefind.discovery.contract.event import Event
from rarefind.hunting.fit_and_score import rank_records
from rarefind.hunting.forecast import Forecast, foresee
from rarefind.hunting.ranking import Ranking
from rarefind.kernels.contract import Kernel

LOOKS = 10
"""Records of a round: as many as a person looks at without losing the thread. A choice."""


@dataclass(frozen=True)
class Look:
    """A record to look at.

    Attributes
    ----------
    row
        The record.
    score
        How much it is like the class, as the ranking has it.
    chance
        The chance that it is of the class; None where that cannot be told.
    """

    row: int
    score: float
    chance: float | None

    def asked_by(self, target: Hashable) -> AskedBy:
        """Tell who asks: the harvest of this class, with the chance it saw."""
        notes = {} if self.chance is None else {"chance": self.chance}
        return AskedBy(HARVEST, {"class": _mark(target), **notes})


@dataclass(frozen=True)
class Round:
    """The records to look at, the ranking they come from, and the forecast it allows."""

    looks: tuple[Look, ...]
    ranking: Ranking
    forecast: Forecast


def next_round(
    records: Records,
    kernel: Kernel | None,
    said: Sequence[Event],
    target: Hashable,
    model: str = "auto",
    looks: int = LOOKS,
    aside: Collection[int] = (),
) -> Round:
    """Rank anew with everything said, and take the first records that nobody has looked at.

    The most likely ones are taken. Letting the members of ``auto`` choose in turn found fewer.

    Parameters
    ----------
    records, kernel
        The records, and what compares them where they are no vectors.
    said
        What was said, in order.
    target
        The class to find.
    model
        The name of the model that ranks.
    looks
        How many records to look at.
    aside
        Rows to leave out: somebody else looks at them.
    """
    labels = {event.row: event.label for event in said if event.label is not None}
    skipped = [event.row for event in said if event.label is None]
    if len(labels) + len(skipped) >= count(records):
        raise StateError(
            f"All {count(records)} records are labelled or skipped: nothing is left to look at."
        )
    ranking = rank_records(records, kernel, labels, target, model)
    looked = looked_at(said, target)
    forecast = foresee(
        looked,
        ranking.quality,
        len(ranking.rows),
        len(labels),
        unlooked=model == "auto" and not ranking.by_kernel,
        by_kernel=ranking.by_kernel,
    )
    free = np.flatnonzero(~np.isin(ranking.rows, [*skipped, *aside]))[:looks]
    chosen = tuple(
        Look(int(ranking.rows[place]), float(ranking.scores[place]), forecast.chance(int(place)))
        for place in free
    )
    return Round(chosen, ranking, forecast)


def looked_at(said: Iterable[Event], target: Hashable) -> list[bool]:
    """Tell of each record that the harvest of this class asked for whether it was of the class."""
    mark = _mark(target)
    return [
        event.label == target
        for event in said
        if event.label is not None and _asked_for(event.asked_by, mark)
    ]


def other_class(
    labels: Iterable[Hashable], ordinary: Collection[Hashable], target: Hashable
) -> Any:
    """Name the class that a plain 'no' means: an ordinary one, else the one told most often."""
    told = Counter(label for label in labels if label != target)
    named = [name for name in ordinary if name != target] or list(told)
    if not named:
        raise DataError(
            f"No class but {target!r} was told, so a 'no' has no name. Say what the record is."
        )
    return max(named, key=lambda name: told[name])


def new_class(said: Sequence[Event], target: Hashable) -> str | None:
    """Tell in a sentence that the last record looked at was of a class nobody knew."""
    mark, last = _mark(target), None
    for place, event in enumerate(said):
        if event.label is not None and _asked_for(event.asked_by, mark):
            last = place
    if last is None or any(event.label == said[last].label for event in said[:last]):
        return None
    return f"Row {said[last].row} is of a class that nobody knew: {said[last].label}."


def _asked_for(asked_by: AskedBy | None, mark: float) -> bool:
    return asked_by is not None and by_harvest(asked_by) and asked_by.notes.get("class") == mark


def _mark(target: Hashable) -> float:
    """Stand for a class by a number, the only thing that is kept with a question."""
    return float(zlib.crc32(str(target).encode()))
