"""The records of a hunt: as shown to a person, as compared, and their truth where it is known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rarefind.core.arrays import Records, count, joined
from rarefind.core.errors import RarefindError
from rarefind.records.columns.kinds import ColumnKind, detect_kinds
from rarefind.records.table import Table
from rarefind.service.hunts.further_records import added, fitted
from rarefind.service.hunts.settings import HuntSettings

if TYPE_CHECKING:
    from rarefind.discovery import Hunt
    from rarefind.geometry import Space
    from rarefind.records.preparing.recipe import Prepared

_TRIED = 200
"""Records that a kernel is tried on: enough to learn from for most, and compared at once."""


@dataclass(frozen=True)
class HuntData:
    """What a hunt is about.

    Attributes
    ----------
    table
        The records as shown, without the label column.
    prepared
        How the first records were prepared for comparison.
    records
        All records as compared, those added later included.
    kinds
        What each column holds, and how it is known.
    truth
        The label column, or None.
    """

    table: Table
    prepared: Prepared
    records: Records
    kinds: tuple[ColumnKind, ...]
    truth: tuple[str | None, ...] | None

    @property
    def n_records(self) -> int:
        """How many records there are."""
        return self.table.n_rows

    @property
    def nameless(self) -> bool:
        """Whether records are embeddings or pictures, whose single numbers nobody can read."""
        from rarefind.records.preparing.parts import are_numbered

        return are_numbered(self.prepared.names)

    def hunt(self, settings: HuntSettings, keep: Path | None = None) -> Hunt:
        """Begin a hunt in these records; the strategy looks at them here, which may take long.

        What it found out is kept in the folder ``keep``, if one is given, for the next time.
        """
        from rarefind.discovery import Hunt

        return Hunt(
            self.records,
            self.strategy(settings),
            kernel=self.prepared.kernel,
            priors=settings.priors,
            background=settings.background or None,
            random_state=settings.seed,
            scale="none",  # the preparation has scaled them
            keep=keep,
        )

    def space(self) -> Space:
        """Say who is near whom, as a hunt in these records does; no strategy looks at them."""
        from rarefind.geometry.any_records import make_space

        return make_space(self.records, self.prepared.kernel, "none")

    def strategy(self, settings: HuntSettings) -> str:
        """Name the strategy that searches.

        ``auto`` compares every pair of records, which takes hours where only a kernel can compare
        very many; ``farthest-first`` compares each with those asked about.
        """
        from rarefind.geometry import thresholds

        many = count(self.prepared.records) > thresholds.ALL_PAIRS_RECORDS
        if settings.strategy == "auto" and self.prepared.kernel is not None and many:
            return "farthest-first"
        return settings.strategy

    def description(self, settings: HuntSettings) -> str:
        """Tell how records are compared, and what searches if that is not what was asked for."""
        words = self.prepared.description
        chosen = self.strategy(settings)
        if chosen == settings.strategy:
            return words
        return (
            f"{words}; {chosen} searches, since {settings.strategy} would compare each of the "
            f"{self.n_records:,} with every other"
        )


def prepare_table(table: Table, settings: HuntSettings) -> HuntData:
    """Prepare the records of a table; the label column is kept apart."""
    from rarefind.records.preparing.recipe import prepare

    shown, truth = split_truth(table, settings.label_column)
    kinds = detect_kinds(shown, wanted_kinds(settings))
    prepared = prepare(shown, kinds, kernel=settings.kernel)
    return HuntData(shown, prepared, prepared.records, kinds, truth)


def check_settings(table: Table, settings: HuntSettings) -> None:
    """Refuse settings that do not suit a table, before a hunt is made of them.

    A kernel is tried on a few records; what only all of them show is said once they are compared.
    """
    if settings.kernel is not None:
        from rarefind.kernels.formulas.reading import parse_kernel

        parse_kernel(settings.kernel, files=False)  # a formula is wrong whatever the records
    shown, _ = split_truth(table, settings.label_column)
    kinds = detect_kinds(shown, wanted_kinds(settings))
    if settings.kernel is not None:
        from rarefind.records.preparing.recipe import prepare

        few = shown.chosen(np.arange(min(_TRIED, shown.n_rows)))
        _try_kernel(prepare(few, kinds, kernel=settings.kernel), whole=few.n_rows == shown.n_rows)


def _try_kernel(prepared: Prepared, *, whole: bool) -> None:
    """Compare a few records; a kernel that cannot learn from so few may from all of them."""
    kernel = prepared.kernel
    if kernel is None:
        return
    try:
        kernel.fit(prepared.records)
    except RarefindError:
        if whole:
            raise
        return
    kernel(prepared.records[:2], prepared.records)


def wanted_kinds(settings: HuntSettings) -> dict[str, str]:
    """Return the kinds somebody chose; a column left out is one that only tells records apart."""
    return {**settings.kinds, **dict.fromkeys(settings.leave_out, "id")}


def split_truth(
    table: Table, label_column: str | None
) -> tuple[Table, tuple[str | None, ...] | None]:
    """Take the label column off a table."""
    if label_column is None:
        return table, None
    return table.without([label_column]), tuple(table.words(label_column))


def more_records(data: HuntData, table: Table, settings: HuntSettings) -> HuntData:
    """Add the records of another table."""
    shown, truth = split_truth(table, settings.label_column)
    fitting = fitted(data.table, shown)
    fresh = data.prepared.more(fitting)
    records = joined(data.records, fresh, "append")
    known = None if data.truth is None or truth is None else data.truth + truth
    return HuntData(added(data.table, fitting), data.prepared, records, data.kinds, known)
