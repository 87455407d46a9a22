"""Rankings of a hunt: made, kept in the store, read again, and explained."""

from __future__ import annotations

import time
import uuid
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import IntArray, Records
from rarefind.core.errors import UnknownNameError
from rarefind.hunting.ranking import Ranking
from rarefind.hunting.reasons import Explainer
from rarefind.service.heavy.workroom import Workplace
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.showing.views import RankedView, RankingView, VotesView
from rarefind.store.contract import RankingEntry, Store

_BINS = 40
"""Bars of the histogram of scores, at the width it has on the page."""

_MODELS_KEPT = 8
"""The last rankings stay in memory to be explained; an older one is fitted again."""


class Rankings:
    """Makes rankings and remembers the last few models and orders."""

    def __init__(self, store: Store, workplace: Workplace) -> None:
        self._store = store
        self._workplace = workplace
        self._entries: dict[str, RankingEntry] = {}

    def rank(self, hunt: OpenHunt, target: str, model: str) -> RankingView:
        """Fit a model to the labels, score every record without one, and keep the ranking."""
        from rarefind.service.ranking.in_workroom import rank_and_explain

        kept = (hunt.data.records, hunt.records.kernel)
        hunt.log.catch_up(force=True)
        labels, after = dict(hunt.log.labels()), hunt.log.last_seq
        ranking, explainer = self._workplace.run(
            "ranking", hunt.id, kept, rank_and_explain, labels, target, model
        )
        entry = self.keep(hunt, ranking, after)
        self._keep_explainer(hunt, entry.id, explainer)
        return self.view(hunt, entry.id)

    def keep(self, hunt: OpenHunt, ranking: Ranking, after: int) -> RankingEntry:
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
        self._store.put_ranking(entry)
        self._remember(entry)
        return entry

    def all(self, hunt: OpenHunt) -> list[RankingView]:
        """List the rankings of a hunt, oldest first."""
        return [self._view(hunt, entry) for entry in self._store.rankings(hunt.id)]

    def view(self, hunt: OpenHunt, ranking_id: str) -> RankingView:
        """Sum up a ranking: why the model, how good, what was confirmed since."""
        return self._view(hunt, self.entry(hunt, ranking_id))

    def ranked(self, hunt: OpenHunt, ranking_id: str, offset: int, limit: int) -> list[RankedView]:
        """Read some rows of a ranking."""
        entry = self.entry(hunt, ranking_id)
        hunt.log.catch_up()
        labels = hunt.log.labels()
        rows, scores = entry.rows[offset : offset + limit], entry.scores[offset : offset + limit]
        return [
            RankedView(
                offset + place,
                int(row),
                float(score),
                labels.get(int(row)),
                hunt.records.viewer.summary(int(row)),
                _tied(entry, float(score)),
            )
            for place, (row, score) in enumerate(zip(rows, scores, strict=True), start=1)
        ]

    def scores(self, hunt: OpenHunt, ranking_id: str) -> NDArray[np.float32]:
        """Return the score of every row, NaN for those that had a label already."""
        entry = self.entry(hunt, ranking_id)
        scores = np.full(hunt.n_records, np.nan, dtype=np.float32)
        scores[entry.rows] = entry.scores
        return scores

    def votes(self, hunt: OpenHunt, ranking_id: str, row: int) -> VotesView:
        """Tell why a row has its score."""
        from rarefind.service.ranking.in_workroom import fit_and_explain

        entry = self.entry(hunt, ranking_id)
        labels = hunt.log.labels_at(entry.after_seq)
        if ranking_id not in hunt.explainers:
            # The labels and the model's name are kept, and fitting again gives the same model.
            kept = (hunt.data.records, hunt.records.kernel)
            explainer = self._workplace.run(
                "explanation", hunt.id, kept, fit_and_explain, labels, entry.target, entry.model
            )
            self._keep_explainer(hunt, ranking_id, explainer)
        else:
            explainer = hunt.explainers[ranking_id]
        trained = np.fromiter(labels, dtype=np.int64, count=len(labels))
        return votes_view(explainer, hunt.data.records, row, trained, hunt.data.prepared.names)

    def entry(self, hunt: OpenHunt, ranking_id: str) -> RankingEntry:
        """Return a ranking with its rows and scores."""
        if ranking_id not in self._entries:
            self._remember(self._store.ranking(ranking_id))
        entry = self._entries[ranking_id]
        if entry.hunt != hunt.id:
            raise UnknownNameError(f"There is no ranking {ranking_id!r} of this hunt.")
        return entry

    def latest(self, hunt: OpenHunt) -> RankingEntry:
        """Return the last ranking made."""
        made = self._store.rankings(hunt.id)
        if not made:
            raise UnknownNameError(
                f"The hunt {hunt.entry.name!r} has no ranking yet. Make one with rank."
            )
        return self.entry(hunt, made[-1].id)

    def _view(self, hunt: OpenHunt, entry: RankingEntry) -> RankingView:
        note = entry.note
        hunt.log.catch_up()
        return RankingView(
            entry.id,
            hunt.log.named_now(entry.target, entry.after_seq),
            entry.model,
            str(note.get("why", "")),
            int(note.get("known", 0)),
            len(entry.rows),
            note.get("average_precision"),
            note.get("chance"),
            float(note.get("seconds", 0.0)),
            entry.after_seq,
            entry.created_at,
            _hits(entry, hunt.log.named_now(entry.target, entry.after_seq), hunt.log.labels()),
            _histogram(entry),
            self._labels_since(hunt, entry),
            note.get("kernel_weights", {}),
        )

    def _labels_since(self, hunt: OpenHunt, entry: RankingEntry) -> int:
        words = hunt.log.view("statements", lambda projection: projection.statements)
        since = bisect_right(words, entry.after_seq, key=lambda word: word.seq)
        return sum(word.label is not None for word in words[since:])

    def _remember(self, entry: RankingEntry) -> None:
        self._entries[entry.id] = entry
        for old in list(self._entries)[:-_MODELS_KEPT]:
            self._entries.pop(old, None)

    def _keep_explainer(self, hunt: OpenHunt, ranking_id: str, explainer: Explainer | None) -> None:
        hunt.explainers[ranking_id] = explainer
        for old in list(hunt.explainers)[:-_MODELS_KEPT]:
            hunt.explainers.pop(old, None)


def votes_view(
    explainer: Explainer | None,
    records: Records,
    row: int,
    trained: IntArray,
    names: Sequence[str],
) -> VotesView:
    """Show why a row has its score."""
    if explainer is None:
        words = "Every record was ranked by another model, one that had not seen it."
        return VotesView(row, "none", words, ())
    reason = explainer.explain(records, row, trained, names)
    return VotesView(reason.row, reason.kind, reason.words, reason.parts)


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
    looked = sorted(
        (int(place[row]), label == target)
        for row, label in labels.items()
        if row < len(place) and place[row] >= 0
    )
    hits, found = [], 0
    for looked_at, (rank, hit) in enumerate(looked, start=1):
        found += hit
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
