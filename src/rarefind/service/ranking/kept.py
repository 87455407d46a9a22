"""Rankings of a hunt: made, kept in the store, read again, and explained."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import UnknownNameError
from rarefind.core.params import Integer, check_param
from rarefind.hunting.ranking import Ranking
from rarefind.hunting.reasons import Explainer, Reason, reason_for
from rarefind.service.asking.news import Ranked
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.shared import ServiceBase
from rarefind.service.showing.views import RankedView, RankingView
from rarefind.store.contract import RankingEntry

_BINS = 40
"""Bars of the histogram of scores, at the width it has on the page."""


class KeptRankings(ServiceBase):
    """Rankings, of which the last few models and orders are remembered."""

    def rank(
        self, hunt_id: str, target: str, model: str = "auto", annotator: str | None = None
    ) -> RankingView:
        """Rank every record without a label for a class; reports progress, and can be stopped."""
        from rarefind.service.ranking.in_workroom import rank_and_explain

        hunt = self._up_to_date(hunt_id)
        labels, after = dict(hunt.log.labels()), hunt.log.last_seq
        told = (labels, target, model, hunt.data.nameless)
        ranking, explainer = self._computed("ranking", hunt, rank_and_explain, *told)
        entry = self._keep_ranking(hunt, ranking, after)
        hunt.explainers.of(entry.id, None, lambda: explainer)
        self._news.publish(hunt.id, Ranked(entry.id, target, annotator))
        return self._ranking_view(hunt, entry)

    def rankings(self, hunt_id: str) -> list[RankingView]:
        """List the rankings of a hunt, oldest first."""
        hunt = self.opened(hunt_id)
        return [self._ranking_view(hunt, entry) for entry in self.store.rankings(hunt.id)]

    def ranking(self, hunt_id: str, ranking_id: str) -> RankingView:
        """Sum up a ranking: why the model, how good it is, what was confirmed since."""
        hunt = self.opened(hunt_id)
        return self._ranking_view(hunt, self._ranking(hunt, ranking_id))

    def ranked(
        self, hunt_id: str, ranking_id: str, offset: int = 0, limit: int = 50
    ) -> list[RankedView]:
        """Read some rows of a ranking, best first."""
        check_param("ranked", "offset", offset, Integer(0))
        check_param("ranked", "limit", limit, Integer(1, 10_000))
        hunt = self.opened(hunt_id)
        entry = self._ranking(hunt, ranking_id)
        hunt.log.catch_up()
        rows, scores = entry.rows[offset : offset + limit], entry.scores[offset : offset + limit]
        return [
            RankedView(
                offset + place,
                int(row),
                float(score),
                hunt.log.label_of(int(row)),
                hunt.records.viewer.summary(int(row)),
                _tied(entry, float(score)),
            )
            for place, (row, score) in enumerate(zip(rows, scores, strict=True), start=1)
        ]

    def scores(self, hunt_id: str, ranking_id: str) -> NDArray[np.float32]:
        """Return the score of every row, NaN for those that had a label already."""
        hunt = self.opened(hunt_id)
        entry = self._ranking(hunt, ranking_id)
        scores = np.full(hunt.n_records, np.nan, dtype=np.float32)
        scores[entry.rows] = entry.scores
        return scores

    def votes(self, hunt_id: str, ranking_id: str, row: int) -> Reason:
        """Tell why a row has its score."""
        from rarefind.hunting.fit_and_score import trained_rows
        from rarefind.service.ranking.in_workroom import fit_and_explain

        hunt = self._at_row(hunt_id, row)
        entry = self._ranking(hunt, ranking_id)
        labels = hunt.log.labels_at(entry.after_seq)

        def fitted_again() -> Explainer | None:
            # The labels and the model's name are kept, so that gives the same model.
            told = (labels, entry.target, entry.model, hunt.data.nameless)
            return self._computed("explanation", hunt, fit_and_explain, *told)

        explainer = hunt.explainers.of(ranking_id, None, fitted_again)
        names = hunt.data.prepared.names
        return reason_for(explainer, hunt.data.records, row, trained_rows(labels), names)

    def _keep_ranking(self, hunt: OpenHunt, ranking: Ranking, after: int) -> RankingEntry:
        """Keep a ranking, made with all that was said up to the event of place ``after``."""
        entry = RankingEntry(
            uuid.uuid4().hex,
            hunt.id,
            str(ranking.target),
            ranking.model,
            after,
            {
                "why": ranking.chosen,
                "known": ranking.quality.examples,
                "average_precision": ranking.quality.average_precision,
                "chance": ranking.quality.chance,
                "seconds": round(ranking.seconds, 3),
                "kernel_weights": dict(ranking.kernel_weights),
            },
            ranking.rows,
            ranking.scores,
            time.time(),
        )
        self.store.put_ranking(entry)
        return self._orders.of(entry.id, None, lambda: entry)

    def _ranking(self, hunt: OpenHunt, ranking_id: str) -> RankingEntry:
        """Return a ranking with its rows and scores."""
        entry = self._orders.of(ranking_id, None, lambda: self.store.ranking(ranking_id))
        if entry.hunt != hunt.id:
            raise UnknownNameError(f"There is no ranking {ranking_id!r} of this hunt.")
        return entry

    def _latest_ranking(self, hunt: OpenHunt) -> RankingEntry:
        made = self.store.rankings(hunt.id)
        if not made:
            raise UnknownNameError(
                f"The hunt {hunt.entry.name!r} has no ranking yet. Make one with rank."
            )
        return self._ranking(hunt, made[-1].id)

    def _ranking_view(self, hunt: OpenHunt, entry: RankingEntry) -> RankingView:
        hunt.log.catch_up()
        note, target = entry.note, hunt.log.named_now(entry.target, entry.after_seq)
        return RankingView(
            entry.id,
            target,
            entry.model,
            str(note.get("why", "")),
            int(note.get("known", 0)),
            len(entry.rows),
            note.get("average_precision"),
            note.get("chance"),
            float(note.get("seconds", 0.0)),
            entry.after_seq,
            entry.created_at,
            _hits(entry, target, hunt.log.labels()),
            _histogram(entry),
            hunt.log.told_since(entry.after_seq),
            note.get("kernel_weights", {}),
        )


def _tied(entry: RankingEntry, score: float) -> int:
    """Count the other records of the same score: the scores of a ranking only fall."""
    rising = entry.scores[::-1]
    return int(np.searchsorted(rising, score, "right") - np.searchsorted(rising, score, "left")) - 1


def _hits(
    entry: RankingEntry, target: str, labels: Mapping[int, str]
) -> tuple[Mapping[str, int], ...]:
    """Walk down the ranking over the rows looked at since, counting those of the class."""
    if not len(entry.rows):
        return ()
    place = np.full(int(entry.rows.max()) + 1, -1, dtype=np.int64)
    place[entry.rows] = np.arange(len(entry.rows))
    told = np.fromiter(labels, dtype=np.int64, count=len(labels))
    told = told[told < len(place)]
    ranks = np.sort(place[told][place[told] >= 0])
    hits, found = [], 0
    for looked_at, rank in enumerate(ranks.tolist(), start=1):
        found += labels[int(entry.rows[rank])] == target
        hits.append({"rank": rank + 1, "looked_at": looked_at, "found": found})
    return tuple(hits)


def _histogram(entry: RankingEntry) -> Mapping[str, Any]:
    if not len(entry.scores):
        return {}
    low, high = float(entry.scores.min()), float(entry.scores.max())
    if not high > low:
        return {"low": low, "high": high, "counts": [len(entry.scores)]}
    counts, _ = np.histogram(entry.scores, bins=_BINS, range=(low, high))
    return {"low": low, "high": high, "counts": counts.tolist()}
