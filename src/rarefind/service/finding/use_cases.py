"""Looking for records and for answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rarefind.core.arrays import IntArray
from rarefind.core.errors import ParameterError, RarefindError, UnknownNameError
from rarefind.core.params import Integer, check_param
from rarefind.service.asking.tally import Tally
from rarefind.service.finding.grammar import parse
from rarefind.service.finding.history import HistoryFilter, HistoryView, history_view
from rarefind.service.finding.matching import Matcher, Spoken, rows_of_id
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.ranking.kept import KeptRankings
from rarefind.service.showing.record import RecordViewer

_MOST_READ = 100_000
"""Records of a file that is read to tell a few of them: that takes a second or two."""


_EVERYTHING = HistoryFilter()
"""Nothing that was said is left out."""


@dataclass(frozen=True)
class FoundRecord:
    """A record in a list: its label, a line about it, and its score in a ranking if one orders."""

    row: int
    label: str | None
    summary: str
    score: float | None = None


@dataclass(frozen=True)
class FoundView:
    """Part of what a query found, and how many records it found in all."""

    query: str
    total: int
    n_records: int
    records: tuple[FoundRecord, ...]


class Finding(KeptRankings):
    """Records and answers looked for."""

    def find(
        self,
        hunt_id: str,
        query: str,
        offset: int = 0,
        limit: int = 50,
        ranking: str | None = None,
    ) -> FoundView:
        """List the records that a query means, in the order of the file or of a ranking.

        ``rarefind.service.finding.grammar`` tells what can be asked. In the order of a ranking,
        records that it left out come last.
        """
        check_param("find", "limit", limit, Integer(1, 10_000))
        hunt = self.opened(hunt_id)
        rows = self.found_rows(hunt_id, query)
        scores = None if ranking is None else self.scores(hunt_id, ranking)
        if scores is not None:
            rows = rows[np.argsort(-np.nan_to_num(scores[rows], nan=-np.inf), kind="stable")]
        part = rows[offset : offset + limit]
        found = self.previews(hunt_id, part.tolist())
        if scores is not None:
            found = [replace(each, score=_finite(scores[each.row])) for each in found]
        return FoundView(query.strip(), len(rows), hunt.n_records, tuple(found))

    def found_rows(self, hunt_id: str, query: str) -> IntArray:
        """Return the rows of all records that a query means."""
        hunt = self._heard(hunt_id)
        viewer = hunt.viewer

        def rows() -> IntArray:
            matcher = Matcher(viewer.table, viewer.kinds, hunt.log.tally(_answers))
            return np.flatnonzero(matcher.mask(parse(query, matcher.is_value)))

        state = (hunt.log.length, viewer.table.n_rows)
        return hunt.found.of(("rows", query), state, rows)

    def row_meant(self, hunt_id: str, word: str) -> int:
        """Return the record that a number of a row, or an id in a column of such, names."""
        hunt = self.opened(hunt_id)
        if word.isascii() and word.isdigit():
            self._check_row(hunt, int(word))
            return int(word)
        viewer = hunt.viewer
        rows = rows_of_id(viewer.table, viewer.kinds, word)
        if len(rows) == 1:
            return rows[0]
        if rows:
            raise ParameterError(
                f"{len(rows):,} records have the id {word!r}: name one by its row, such as "
                f"{rows[0]}."
            )
        raise UnknownNameError(
            f"No record has the id {word!r}: a record is named by its row, a number from 0 to "
            f"{hunt.n_records - 1}, or by what a column of ids holds."
        )

    def previews(self, hunt_id: str, rows: Sequence[int]) -> list[FoundRecord]:
        """Tell records in a line each."""
        hunt = self.opened(hunt_id)
        for row in rows:
            self._check_row(hunt, row)
        hunt.log.catch_up()
        viewer, labels = hunt.viewer, hunt.log.labels()
        return [FoundRecord(row, labels.get(row), viewer.summary(row)) for row in rows]

    def history(
        self,
        hunt_id: str,
        limit: int = 100,
        before: int | None = None,
        *,
        read: bool = False,
        wanted: HistoryFilter = _EVERYTHING,
    ) -> list[HistoryView]:
        """List what was said, latest first, with the records it is about if they are at hand.

        With ``read`` those of a small file are read for it. The text wanted is looked for in the
        sentences about what was said, and as a query in the records.
        """
        check_param("history", "limit", limit, Integer(1, 10_000))
        hunt = self._heard(hunt_id)
        viewer = _viewer_at_hand(hunt, read=read)
        if wanted.text and viewer is not None:
            wanted = replace(wanted, rows=self.found_rows(hunt_id, wanted.text))
        return history_view(hunt.log, limit, before, viewer, wanted)


def _answers(tally: Tally) -> Spoken:
    return Spoken(
        tally.labels,
        tally.speakers,
        frozenset(tally.skipped),
        frozenset(tally.disagreements),
    )


def _viewer_at_hand(hunt: OpenHunt, *, read: bool) -> RecordViewer | None:
    """Show the records, but read small files alone for that, and only with ``read``.

    None where there are none: what was said can be told without its records.
    """
    try:
        large = not read or hunt.n_records > _MOST_READ
        return None if large and not hunt.records.loaded else hunt.viewer
    except RarefindError:
        return None


def _finite(score: float) -> float | None:
    return float(score) if np.isfinite(score) else None
