"""Records, neighbours and progress."""

from __future__ import annotations

import time

from rarefind.core.params import Integer, check_param
from rarefind.service.asking.candidates import neighbours
from rarefind.service.shared import ServiceBase
from rarefind.service.showing.progress import progress_view
from rarefind.service.showing.record import RecordView
from rarefind.service.showing.views import NeighbourView, ProgressView


class Seeing(ServiceBase):
    """What a person looks at."""

    def description(self, hunt_id: str) -> str:
        """Tell how records are compared."""
        hunt = self.opened(hunt_id)
        return hunt.data.description(hunt.settings)

    def truth(self, hunt_id: str) -> tuple[str | None, ...]:
        """Return the label column of a hunt's file; empty if it has none."""
        return self.opened(hunt_id).data.truth or ()

    def record(self, hunt_id: str, row: int) -> RecordView:
        """Lay out a record: its fields, what is unusual about them, and what it looks like."""
        hunt = self._at_row(hunt_id, row)
        return hunt.records.viewer.record(row)

    def summary(self, hunt_id: str, row: int) -> str:
        """Tell a record in a line."""
        return self.opened(hunt_id).records.viewer.summary(row)

    def neighbours(self, hunt_id: str, row: int, k: int = 5) -> list[NeighbourView]:
        """List the records most like another, nearest first."""
        check_param("neighbours", "k", k, Integer(1, 100))
        hunt = self._at_row(hunt_id, row)
        hunt.log.catch_up()
        found = neighbours(hunt.space, row, k)
        labels = hunt.log.labels_of([near for near, _ in found])
        return [
            NeighbourView(
                near,
                distance,
                label,
                hunt.records.viewer.summary(near),
                hunt.records.viewer.differences(row, near),
            )
            for (near, distance), label in zip(found, labels, strict=True)
        ]

    def progress(self, hunt_id: str) -> ProgressView:
        """Sum up what was found, by whom, and what may still be unseen."""
        hunt = self._heard(hunt_id)
        truth = hunt.data.truth if hunt.records.loaded else None
        leases = self.store.leases(hunt.id, time.time())
        return progress_view(hunt.log, hunt.settings, hunt.n_records, leases, truth)

    def labels(self, hunt_id: str) -> dict[int, str]:
        """Return the label of each row that has one, in the order they were first told."""
        hunt = self._heard(hunt_id, force=True)
        return dict(hunt.log.labels())
