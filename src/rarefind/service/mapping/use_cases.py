"""Every record in the plane, and a colour for each."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.mapping.column_colours import (
    ColourColumn,
    LegendView,
    coloured_columns,
    column_colours,
)
from rarefind.service.mapping.kept_maps import KeptMaps
from rarefind.service.shared import ServiceBase
from rarefind.service.showing.progress import class_views

if TYPE_CHECKING:  # help and lists of hunts do without the geometry
    from rarefind.geometry.maps import Map, Method

_ASIDE = ("kernel-pca", "umap")
"""Maps whose loops would keep everybody in this process waiting: the workroom computes them."""

WORTH_SECONDS = 1.0
"""Maps that took less are not kept in files: they are there again as soon."""


class Mapping(ServiceBase):
    """Maps and their colours."""

    def map(self, hunt_id: str, method: Method = "pca") -> Map:
        """Place every record in the plane; what was computed before is given again."""
        hunt = self.opened(hunt_id)
        state = (hunt.data.n_records, hunt.log.length if method == "lda" else 0)
        return hunt.maps.of(method, state, lambda: self._made_or_kept(hunt, method))

    def class_numbers(self, hunt_id: str) -> NDArray[np.int16]:
        """Tell the number of each row's class in ``progress().classes``; -1 for none."""
        hunt = self._heard(hunt_id)
        number = {each.name: i for i, each in enumerate(class_views(hunt.log, hunt.settings))}
        numbers = np.full(hunt.n_records, -1, dtype=np.int16)
        labels = hunt.log.labels()
        if labels:
            rows = np.fromiter(labels, dtype=np.int64, count=len(labels))
            numbers[rows] = [number[label] for label in labels.values()]
        return numbers

    def colour_columns(self, hunt_id: str) -> list[ColourColumn]:
        """List the columns that a map can be coloured by."""
        return coloured_columns(self.opened(hunt_id).records.viewer)

    def column_colours(self, hunt_id: str, column: str) -> tuple[NDArray[np.float32], LegendView]:
        """Return a number of each record to colour it by, and what the numbers mean."""
        hunt = self.opened(hunt_id)
        viewer = hunt.records.viewer
        state = (column, viewer.table.n_rows)
        return hunt.found.of("colours", state, lambda: column_colours(viewer, column))

    def _made_or_kept(self, hunt: OpenHunt, method: Method) -> Map:
        beside = self.store.beside
        if beside is None or method == "lda":  # which changes with every answer
            return self._drawn(hunt, method)
        files = KeptMaps(beside / hunt.id / "maps")
        about = self._about(hunt)
        found = files.read(method, about)
        if found is None or len(found.points) != hunt.data.n_records:
            began = time.monotonic()
            found = self._drawn(hunt, method)
            if time.monotonic() - began > WORTH_SECONDS:
                files.write(method, about, found)
        return found

    def _drawn(self, hunt: OpenHunt, method: Method) -> Map:
        from rarefind.geometry.maps import make_map

        if method in _ASIDE:
            return self._computed("map", hunt, partial(make_map, method), {})
        labels = dict(hunt.log.labels()) if method == "lda" else {}
        return make_map(method, hunt.data.records, hunt.records.kernel, labels)

    def _about(self, hunt: OpenHunt) -> Any:
        """Tell what the places of records depend on: the files, and how they are compared."""
        settings = hunt.settings.as_mapping()
        parts = [self.store.dataset(id).sha256 for id in (hunt.entry.dataset, *hunt.log.parts)]
        compared = {name: settings.get(name) for name in ("kernel", "kinds", "leave_out")}
        return [parts, compared, settings.get("label_column"), settings.get("read_as")]
