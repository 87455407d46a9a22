"""What answers look like, for the OpenAPI document.

Answers are written straight from the service's views; these only describe them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rarefind.core.progress import Step
from rarefind.service.showing.record import RecordView
from rarefind.service.showing.views import ColumnView, NeighbourView


@dataclass(frozen=True)
class Health:
    """The server is up."""

    status: str
    version: str


@dataclass(frozen=True)
class Person:
    """Who is labelling, and whether the name was chosen or is the usual one."""

    annotator: str
    chosen: bool


@dataclass(frozen=True)
class Named:
    """A name with a line about it."""

    name: str
    about: str


@dataclass(frozen=True)
class DataSetEntry:
    """A file at hand."""

    id: str
    name: str
    bytes: int
    added_at: float
    uploaded: bool


@dataclass(frozen=True)
class DataSetView(DataSetEntry):
    """A file with its columns; ``background`` is known of examples alone."""

    rows: int
    columns: list[ColumnView]
    preview: list[Mapping[str, str]]
    label_guesses: list[str]
    background: list[str] | None = None


@dataclass(frozen=True)
class HuntAnswer:
    """A hunt, its state, and how far its set-up is or what went wrong with it."""

    id: str
    name: str
    title: str
    dataset: str
    dataset_id: str
    n_records: int
    labels: int
    classes: list[str]
    annotators: list[str]
    created_at: float
    settings: Mapping[str, Any]
    state: Literal["closed", "preparing", "ready", "failed"]
    step: Step | None
    problem: str | None


@dataclass(frozen=True)
class Shown:
    """A record and its nearest neighbours."""

    record: RecordView
    neighbours: list[NeighbourView]


@dataclass(frozen=True)
class QuestionAnswer(Shown):
    """A question held for whoever asked until it expires."""

    lease: str
    expires_at: float
    row: int
    why: str
    evidence: Mapping[str, float]


@dataclass(frozen=True)
class Questions:
    """The questions asked for."""

    questions: list[QuestionAnswer]


@dataclass(frozen=True)
class Acknowledged:
    """An event that is kept for good: its place, and whether it had been sent before."""

    id: str
    seq: int
    repeated: bool


@dataclass(frozen=True)
class Started:
    """Work that was begun."""

    job: str


@dataclass(frozen=True)
class JobAnswer:
    """How far a job has come; ``result`` is a ranking or a comparison."""

    id: str
    kind: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    step: Step | None
    result: Any
    error: str | None
