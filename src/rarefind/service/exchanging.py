"""Files out of a hunt and labels into it."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from rarefind.service.base import ServiceBase, clean_name
from rarefind.service.exporting import check_export, export_hunt
from rarefind.service.importing import event_id as import_id
from rarefind.service.importing import read_labels


class Exchanging(ServiceBase):
    """Export and import."""

    def export(
        self,
        hunt_id: str,
        path: Path | str,
        *,
        what: Literal["records", "labels", "ranking"] = "records",
        ranking: str | None = None,
        raw: bool = False,
    ) -> int:
        """Write records, labels or a ranking to a file; its ending says how. Returns the rows."""
        check_export(Path(path), what)
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up(force=True)
        entry = None
        if what == "ranking":
            made = self._rankings
            entry = made.latest(hunt) if ranking is None else made.entry(hunt, ranking)
        return export_hunt(Path(path), what, hunt.table(), hunt.log, entry, raw=raw)

    def import_labels(
        self,
        hunt_id: str,
        path: Path | str,
        annotator: str,
        *,
        column: str | None = None,
        by: str | None = None,
    ) -> int:
        """Tell the labels of a file (a table, or Label Studio's .json); returns how many are new.

        Importing the same labels again changes nothing.
        """
        hunt = self._hunt(hunt_id)
        futures = []
        for row, label, who in read_labels(Path(path), hunt.table(), column=column, by=by):
            name = clean_name(who or annotator)
            once = import_id(hunt.id, row, label, name)
            futures.append(self._submit(hunt, "label", row, label, name, once, asked=False))
        return sum(not future.result().repeated for future in futures)
