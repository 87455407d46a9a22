"""What the front doors show: plain values, ready for JSON with ``as_plain``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rarefind.core.errors import RarefindError
from rarefind.core.progress import Step
from rarefind.records.columns.kinds import KINDS, ColumnKind

if TYPE_CHECKING:
    from rarefind.hunting.forecast import Interval


def as_plain(value: Any) -> Any:
    """Turn a view into mappings, lists, words and numbers; what is no number becomes None.

    >>> as_plain({"reading": float("nan"), "seen": (1, "a")})
    {'reading': None, 'seen': [1, 'a']}
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.generic | np.ndarray):
        return as_plain(value.tolist())
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: as_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_plain(each) for each in value]
    return str(value)


@dataclass(frozen=True)
class ColumnView:
    """A column of a file: what it holds and why that is thought, and what else it could be."""

    name: str
    kind: str
    why: str
    missing: int
    examples: tuple[str, ...]
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, column: ColumnKind) -> ColumnView:
        """Tell what was found out about a column."""
        told = (column.name, column.kind, column.why, column.missing, column.examples)
        return cls(*told, KINDS)


@dataclass(frozen=True)
class Inspection:
    """A file looked at before anything runs."""

    name: str
    n_rows: int
    columns: tuple[ColumnView, ...]
    preview: tuple[Mapping[str, str], ...]
    label_guesses: tuple[str, ...]


@dataclass(frozen=True)
class HuntState:
    """Whether a hunt can be asked: closed, preparing (with a step), ready or failed (and why)."""

    state: str
    step: Step | None = None
    problem: RarefindError | None = None


@dataclass(frozen=True)
class HuntView:
    """A hunt in one line."""

    id: str
    name: str
    title: str
    dataset: str
    dataset_id: str
    path: str
    n_records: int
    labels: int
    classes: tuple[str, ...]
    annotators: tuple[str, ...]
    created_at: float
    state: HuntState
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Spare:
    """A question that nobody holds, for times without a server."""

    row: int
    why: str
    evidence: Mapping[str, float]
    meanings: Mapping[str, str]  # of the numbers of the evidence, in words


@dataclass(frozen=True)
class Asked(Spare):
    """A question that somebody holds until it expires."""

    lease: str
    expires_at: float
    neighbours: tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    """A field in which another record differs: its value there, and how far off that is.

    ``size`` is the share of records between the two values; 1 for words that differ.
    """

    name: str
    value: str
    size: float


@dataclass(frozen=True)
class NeighbourView:
    """A record near another, and the fields in which it differs from that most."""

    row: int
    distance: float
    label: str | None
    summary: str
    differs: tuple[Difference, ...] = ()


@dataclass(frozen=True)
class ClassView:
    """A class told so far."""

    name: str
    count: int
    first_row: int
    first_at_label: int
    background: bool


@dataclass(frozen=True)
class AnswerView:
    """A class one can answer with: its key and the number of its colour never change."""

    name: str
    key: str | None
    colour: int


@dataclass(frozen=True)
class Disagreement:
    """A row that people call differently, and the label that counts."""

    row: int
    words: Mapping[str, str]
    label: str


@dataclass(frozen=True)
class LeaseView:
    """A record somebody is looking at."""

    row: int
    annotator: str
    expires_at: float


@dataclass(frozen=True)
class ProgressView:
    """How far a hunt has come.

    ``answers`` are the classes somebody holds and those known from the start, in the order of
    their keys. ``curve`` holds the number of classes seen after 0, 1, 2, ... labels, ``random``
    what random sampling would have seen on average, where the label column tells the truth.
    """

    labels: int
    skipped: int
    n_records: int
    classes: tuple[ClassView, ...]
    answers: tuple[AnswerView, ...]
    background: tuple[str, ...]
    annotators: Mapping[str, int]
    curve: tuple[int, ...]
    random: tuple[float, ...] | None
    outlook: Mapping[str, float]
    outlook_words: str
    disagreements: tuple[Disagreement, ...]
    leases: tuple[LeaseView, ...]


@dataclass(frozen=True)
class RankingView:
    """A ranking in short; its rows are read with ``Service.ranked``.

    ``hits`` counts how many of the first 1, 2, ... rows were confirmed or rejected since, and how
    many of those confirmed, at each row that was. ``kernel_weights`` tells what each term of a sum
    of kernels counts where the model has learnt that.
    """

    id: str
    target: str
    model: str
    why: str
    known: int
    n_ranked: int
    average_precision: float | None
    chance: float | None
    seconds: float
    after_seq: int
    created_at: float
    hits: tuple[Mapping[str, int], ...] = ()
    histogram: Mapping[str, Any] = field(default_factory=dict)
    labels_since: int = 0
    kernel_weights: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class RankedView:
    """One row of a ranking; ``tied`` counts the others that have the same score."""

    rank: int
    row: int
    score: float
    label: str | None
    summary: str
    tied: int = 0


def best_in_words(rows: Any, scores: Any, words: Iterable[str]) -> tuple[RankedView, ...]:
    """List the first rows of a ranking, as many as are told in words."""
    best = enumerate(zip(rows.tolist(), scores.tolist(), words, strict=False), start=1)
    return tuple(RankedView(rank, row, score, None, told) for rank, (row, score, told) in best)


@dataclass(frozen=True)
class LookView:
    """A record to look at; ``chance`` that it is of the class, or None where it cannot be told."""

    row: int
    score: float
    chance: float | None
    summary: str


@dataclass(frozen=True)
class HarvestView:
    """The next records of a harvest and what is to be expected.

    ``left`` and ``looks_needed`` are None where they cannot be told, ``ended`` while it goes on.
    """

    target: str
    model: str
    looks: tuple[LookView, ...]
    found: int
    looked: int
    n_ranked: int
    left: Interval | None
    looks_needed: Interval | None
    words: str
    ended: str | None


@dataclass(frozen=True)
class ComparedView:
    """How one model did over the folds."""

    model: str
    average_precision: float | None
    spread: float | None
    precision_at_k: float | None
    fit_seconds: float
    score_seconds: float
    note: str
    curve: tuple[float, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Models side by side, best first; ``chance`` is the average precision of a random order."""

    target: str
    wanted: int
    n_records: int
    folds: int
    k: int
    chance: float
    rows: tuple[ComparedView, ...]
