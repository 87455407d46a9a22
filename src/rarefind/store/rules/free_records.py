"""Who may look at which record: one rule for all engines."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import ParameterError
from rarefind.store.contract import Candidate, Event, Lease
from rarefind.store.rules.values import LONGEST_NAME, clean_row, clean_text


def free_candidates(
    candidates: Iterable[Candidate],
    annotator: str,
    taken: Mapping[int, AbstractSet[str]],
    overlap: int,
) -> list[Candidate]:
    """Return the candidates this annotator may look at, in their order.

    ``taken`` names, for each row, everybody who holds it or has spoken about it.
    """
    free: dict[int, Candidate] = {}
    for candidate in candidates:
        busy = taken.get(candidate.row, frozenset())
        if annotator not in busy and len(busy) < overlap:
            free.setdefault(candidate.row, candidate)
    return list(free.values())


def who_is_busy(leases: Iterable[Lease], spoken: Iterable[tuple[int, str]]) -> dict[int, set[str]]:
    """Gather who holds, or has spoken about, each row."""
    taken: dict[int, set[str]] = {}
    for lease in leases:
        taken.setdefault(lease.candidate.row, set()).add(lease.annotator)
    for row, annotator in spoken:
        taken.setdefault(row, set()).add(annotator)
    return taken


def with_asker(event: Event, held: Sequence[Lease], before: Collection[Event]) -> Event:
    """Return the event with who had asked, where it says only that somebody did.

    The annotator's lease on the row tells, or else what they said of the row before.
    """
    if event.asked_by != UNKNOWN:
        return event
    if held:
        return replace(event, asked_by=held[0].candidate.asked_by)
    about = (event.hunt, event.row, event.annotator)
    for said in before:
        if said.asked_by is not None and (said.hunt, said.row, said.annotator) == about:
            event = replace(event, asked_by=said.asked_by)
    return event


def check_asking(
    annotator: str,
    candidates: Sequence[Candidate],
    count: int,
    seconds: float,
    now: float,
    overlap: int,
) -> None:
    """Refuse in a sentence what makes no sense when leases are asked for."""
    clean_text("name of an annotator", annotator, LONGEST_NAME)
    for candidate in candidates:
        clean_row(candidate.row)
    for name, number in (("count", count), ("overlap", overlap)):
        if number < 1:
            raise ParameterError(
                f"The '{name}' of take_leases must be a whole number from 1. Got {number!r}."
            )
    if not (seconds > 0 and math.isfinite(seconds) and math.isfinite(now)):
        raise ParameterError(
            f"The 'seconds' of take_leases must be positive and finite. Got {seconds!r}."
        )
