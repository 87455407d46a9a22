"""What answers look like, for the OpenAPI document.

Answers are written straight from the service's views; these only describe them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rarefind.core.progress import Step
from rarefind.service.exchange.studio_backend import Predicted
from rarefind.service.people.use_cases import PersonView
from rarefind.service.showing.record import RecordView
from rarefind.service.showing.views import ColumnView, NeighbourView
from rarefind.store.people.invitations import Role


@dataclass(frozen=True)
class Health:
    """The server is up."""

    status: str
    version: str


@dataclass(frozen=True)
class Person:
    """Who is labelling, whether the name was chosen, what they may do, and if they were invited."""

    annotator: str
    chosen: bool
    role: Role
    invited: bool


@dataclass(frozen=True)
class Invitation:
    """Somebody who was invited, and the link that lets them in once."""

    person: PersonView
    link: str


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
class Deleted:
    """A hunt that is out of sight, or back."""

    id: str
    name: str
    deleted: bool


@dataclass(frozen=True)
class Shown:
    """A record and its nearest neighbours."""

    record: RecordView
    neighbours: list[NeighbourView]


@dataclass(frozen=True)
class SpareQuestion(Shown):
    """A question that nobody holds, for a time without a server."""

    row: int
    why: str
    evidence: Mapping[str, float]
    meanings: Mapping[str, str]


@dataclass(frozen=True)
class QuestionAnswer(SpareQuestion):
    """A question held for whoever asked until it expires."""

    lease: str
    expires_at: float


@dataclass(frozen=True)
class Questions:
    """The questions asked for."""

    questions: list[QuestionAnswer]


@dataclass(frozen=True)
class SpareQuestions:
    """Questions for a time without a server."""

    questions: list[SpareQuestion]


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


@dataclass(frozen=True)
class StudioUp:
    """The backend is up; ``model_class`` names the hunt."""

    status: str
    model_class: str


@dataclass(frozen=True)
class StudioVersion:
    """How much the hunt knows: predictions of another version are older."""

    model_version: str


@dataclass(frozen=True)
class StudioPredictions(StudioVersion):
    """A prediction for each task, in the same order."""

    results: list[Predicted]


@dataclass(frozen=True)
class StudioHeard:
    """Whether the news was about an answer."""

    status: Literal["heard", "nothing to hear"]
