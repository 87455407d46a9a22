"""Files out of a hunt and labels into it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rarefind.core.errors import RarefindError, Remedy, StateError
from rarefind.service.exchange.exporting import check_export, export_hunt
from rarefind.service.exchange.importing import FoundLabel, read_labels
from rarefind.service.exchange.importing import event_id as import_id
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.ranking.kept import KeptRankings
from rarefind.service.shared import clean_name
from rarefind.service.showing.progress import progress_view
from rarefind.service.showing.report_page import ReportParts, hunt_report
from rarefind.store.rules.projection import Projection

_Said = tuple[int, str]
"""A row, and who spoke about it."""


@dataclass(frozen=True)
class Imported:
    """How many labels of a file are new, and how many replaced what the same person had said."""

    new: int
    changed: int


class Exchanging(KeptRankings):
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
        hunt = self._heard(hunt_id, force=True)
        entry = None
        if what == "ranking":
            entry = self._ranking(hunt, ranking) if ranking else self._latest_ranking(hunt)
        return export_hunt(Path(path), what, hunt.table(), hunt.log, entry, raw=raw)

    def report(self, hunt_id: str) -> str:
        """Tell the whole hunt as one HTML page that needs nothing else.

        A hunt that is not prepared is not prepared for it; one whose file is gone is told without
        its records.
        """
        hunt = self._heard(hunt_id, force=True)
        try:
            viewer, truth, problem = hunt.viewer, hunt.shown()[1], None
        except RarefindError as gone:
            viewer, truth, problem = None, None, str(gone)
        leases = self.store.leases(hunt.id, time.time())
        progress = progress_view(hunt.log, hunt.settings, hunt.n_records, leases, truth)
        rankings = [
            (self.ranking(hunt.id, each.id), self._ranking(hunt, each.id))
            for each in self.store.rankings(hunt.id)
        ]
        said = hunt.log.history()
        return hunt_report(
            ReportParts(
                self._view(hunt),
                progress,
                sum(entry.undone for entry in said),
                viewer,
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
        replace: bool = False,
    ) -> Imported:
        """Tell the labels of a file (a table, or Label Studio's .json); returns what came of it.

        What a person has said already and still says is left as it is, so importing the same
        labels again, or those of an export, changes nothing. Where a person said something else,
        nothing is imported unless ``replace``; the earlier answer then stays in the history.
        """
        hunt = self.opened(hunt_id)
        found = read_labels(Path(path), hunt.table(), column=column, by=by)
        return self._bring(hunt, found, annotator, Path(path).name, replace=replace)

    def bring_column(self, hunt_id: str) -> Imported:
        """Tell, once, what the label column of a hunt's file knows; other rows stay open."""
        hunt = self._heard(hunt_id, force=True)
        who = str(hunt.settings.label_column)
        if any(name == who for _, name in hunt.log.view("turns", _turns)):
            return Imported(0, 0)  # what was taken back since stays so
        table, truth = hunt.shown()
        known = [
            FoundLabel(row, label.strip(), None)
            for row, label in enumerate(truth or ())
            if label is not None and label.strip()
        ]
        return self._bring(hunt, known, who, table.source, replace=False)

    def _bring(
        self, hunt: OpenHunt, found: list[FoundLabel], annotator: str, source: str, *, replace: bool
    ) -> Imported:
        hunt.log.catch_up(force=True)
        standing = hunt.log.view("standing", _standing)
        turns = hunt.log.view("turns", _turns)
        said = {(each.row, clean_name(each.annotator or annotator)): each for each in found}
        fresh = {key: each.label for key, each in said.items() if standing.get(key) != each.label}
        changed = [key for key in fresh if standing.get(key) is not None]
        if changed and not replace:
            raise _contradiction(source, changed, fresh, standing)
        futures = [
            self._submit(
                hunt, "label", row, label, name,
                import_id(hunt.id, row, label, name, turns.get((row, name), 0)),
                asked_by=said[row, name].asked_by,
            )
            for (row, name), label in fresh.items()
        ]  # fmt: skip
        new = sum(not future.result().repeated for future in futures)
        return Imported(new - len(changed), len(changed))


def _standing(projection: Projection) -> dict[_Said, str | None]:
    """Return what each person says about each row."""
    return {(word.row, word.annotator): word.label for word in projection.statements}


def _turns(projection: Projection) -> dict[_Said, int]:
    """Count how often each person spoke about each row, what was taken back included."""
    events = (entry.event for entry in projection.history)
    return Counter((event.row, event.annotator) for event in events if event.row is not None)


def _contradiction(
    source: str,
    changed: list[_Said],
    fresh: Mapping[_Said, str],
    standing: Mapping[_Said, str | None],
) -> StateError:
    (row, name), more = changed[0], len(changed) - 1
    also = f" and {more} more" if more else ""
    return StateError(
        f"{source} says {fresh[row, name]!r} of row {row}{also}, where {name} said "
        f"{standing[row, name]!r}."
    ).advising(
        Remedy("Change earlier answers with {replace}, which keeps them in the history."),
        Remedy("Or import the labels as somebody else's with {annotator}."),
    )
