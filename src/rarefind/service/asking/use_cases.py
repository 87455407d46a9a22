"""Asking people and hearing their answers."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import Future
from pathlib import Path

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import ParameterError, StateError
from rarefind.core.params import Integer, check_param
from rarefind.discovery.contract.meanings import meanings
from rarefind.service.asking.news import Leased
from rarefind.service.shared import ServiceBase, clean_name, once_kept
from rarefind.service.showing.views import Asked, HuntView, Spare
from rarefind.store.contract import Kept, Lease
from rarefind.store.rules.projection import Statement


class Labelling(ServiceBase):
    """Questions and answers."""

    def ask(
        self,
        hunt_id: str,
        annotator: str,
        count: int = 1,
        seen: Collection[str] | None = None,
    ) -> list[Asked]:
        """Give somebody their next questions; the ones they hold come first.

        Whoever asks for questions ahead of time may name the leases of those they have ``seen``:
        the others are given back, and chosen anew with all that was said meanwhile.
        """
        check_param("ask", "count", count, Integer(1, 100))
        hunt = self.opened(hunt_id)
        leases = hunt.live.ask(clean_name(annotator), count, seen)
        for lease in leases:
            row = lease.candidate.row
            self._news.publish(hunt.id, Leased(row, annotator))
        return [_asked(lease) for lease in leases]

    def spares(self, hunt_id: str, annotator: str, count: int) -> list[Spare]:
        """Give somebody questions to answer while they cannot reach us; nobody holds them.

        Others may be asked about the same records meanwhile: every answer counts, as one that
        comes late.
        """
        check_param("spares", "count", count, Integer(1, 100))
        chosen = self.opened(hunt_id).live.spares(clean_name(annotator), count)
        return [
            Spare(each.row, each.why, dict(each.evidence), meanings(each.evidence))
            for each in chosen
        ]

    def release(self, hunt_id: str, question: Asked) -> None:
        """Give a question back without an answer."""
        self.store.release(question.lease)
        self.opened(hunt_id).given_back(question.row)

    def waits_for_nothing(self, hunt_id: str, row: int) -> bool:
        """Tell whether handing an answer over needs no look at the store or at a file."""
        hunt = self._open.get(hunt_id)
        return hunt is not None and hunt.at_work and 0 <= row < hunt.live.hunt.n_records

    def submit_tell(
        self,
        hunt_id: str,
        row: int,
        label: str,
        annotator: str,
        event_id: str | None = None,
        asked: bool = True,
    ) -> Future[Kept]:
        """Say what a record is; the future is done once that is kept for good.

        ``asked`` says that it was a question; the store knows who asked it.
        """
        hunt = self._at_row(hunt_id, row)
        words = label.strip() if isinstance(label, str) else label
        if not words:
            raise ParameterError(
                f"The label of row {row} is empty. Give it a name, or skip the record."
            )
        ahead = hunt.asked_ahead(clean_name(annotator), row)
        asked_by = (ahead or UNKNOWN) if asked else None
        return self._submit(hunt, "label", row, words, annotator, event_id, asked_by=asked_by)

    tell = once_kept(submit_tell)
    """Say what a record is; kept for good when it returns."""

    def submit_skip(
        self, hunt_id: str, row: int, annotator: str, event_id: str | None = None
    ) -> Future[Kept]:
        """Leave a record undecided; the future is done once that is kept."""
        hunt = self._at_row(hunt_id, row)
        return self._submit(hunt, "skip", row, None, annotator, event_id, asked_by=UNKNOWN)

    skip = once_kept(submit_skip)
    """Leave a record undecided; kept when it returns."""

    def said_of(self, hunt_id: str, row: int, annotator: str) -> Statement | None:
        """Return what an annotator says of a record by now, or None."""
        log, who = self.opened(hunt_id).log, clean_name(annotator)
        log.catch_up(force=True)
        return next((word for word in log.about(row) if word.annotator == who), None)

    def append(
        self, hunt_id: str, path: Path | str, annotator: str, event_id: str | None = None
    ) -> HuntView:
        """Add the records of another file with the same columns; a file is added once."""
        hunt = self.opened(hunt_id)
        sent_before = event_id is not None and hunt.log.find(event_id) is not None
        hunt.check_part(self._tables.table(Path(path), hunt.settings.how))
        dataset = self._catalogue.add(Path(path), read_as=hunt.settings.read_as)
        hunt.log.catch_up(force=True)
        if not sent_before and dataset.id in (hunt.entry.dataset, *hunt.log.parts):
            raise StateError(
                f"The records of {Path(path).name} are in the hunt {hunt.entry.name!r} already."
            )
        self._submit(hunt, "append", None, dataset.id, annotator, event_id).result()
        hunt.log.catch_up(force=True)
        if hunt.state().state == "ready":
            hunt.live.wait_until_heard()
        return self._view(hunt)


def _asked(lease: Lease) -> Asked:
    chosen = lease.candidate
    return Asked(
        chosen.row,
        chosen.why,
        dict(chosen.evidence),
        meanings(chosen.evidence),
        lease.id,
        lease.expires_at,
        chosen.neighbours,
    )
