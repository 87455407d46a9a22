"""Ranking records for a class, and comparing models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rarefind.core.errors import DataError
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.hunts.records import HuntData, prepare_table
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.ranking.kept import KeptRankings
from rarefind.service.ranking.of_file import (
    FileToRank,
    RankedFile,
    check_streamed,
    labelled_rows,
    rank_by_stream,
    rank_in_memory,
)
from rarefind.service.showing.views import Comparison

if TYPE_CHECKING:
    from rarefind.detection.reports.facts import ModelReport
    from rarefind.discovery import Guarantee
    from rarefind.service.showing.model_report import ReportView


class Detecting(KeptRankings):
    """Rankings of files, and comparisons."""

    def rank_file(self, wanted: FileToRank) -> RankedFile:
        """Rank a file from the labels of its hunt, or of a column; a hunt keeps its ranking."""
        hunt = self._hunt_of(wanted)
        if wanted.by_stream:
            if hunt is not None:
                check_streamed(wanted, hunt.settings, whole=not hunt.log.parts)
            return rank_by_stream(wanted, None if hunt is None else hunt.log.labels())
        if hunt is None:
            data = self._prepared(wanted.file, wanted.settings)
            labels, kernel = labelled_rows(data.truth or ()), data.prepared.kernel
        else:
            labels, after = dict(hunt.log.labels()), hunt.log.last_seq
            data, kernel = hunt.data, hunt.records.kernel
        ranking, shown, reasons = rank_in_memory(wanted, data, kernel, labels)
        id = None if hunt is None else self._keep_ranking(hunt, ranking, after).id
        return RankedFile.of(ranking, len(ranking.rows), shown, id, reasons)

    def reports(
        self,
        source: Path,
        target: str,
        models: Sequence[str] | None,
        label_column: str,
        settings: HuntSettings | None = None,
    ) -> dict[str, ModelReport]:
        """Fit models to all labels of a file, and tell what can be said about each."""
        from rarefind.service.ranking.comparing import model_reports

        chosen = replace(settings or HuntSettings(), label_column=label_column)
        data = self._prepared(source, chosen)
        labels = data.truth or ()
        kernel, names = data.prepared.kernel, data.prepared.names
        return model_reports(data.records, kernel, labels, target, models, names)

    def report_on(self, hunt_id: str, target: str, model: str) -> ReportView:
        """Fit a model to the labels of a hunt, and tell what it goes by."""
        from rarefind.service.ranking.comparing import model_reports
        from rarefind.service.showing.model_report import report_view

        hunt = self._up_to_date(hunt_id)
        names = hunt.data.prepared.names
        made = self._computed(
            "comparison", hunt, model_reports, _told(hunt), target, [model], names
        )
        return report_view(model, made[model])

    def compare(
        self,
        source: str | Path,
        target: str,
        models: Sequence[str] | None = None,
        *,
        label_column: str | None = None,
        settings: HuntSettings | None = None,
        folds: int = 5,
        seed: int = 0,
        k: int | None = None,
    ) -> Comparison:
        """Compare models on the labels of a hunt (by id), or on a file's label column."""
        from rarefind.service.ranking.comparing import compare_models

        compared = partial(compare_models, folds=folds, seed=seed, k=k)
        if label_column is not None:
            chosen = replace(settings or HuntSettings(), label_column=label_column)
            data = self._prepared(Path(source), chosen)
            return compared(data.records, data.prepared.kernel, data.truth or (), target, models)
        hunt = self._up_to_date(str(source))
        return self._computed("comparison", hunt, compared, _told(hunt), target, models)

    def guarantee(
        self, path: Path, settings: HuntSettings, *, background: Sequence[str], risk: float
    ) -> list[Guarantee]:
        """Tell what the theorem behind ALICE promises for the classes of a file's label column."""
        from rarefind.discovery import guarantee

        data = self._prepared(path, settings.check())
        truth = data.truth or ()
        if data.prepared.kernel is not None:
            raise DataError(
                f"{path}: the theorem speaks of volumes, so it needs columns of numbers, "
                "categories or dates. Leave out the others."
            )
        if None in truth:
            raise DataError(
                f"{path}: the label of row {truth.index(None)} is missing. The theorem needs the "
                "class of every record."
            )
        labels = [str(label) for label in truth]
        return guarantee(
            data.records, labels, background=background or None, risk=risk, scale="none"
        )

    def _hunt_of(self, wanted: FileToRank) -> OpenHunt | None:
        """Return the hunt that knows the labels, with all that was said; None for a column."""
        if not wanted.from_hunt:
            return None
        path, name = wanted.file, wanted.hunt_name
        hunt = self.opened(self._catalogue.open_hunt(path, name, None, create=False))
        hunt.log.catch_up(force=True)
        return hunt

    def _prepared(self, path: Path, settings: HuntSettings) -> HuntData:
        return prepare_table(self._tables.table(path, settings.how), settings)


def _told(hunt: OpenHunt) -> list[str | None]:
    """List what was said of every record; None of those that nobody has labelled."""
    told = hunt.log.labels()
    return [told.get(row) for row in range(hunt.data.n_records)]
