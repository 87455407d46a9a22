"""Files out of a hunt and labels into it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Literal

from rarefind.core.errors import RarefindError
from rarefind.records.kinds import detect_kinds
from rarefind.service.base import ServiceBase, clean_name
from rarefind.service.data import wanted_kinds
from rarefind.service.exporting import check_export, export_hunt
from rarefind.service.hunt_report import ReportParts, hunt_report
from rarefind.service.importing import event_id as import_id
from rarefind.service.importing import read_labels
from rarefind.service.progress_view import progress_view
from rarefind.store.projection import Projection


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

    def report(self, hunt_id: str) -> str:
        """Tell the whole hunt as one HTML page that needs nothing else.

        A hunt that is not prepared is not prepared for it; one whose file is gone is told without
        its records.
        """
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up(force=True)
        try:
            (table, truth), problem = hunt.shown(), None
            ready = hunt.state().state == "ready"
            chosen = wanted_kinds(hunt.settings)
            kinds = hunt.data.kinds if ready else detect_kinds(table, chosen)
        except RarefindError as gone:
            table, truth, kinds, problem = None, None, (), str(gone)
        leases = self.store.leases(hunt.id, time.time())
        progress = progress_view(hunt.log, hunt.settings, hunt.n_records, leases, truth)
        rankings = [
            (self._rankings.view(hunt, each.id), self._rankings.entry(hunt, each.id))
            for each in self.store.rankings(hunt.id)
        ]
        said = hunt.log.view("history", lambda projection: projection.history)
        return hunt_report(
            ReportParts(
                self._view(hunt),
                progress,
                sum(entry.undone for entry in said),
                table,
                kinds,
                truth,
                rankings,
                problem,
            )
        )

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

        What a person has said already and still says is left as it is, so importing the same
        labels again, or those of an export, changes nothing.
        """
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up(force=True)
        standing = hunt.log.view("standing", _standing)
        futures = []
        for row, label, who in read_labels(Path(path), hunt.table(), column=column, by=by):
            name = clean_name(who or annotator)
            if standing.get((row, name)) == label:
                continue
            once = import_id(hunt.id, row, label, name)
            futures.append(self._submit(hunt, "label", row, label, name, once, asked=False))
        return sum(not future.result().repeated for future in futures)


def _standing(projection: Projection) -> dict[tuple[int, str], str | None]:
    """Return what each person says about each row."""
    return {(word.row, word.annotator): word.label for word in projection.statements}
