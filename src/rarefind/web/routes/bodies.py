"""What clients send, with limits for everything."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt, Le, Lt
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from rarefind.store.people.invitations import Role

MOST_ROW = 2**53
"""Beyond, JavaScript's numbers are not exact."""

_UUID = r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
"""As browsers write it."""


def _printable(text: str) -> str:
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
        raise ValueError("must not contain control characters")
    if not text.strip():
        raise ValueError("must not be blank")
    return text.strip()


Name = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_printable)]
ShortName = Annotated[
    str, StringConstraints(min_length=1, max_length=80), AfterValidator(_printable)
]
EventId = Annotated[str, StringConstraints(pattern=_UUID)]
Id = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
Target = Annotated[str, StringConstraints(pattern=_UUID[:-1] + r"(\.\d{1,7})?$")]
"""The id of an event, or of a step: those of a step have the number of their part behind."""
Row = Annotated[int, Ge(0), Le(MOST_ROW)]


Share = Annotated[float, Gt(0), Lt(1), Field(strict=False)]


class Body(BaseModel):
    """Base of all bodies: exact types, no fields that are not known."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Me(Body):
    """Who is labelling."""

    annotator: ShortName


class Invite(Body):
    """Somebody to invite."""

    name: ShortName
    role: Role = "labels"


class RoleGiven(Body):
    """What somebody may do."""

    role: Role


class Join(Body):
    """What an invitation's link holds behind the '#'."""

    secret: Annotated[str, StringConstraints(max_length=200)] = ""


class NewHunt(Body):
    """A hunt to open: its data set, and what differs from the usual settings."""

    dataset: Id
    name: Name | None = None
    strategy: Name = "auto"
    kernel: Annotated[str, StringConstraints(max_length=2000)] | None = None
    background: Annotated[list[Name], Field(max_length=50)] = []
    priors: Annotated[dict[Name, Share] | list[Share], Field(max_length=50)] | None = None
    kinds: Annotated[dict[Name, Name], Field(max_length=100_000)] = {}
    leave_out: Annotated[list[Name], Field(max_length=100_000)] = []
    label_column: Name | None = None
    embed: Name | None = None
    overlap: Annotated[int, Ge(1), Le(100)] = 1
    lease_seconds: Annotated[float, Ge(1), Le(86_400), Field(strict=False)] = 300.0
    seed: Annotated[int, Ge(0), Le(2**32 - 1)] = 0
    title: Annotated[str, StringConstraints(max_length=500)] = ""


class HuntChanges(Body):
    """Settings that may change while a hunt runs."""

    overlap: Annotated[int, Ge(1), Le(100)] | None = None
    background: Annotated[list[Name], Field(max_length=50)] | None = None
    lease_seconds: Annotated[float, Ge(1), Le(86_400), Field(strict=False)] | None = None
    title: Annotated[str, StringConstraints(max_length=500)] | None = None


class Ask(Body):
    """How many questions are wanted, and the leases of those that were seen (null: all)."""

    count: Annotated[int, Ge(1), Le(50)] = 1
    seen: Annotated[list[Id], Field(max_length=50)] | None = None


class Ahead(Body):
    """How many questions are wanted for a time without a server."""

    count: Annotated[int, Ge(1), Le(50)] = 24


class Label(Body):
    """What a record is. The id is made by the client: sent again, it counts once."""

    id: EventId
    row: Row
    label: Name
    asked: bool = True


class Skip(Body):
    """A record to leave undecided."""

    id: EventId
    row: Row


class Undo(Body):
    """What to take back: an event, a step, or by default one's own last."""

    id: EventId
    target: Target | None = None


class Rename(Body):
    """A class and the name it gets; for a merge that of another class, which it becomes part of."""

    id: EventId
    old: Name
    new: Name


class Key(Body):
    """The key that answers with a class from now on, or the number of its colour, or both."""

    name: Name
    key: Annotated[str, StringConstraints(min_length=1, max_length=1)] | None = None
    colour: int | None = None


class NewRanking(Body):
    """A class to rank for, and the model."""

    target: Name
    model: Name = "auto"


class NewComparison(Body):
    """A class to compare models for."""

    target: Name
    models: Annotated[list[Name], Field(max_length=30)] = []
    folds: Annotated[int, Ge(2), Le(20)] = 5
    seed: Annotated[int, Ge(0), Le(2**32 - 1)] = 0


class ReportedModel(Body):
    """A model to tell about, fitted for a class."""

    target: Name
    model: Name


class NextLooks(Body):
    """A class to bring home: how many records to look at next, and what share is enough."""

    target: Name
    model: Name = "auto"
    looks: Annotated[int, Ge(1), Le(100)] = 10
    enough: Annotated[float, Gt(0), Le(1), Field(strict=False)] = 0.95


class LookAnswer(Body):
    """Whether a record is of the class: true, false, or the name of what it is instead."""

    id: EventId
    target: Name
    row: Row
    answer: bool | Name
