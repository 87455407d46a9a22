"""A hunt that many may tell at once, that shows its progress, and that a store may keep."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rarefind.core.arrays import Records
from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import NotAvailableError, ParameterError, RarefindError
from rarefind.discovery.contract.event import Event, Renamed
from rarefind.discovery.contract.question import Question
from rarefind.discovery.contract.strategy import Label, Strategy
from rarefind.features.table import TableFeatures
from rarefind.hunting.in_notebook import NotebookHunt
from rarefind.hunting.progress_line import progress_line
from rarefind.hunting.renaming import RenamingHunt
from rarefind.kernels.contract import Kernel

PARAMETERS = """    store
        A store that keeps the answers and shares them with the terminal and the workbench: a file
        such as ``"rarefind.db"``, or the address of a database. Labels are words there.
    name
        The hunt of that store to go on with, or to begin: then the records are written to a file
        of that name beside the store, where the others find them.
    progress
        Whether to show how far long work has come; None: in notebooks only.

"""
"""What a hunt for users takes besides the parameters of discovery's."""


class SharedHunt(NotebookHunt, RenamingHunt):
    """A hunt whose answers a store may keep."""

    def __init__(
        self,
        X: Records,
        strategy: str | Strategy = "auto",
        kernel: str | Kernel | None = None,
        priors: Mapping[Hashable, float] | Sequence[float] | None = None,
        background: Hashable | Collection[Hashable] | None = None,
        random_state: int | np.random.Generator | None = 0,
        *,
        scale: Literal["auto", "standard", "squash", "none"] = "auto",
        features: Any = None,
        keep: str | Path | None = None,
        store: str | Path | None = None,
        name: str | None = None,
        progress: bool | None = None,
    ) -> None:
        if (store is None) != (name is None):
            raise ParameterError(
                "The 'store' and 'name' parameters of Hunt go together: which store, and which "
                "hunt of it. Give both, or neither."
            )
        self._progress = progress
        self._stored: Any = None
        with progress_line(progress):
            super().__init__(
                X, strategy, kernel, priors, background, random_state,
                scale=scale, features=features, keep=keep,
            )  # fmt: skip
        if store is not None:
            from rarefind.hunting.sharing.stored_answers import StoredAnswers

            settings = {
                "strategy": strategy if isinstance(strategy, str) else "auto",
                "seed": random_state if isinstance(random_state, int) else 0,
                "background": sorted(map(str, self._ordinary or ())),
                "kernel": kernel if isinstance(kernel, str) else None,
                **self._columns(kernel),
            }
            self._stored = StoredAnswers(str(store), str(name), X, self.n_records, settings)
            self.restore(self._stored.said())

    def tell(
        self,
        row: int | Sequence[int] | Mapping[int, Label],
        label: Any = None,
        *,
        asked_by: AskedBy | None = None,
    ) -> None:
        """Say what a record is, or many: ``tell(3, "fraud")``, ``tell({3: "fraud", 7: "spam"})``.

        ``tell(rows, labels)`` takes a label for each row, or one for all. Any record may be told,
        asked about or not. ``asked_by`` is that of the question, where another process asked it.
        """
        if isinstance(row, Mapping):
            for each, word in row.items():
                self._tell_one(each, word, asked_by)
        elif isinstance(row, Sequence | np.ndarray):
            one = isinstance(label, str) or not isinstance(label, Sequence | np.ndarray)
            labels = [label] * len(row) if one else list(label)
            if len(labels) != len(row):
                raise ParameterError(
                    f"Hunt.tell needs a label for each row. Got {len(labels)} labels for "
                    f"{len(row)} rows."
                )
            for each, word in zip(row, labels, strict=True):
                self._tell_one(each, word, asked_by)
        else:
            self._tell_one(row, label, asked_by)

    def skip(self, row: int) -> None:
        """Leave a record undecided: it is not asked about again unless told or undone."""
        before = self._said.get(row)
        super().skip(row)
        if before is None:
            self._share(row)

    def undo(self, row: int | None = None) -> Event | Renamed:
        """Take back the last thing said, or what was said about a row; return what it was.

        If the last was one of many records labelled at once in the workbench, all of them are
        taken back.
        """
        if self._stored is None:
            return super().undo(row)
        self.catch_up()
        last = next(reversed(self._said), None) if row is None else row
        if last in self._said:
            self._stored.take_back(last, whole_step=row is None)
        event = super().undo(row)
        self.catch_up()
        return event

    def rename(self, old: Label, new: Label) -> None:
        """Give a class another name, for all that was told; ``undo`` brings the old one back."""
        self._refuse_renaming()
        super().rename(old, new)

    def merge(self, old: Label, into: Label) -> None:
        """Make a class part of another; ``undo`` parts them again."""
        self._refuse_renaming()
        super().merge(old, into)

    def catch_up(self) -> None:
        """Hear what was said elsewhere since; asking does so by itself."""
        news = None if self._stored is None else self._stored.hear()
        if news is not None and news != list(self._said.values()):
            self.restore(news)

    def close(self) -> None:
        """Let go of the store; every answer is kept already."""
        stored, self._stored = self._stored, None
        if stored is not None:
            stored.close()

    def _ask(self, count: int, exclude: Iterable[int]) -> list[Question]:
        self.catch_up()
        with progress_line(self._progress):
            return super()._ask(count, exclude)

    def _tell_one(self, row: int, label: Label, asked_by: AskedBy | None) -> None:
        if self._stored is not None and label is not None:
            label = str(label)
        before = self._said.get(row)
        super().tell(row, label, asked_by=asked_by)
        if before is None or before.label is None:
            self._share(row)

    def _columns(self, kernel: str | Kernel | None) -> dict[str, Any]:
        """Return what columns were said to hold, and which play no part: so all compare alike."""
        made = self.features_
        if kernel is not None or not isinstance(made, TableFeatures):
            return {}
        kinds = {str(name): kind for name, kind in (made.kinds or {}).items()}
        return {"kinds": kinds, "leave_out": list(map(str, made.left_out_))}

    def _refuse_renaming(self) -> None:
        if self._stored is not None:
            raise NotAvailableError(
                "Classes of a hunt that a store keeps are renamed and merged in the workbench or "
                "on the command line, where everybody sees it."
            )

    def _share(self, row: int) -> None:
        """Keep what was said of a row; if it cannot be, it was not said."""
        if self._stored is None:
            return
        event = self._said[row]
        try:
            self._stored.tell(row, event.label, event.asked_by)
        except RarefindError:
            super().undo(row)
            raise
        self.catch_up()
