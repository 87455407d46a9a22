"""Ranking records for a class, and comparing models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import DataError
from rarefind.core.params import Integer, check_param
from rarefind.service.asking.news import Ranked
from rarefind.service.hunts.records import prepare_table
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.ranking.of_file import (
    FileToRank,
    RankedFile,
    check_streamed,
    labelled_rows,
    rank_by_stream,
    rank_in_memory,
    reasons_for,
)
from rarefind.service.shared import ServiceBase
from rarefind.service.showing.views import Comparison, RankedView, RankingView, VotesView

if TYPE_CHECKING:
    from rarefind.detection.reports.facts import ModelReport
    from rarefind.discovery import Guarantee


class Detecting(ServiceBase):
    """Rankings and comparisons."""

    def rank(
        self, hunt_id: str, target: str, model: str = "auto", annotator: str | None = None
    ) -> RankingView:
        """Rank every record without a label for a class; reports progress, and can be stopped."""
        hunt = self._hunt(hunt_id)
        made = self._rankings.rank(hunt, target, model)
        self._news.publish(hunt.id, Ranked(made.id, target, annotator))
        return made

    def rank_file(self, wanted: FileToRank) -> RankedFile:
        """Rank a file from the labels of its hunt, or of a column; a hunt keeps its ranking."""
        hunt = None
        if wanted.from_hunt:
            path, name = wanted.file, wanted.hunt_name
            hunt = self._hunt(self._catalogue.open_hunt(path, name, None, create=False).id)
            hunt.log.catch_up(force=True)
        labels = None if hunt is None else dict(hunt.log.labels())
        if wanted.by_stream:
            if hunt is not None:
                check_streamed(wanted, hunt.settings, whole=not hunt.log.parts)
            return rank_by_stream(wanted, labels)
        if hunt is None or labels is None:
            data = prepare_table(
                self._tables.table(wanted.file, wanted.settings.how), wanted.settings
            )
            known = labelled_rows(data.truth or ())
            kernel = data.prepared.kernel
            ranking, shown = rank_in_memory(wanted, data, kernel, known)
            reasons = reasons_for(wanted, data, kernel, known, ranking)
            return RankedFile.of(ranking, len(ranking.rows), shown, None, reasons)
        after = hunt.log.last_seq
        ranking, shown = rank_in_memory(wanted, hunt.data, hunt.records.kernel, labels)
        kept = self._rankings.keep(hunt, ranking, after)
        reasons = reasons_for(wanted, hunt.data, hunt.records.kernel, labels, ranking)
        return RankedFile.of(ranking, len(ranking.rows), shown, kept.id, reasons)

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
        data = prepare_table(self._tables.table(source), chosen)
        labels = data.truth or ()
        kernel, names = data.prepared.kernel, data.prepared.names
        return model_reports(data.records, kernel, labels, target, models, names)

    def rankings(self, hunt_id: str) -> list[RankingView]:
        """List the rankings of a hunt, oldest first."""
        return self._rankings.all(self._hunt(hunt_id))

    def ranking(self, hunt_id: str, ranking_id: str) -> RankingView:
        """Sum up a ranking: why the model, how good it is, what was confirmed since."""
        return self._rankings.view(self._hunt(hunt_id), ranking_id)

    def ranked(
        self, hunt_id: str, ranking_id: str, offset: int = 0, limit: int = 50
    ) -> list[RankedView]:
        """Read some rows of a ranking, best first."""
        check_param("ranked", "offset", offset, Integer(0))
        check_param("ranked", "limit", limit, Integer(1, 10_000))
        return self._rankings.ranked(self._hunt(hunt_id), ranking_id, offset, limit)

    def scores(self, hunt_id: str, ranking_id: str) -> NDArray[np.float32]:
        """Return the score of every row, NaN for those that had a label already."""
        return self._rankings.scores(self._hunt(hunt_id), ranking_id)

    def votes(self, hunt_id: str, ranking_id: str, row: int) -> VotesView:
        """Tell why a row has its score."""
        hunt = self._hunt(hunt_id)
        self._check_row(hunt, row)
        return self._rankings.votes(hunt, ranking_id, row)

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
        from rarefind.service.ranking.comparing import compare_models, compare_told

        if label_column is not None:
            chosen = replace(settings or HuntSettings(), label_column=label_column)
            data = prepare_table(self._tables.table(Path(source), chosen.how), chosen)
            labels: Sequence[str | None] = data.truth or ()
            kernel = data.prepared.kernel
            return compare_models(
                data.records, kernel, labels, target, models, folds=folds, seed=seed, k=k
            )
        hunt = self._hunt(str(source))
        kept = (hunt.data.records, hunt.records.kernel)
        hunt.log.catch_up(force=True)
        told = dict(hunt.log.labels())
        return self._workplace.run(
            "comparison", hunt.id, kept, compare_told, told, target, models, folds, seed, k
        )

    def guarantee(
        self, path: Path, settings: HuntSettings, *, background: Sequence[str], risk: float
    ) -> list[Guarantee]:
        """Tell what the theorem behind ALICE promises for the classes of a file's label column."""
        from rarefind.discovery import guarantee

        data = prepare_table(self._tables.table(path, settings.how), settings.check())
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
