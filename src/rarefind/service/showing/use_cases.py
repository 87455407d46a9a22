"""Records, neighbours, progress and maps."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import RarefindError
from rarefind.core.params import Integer, check_param
from rarefind.records.columns.kinds import detect_kinds
from rarefind.service.asking.candidates import neighbours
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.hunts.records import wanted_kinds
from rarefind.service.shared import ServiceBase
from rarefind.service.showing.progress import HistoryView, class_views, history_view, progress_view
from rarefind.service.showing.record import RecordView, RecordViewer
from rarefind.service.showing.views import NeighbourView, ProgressView

if TYPE_CHECKING:  # help and lists of hunts do without the geometry
    from rarefind.geometry.maps import Map, Method

_MOST_READ = 100_000
"""Records of a file that is read to tell a few of them: that takes a second or two."""


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
        hunt = self.opened(hunt_id)
        self._check_row(hunt, row)
        return hunt.records.viewer.record(row)

    def summary(self, hunt_id: str, row: int) -> str:
        """Tell a record in a line."""
        return self.opened(hunt_id).records.viewer.summary(row)

    def neighbours(self, hunt_id: str, row: int, k: int = 5) -> list[NeighbourView]:
        """List the records most like another, nearest first."""
        check_param("neighbours", "k", k, Integer(1, 100))
        hunt = self.opened(hunt_id)
        self._check_row(hunt, row)
        hunt.log.catch_up()
        labels = hunt.log.labels()
        return [
            NeighbourView(
                near,
                distance,
                labels.get(near),
                hunt.records.viewer.summary(near),
                hunt.records.viewer.differences(row, near),
            )
            for near, distance in neighbours(hunt.space, row, k)
        ]

    def progress(self, hunt_id: str) -> ProgressView:
        """Sum up what was found, by whom, and what may still be unseen."""
        hunt = self.opened(hunt_id)
        hunt.log.catch_up()
        truth = hunt.data.truth if hunt.records.loaded else None
        leases = self.store.leases(hunt.id, time.time())
        return progress_view(hunt.log, hunt.settings, hunt.n_records, leases, truth)

    def history(
        self, hunt_id: str, limit: int = 100, before: int | None = None, *, read: bool = False
    ) -> list[HistoryView]:
        """List what was said, latest first, with the records it is about if they are at hand.

        With ``read`` those of a small file are read for it.
        """
        check_param("history", "limit", limit, Integer(1, 10_000))
        hunt = self.opened(hunt_id)
        hunt.log.catch_up()
        return history_view(hunt.log, limit, before, _viewer(hunt, read=read))

    def labels(self, hunt_id: str) -> dict[int, str]:
        """Return the label of each row that has one, in the order they were first told."""
        hunt = self.opened(hunt_id)
        hunt.log.catch_up(force=True)
        return dict(hunt.log.labels())

    def class_numbers(self, hunt_id: str) -> NDArray[np.int16]:
        """Tell the number of each row's class in ``progress().classes``; -1 for none."""
        hunt = self.opened(hunt_id)
        hunt.log.catch_up()
        number = {each.name: i for i, each in enumerate(class_views(hunt.log, hunt.settings))}
        numbers = np.full(hunt.n_records, -1, dtype=np.int16)
        labels = hunt.log.labels()
        if labels:
            rows = np.fromiter(labels, dtype=np.int64, count=len(labels))
            numbers[rows] = [number[label] for label in labels.values()]
        return numbers

    def map(self, hunt_id: str, method: Method = "pca") -> Map:
        """Place every record in the plane."""
        from rarefind.geometry.maps import make_map

        hunt = self.opened(hunt_id)
        data, length = hunt.data, hunt.log.length
        key = (method, data.n_records, length if method == "lda" else 0)
        if key not in hunt.maps:
            labels = hunt.log.labels() if method == "lda" else {}
            made = make_map(method, data.records, hunt.records.kernel, labels)
            kept = {old: view for old, view in hunt.maps.items() if old[0] != method}
            hunt.maps = {**kept, key: made}
            return made
        return hunt.maps[key]


def _viewer(hunt: OpenHunt, *, read: bool) -> RecordViewer | None:
    """Show the records at hand, or, with ``read``, those of a small file, without preparing them.

    None where there are none: what was said can be told without its records.
    """
    try:
        if hunt.records.loaded:
            return hunt.records.viewer
        if not read or hunt.n_records > _MOST_READ:
            return None
        table = hunt.table()
        return RecordViewer(table, detect_kinds(table, wanted_kinds(hunt.settings)))
    except RarefindError:
        return None
