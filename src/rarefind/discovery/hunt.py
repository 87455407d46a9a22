"""A hunt: rarefind asks about a record, a person tells what it is, until every class is seen."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np

from rarefind.core.arrays import Records, joined
from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import RarefindError, StateError
from rarefind.core.params import Integer, OneOf, check_param
from rarefind.core.progress import whole_work
from rarefind.core.random import generator
from rarefind.discovery.contract.answered import Answered
from rarefind.discovery.contract.event import Event, Renamed
from rarefind.discovery.contract.labels import class_names, clean_label
from rarefind.discovery.contract.priors import read_priors
from rarefind.discovery.contract.question import Question, question_of
from rarefind.discovery.contract.rows import checked_row, held_rows
from rarefind.discovery.contract.strategy import Label, Problem, Strategy, observe_all
from rarefind.discovery.outlook import Outlook, outlook_of
from rarefind.discovery.registry import make_strategy
from rarefind.features.scaling import SCALES
from rarefind.geometry import Precomputed, Space
from rarefind.geometry.any_records import check_choices, make_space
from rarefind.geometry.kept_answers import KeptAnswers
from rarefind.kernels.contract import Kernel


class Hunt:
    """Look for rare classes in records nobody has labelled.

    Parameters
    ----------
    X
        The records: rows of numbers, a table of pandas, polars or Arrow with words, dates, lists
        of numbers and gaps too, or anything a ``kernel`` can compare.
    strategy
        The name of a strategy, or one of ``rarefind.discovery``.
    kernel
        How similar two records are; None for the Euclidean distance of standardised features.
    priors
        Shares of the rare classes: ``{label: share}``, a list of shares, or None if unknown.
    background
        The name (or names) of the ordinary class, or None: then it is the class told most often
        in answer to questions; before any answer none is, whatever labels were brought along.
    random_state
        A seed: the same seed and the same answers give the same questions.
    scale
        How numbers are scaled first, in arrays and tables alike: ``"standard"`` (mean 0, deviation
        1), ``"squash"`` (robust, far tails pulled in), ``"none"``, or ``"auto"``: as suits the
        strategy. What a kernel compares, sparse matrices and distances are taken as they are.
    features
        A transformer that makes vectors of the records, such as
        ``rarefind.features.TableFeatures(kinds={"zip": "category"})`` or one of scikit-learn, in
        place of the usual one; a copy of it is fitted.
    keep
        A folder for what takes long in setting up, so that the same hunt is ready soon next time.

    Attributes
    ----------
    features_
        The fitted transformer that made vectors of the records, for further ones like them; None
        where a kernel, a sparse matrix or given distances are taken as they are.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> hunt = Hunt(X, strategy="random", background="ordinary")
    >>> question = hunt.ask()
    >>> hunt.tell(question.row, "ordinary")
    >>> hunt.tell(4, "odd")          # any record may be told at any time
    >>> hunt.found
    {'odd': 4}
    """

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
    ) -> None:
        check_param("Hunt", "scale", scale, OneOf("auto", *SCALES))
        check_choices(X, kernel, scale, features)
        self._strategy = make_strategy(strategy)
        self._records, self._kernel, self._priors = X, kernel, priors
        self._features = features
        self._scale = self._strategy.scale if scale == "auto" else scale
        self._kept = nullcontext() if keep is None else KeptAnswers(keep)
        self._random = generator(random_state, "Hunt")
        self._priority = np.empty(0, dtype=np.int64)
        self._prepare()
        self._ordinary = class_names(background)
        self._said: dict[int, Event] = {}  # by row, in the order it was said
        self._answered = Answered((), self._n)
        self._asked: dict[int, AskedBy] = {}  # who asked last about a row

    def __repr__(self) -> str:
        found = ", ".join(str(label) for label in self.found) or "nothing rare yet"
        told = len(self.labels)
        return (
            f"<Hunt in {self._n:,} records by {type(self._strategy).__name__}: "
            f"{told} label{'s' if told != 1 else ''}, found {found}>"
        )

    def _prepare(self) -> None:
        self._space = make_space(self._records, self._kernel, self._scale, self._features)
        self._n = self._space.n_rows
        known = len(self._priority)
        fresh = known + self._random.permutation(self._n - known)
        self._priority = np.concatenate([self._priority, fresh])
        problem = Problem(self._space, read_priors(self._priors, self._n), self._priority)
        with self._kept, whole_work():
            self._search = self._strategy.prepare(problem)

    @property
    def n_records(self) -> int:
        """How many records there are."""
        return self._n

    @property
    def space(self) -> Space:
        """Where the records are: their geometry, for those who look at neighbours and maps."""
        return self._space

    @property
    def features_(self) -> Any:
        """The fitted transformer that made vectors of the records, or None where none did."""
        return self._space.features

    @property
    def labels(self) -> dict[int, Label]:
        """What has been told, by row, in the order it was told."""
        return {row: event.label for row, event in self._said.items() if event.label is not None}

    @property
    def background(self) -> frozenset[Label]:
        """The ordinary class or classes: as given, else the one answered most often so far."""
        if self._ordinary is not None:
            return self._ordinary
        return frozenset(label for label, _ in self._answered.often.most_common(1))

    @property
    def background_is_sure(self) -> bool:
        """Whether the ordinary class was given, or one was answered more often than any other."""
        first, second = (*(times for _, times in self._answered.often.most_common(2)), 0, 0)[:2]
        return self._ordinary is not None or first > second

    @property
    def found(self) -> dict[Label, int]:
        """The first row of every class but the ordinary, in the order of discovery."""
        first: dict[Label, int] = {}
        for row, label in self.labels.items():
            first.setdefault(label, row)
        ordinary = self.background
        return {label: row for label, row in first.items() if label not in ordinary}

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything said so far; ``replay`` of it restores the hunt."""
        return tuple(self._said.values())

    @overload
    def ask(self, count: None = None, *, exclude: Iterable[int] = ()) -> Question: ...
    @overload
    def ask(self, count: int, *, exclude: Iterable[int] = ()) -> list[Question]: ...
    def ask(
        self, count: int | None = None, *, exclude: Iterable[int] = ()
    ) -> Question | list[Question]:
        """Choose the next record to look at, or a list of several for several people.

        Asking changes nothing: without an answer the same question comes again. Rows in
        ``exclude`` (held by somebody else, say) are left out, and questions keep away from them.
        A mapping says who asked about each; of rows that this hunt asked about it knows.
        """
        if count is None:
            return self._ask(1, exclude)[0]
        check_param("Hunt.ask", "count", count, Integer(1))
        return self._ask(count, exclude)

    def tell(self, row: int, label: Label, *, asked_by: AskedBy | None = None) -> None:
        """Say what a record is. Any record may be told, asked about or not.

        ``asked_by`` is that of the question, where another process asked it; by default the hunt
        knows its own questions.
        """
        row = checked_row(row, self._n)
        self.replay([Event(row, clean_label(row, label), asked_by or self._asked.get(row))])

    def _note(self, row: int, label: Label, asked_by: AskedBy | None) -> bool:
        label = clean_label(row, label)
        before = said.label if (said := self._said.get(row)) else None
        if before == label:
            return False
        if before is not None:
            raise StateError(
                f"Row {row} was told {before!r} before and cannot also be {label!r}. "
                f"Take the first answer back with undo({row}), then tell again."
            )
        self._said.pop(row, None)
        self._said[row] = Event(row, label, asked_by)
        self._answered.add(self._said[row])
        return True

    def skip(self, row: int) -> None:
        """Leave a record undecided: it is not asked about again unless told or undone."""
        row = checked_row(row, self._n)
        self._skip(row, self._asked.get(row))

    def _skip(self, row: int, asked_by: AskedBy | None) -> None:
        said = self._said.setdefault(row, Event(row, None, asked_by))
        if said.label is not None:
            raise StateError(
                f"Row {row} was told {said.label!r} and cannot be skipped. Undo it first."
            )
        self._answered.add(said)

    def undo(self, row: int | None = None) -> Event | Renamed:
        """Take back the last thing said, or what was said about a row; return what it was."""
        last = next(reversed(self._said), None) if row is None else row
        if last is None or last not in self._said:
            what = "Nothing has been told yet" if row is None else f"Nothing was told of row {row}"
            raise StateError(f"{what}, so there is nothing to undo.")
        event = self._said.pop(last)
        self._replay()
        return event

    def replay(self, events: Iterable[Event]) -> None:
        """Tell again what was said in another run of the same hunt, to go on where it stopped."""
        ordinary, fresh = self.background, list[Event]()
        try:
            for event, row in ((event, checked_row(event.row, self._n)) for event in events):
                if event.label is None:
                    self._skip(row, event.asked_by)
                elif self._note(row, event.label, event.asked_by):
                    fresh.append(self._said[row])
        finally:
            if self.background != ordinary:
                self._replay()  # what was learnt from a label depends on whether it is ordinary
            else:
                observe_all(self._search, fresh, ordinary)

    def restore(self, events: Iterable[Event]) -> None:
        """Forget all that was said, and take these events for it instead."""
        self._said = {checked_row(event.row, self._n): event for event in events}
        self._replay()

    def set_background(self, background: Hashable | Collection[Hashable] | None) -> None:
        """Say which class or classes are ordinary, or None: the one answered most often."""
        self._ordinary = class_names(background)
        self._replay()

    def append(self, X: Records) -> None:
        """Add records while the hunt runs. Rows and answers so far stay as they are."""
        if isinstance(self._records, Precomputed) or self._kernel == "precomputed":
            raise StateError(
                "Records cannot be added to a given matrix. Start a hunt with the larger matrix, "
                "and replay the events of this one."
            )
        before = self._records
        self._records = joined(before, X, "Hunt.append")
        try:
            self._prepare()
        except RarefindError:
            self._records = before
            raise
        self._replay()

    def outlook(self) -> Outlook:
        """Say what may still be unseen: how many classes, how large, and how likely the next."""
        return outlook_of(self._said.values(), self._n)

    def _ask(self, count: int, exclude: Iterable[int]) -> list[Question]:
        held = held_rows(exclude, self._answered.skipped, self._asked, self._n)
        barred = self._answered.barred(held)
        if barred.all():
            raise StateError(
                f"All {self._n} records are labelled, skipped or excluded: there is nothing left "
                "to ask. Undo an answer, or start a hunt with more records."
            )
        proposals = self._search.several(count, barred, held)
        self._asked.update((proposal.row, proposal.asked_by) for proposal in proposals)
        return [question_of(proposal, self._space) for proposal in proposals]

    def _replay(self) -> None:
        self._search.reset()
        self._answered = Answered(self._said.values(), self._n)
        told = [event for event in self._said.values() if event.label is not None]
        observe_all(self._search, told, self.background)
