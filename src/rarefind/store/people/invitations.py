"""People with names of their own: invited once, let in with the invitation, shut out again.

The rules are functions of everybody there is, so that each engine applies them in one transaction.
Of an invitation only a digest is kept.
"""

from __future__ import annotations

import hashlib
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from rarefind.core.errors import ParameterError, StateError
from rarefind.core.names import unknown_name

Role = Literal["labels", "leads"]
"""What a person may do: label and take back their own words, or lead, which is all else."""

INVITATION_SECONDS = 7 * 24 * 3600.0
"""A week, a choice: people read their mail within days, and a forgotten link is worth nothing."""

LONGEST_NAME = 80
"""Characters of a person's name: it stands beside every answer."""

_ROLES = get_args(Role)
"""The same as values, to check by."""


@dataclass(frozen=True)
class Person:
    """Somebody who may come in.

    Attributes
    ----------
    id, name, role
        Who it is, what their answers are kept under, and what they may do.
    created_at, joined_at, revoked_at
        When they were first invited, first came in, and were shut out; None if they were not.
    generation
        How often they were shut out: what let them in before lets them in no more.
    invitation, invited_until
        The digest of the invitation that is out, and until when it is good; None if none is out.
    """

    id: str
    name: str
    role: Role
    created_at: float
    joined_at: float | None = None
    revoked_at: float | None = None
    generation: int = 0
    invitation: str | None = None
    invited_until: float | None = None


People = Sequence[Person]
Rule = Callable[[People], Person]
"""Says, given everybody there is, how one person is from now on; refuses by raising."""


class PeopleKept(ABC):
    """The part of a store that keeps people."""

    @abstractmethod
    def people(self) -> list[Person]:
        """Return everybody who was ever invited, by name."""

    @abstractmethod
    def change_person(self, rule: Rule) -> Person:
        """Apply a rule in one transaction and keep the person it returns."""


def invite(name: str, role: str, secret: str, now: float) -> Rule:
    """Let somebody in who shows this secret, once; somebody known gets a further invitation."""
    name, checked = clean_person_name(name), clean_role(role)

    def rule(people: People) -> Person:
        known = next((each for each in people if each.name == name), None)
        if known is None:
            alike = [each.name for each in people if each.name.casefold() == name.casefold()]
            if alike:
                raise StateError(f"There is somebody called {alike[0]!r}: choose another name.")
            known = Person(uuid.uuid4().hex, name, checked, now)
        return replace(
            known,
            role=checked,
            revoked_at=None,
            invitation=digest_of(secret),
            invited_until=now + INVITATION_SECONDS,
        )

    return rule


def admit(secret: str, now: float) -> Rule:
    """Use an invitation up."""
    shown = digest_of(secret)

    def rule(people: People) -> Person:
        for each in people:
            good = each.invited_until is not None and each.invited_until > now
            if each.invitation == shown and good and each.revoked_at is None:
                joined = now if each.joined_at is None else each.joined_at
                return replace(each, invitation=None, invited_until=None, joined_at=joined)
        raise StateError(
            "This invitation has been used, has expired or was taken back. Ask for another one."
        )

    return rule


def revoke(name: str, now: float) -> Rule:
    """Shut somebody out; what they said stays."""

    def rule(people: People) -> Person:
        person = find_person(people, name)
        if person.revoked_at is not None:
            raise StateError(f"{person.name!r} has been shut out already.")
        return replace(
            person,
            revoked_at=now,
            generation=person.generation + 1,
            invitation=None,
            invited_until=None,
        )

    return rule


def give_role(name: str, role: str) -> Rule:
    """Say what somebody may do from now on."""
    checked = clean_role(role)
    return lambda people: replace(find_person(people, name), role=checked)


def find_person(people: People, name: str) -> Person:
    """Return somebody by name or id; the error names the nearest match."""
    for each in people:
        if name in (each.name, each.id):
            return each
    raise unknown_name("person called", name, [each.name for each in people])


def clean_role(role: str) -> Role:
    """Return the role, or say which there are."""
    for each in _ROLES:
        if role == each:
            return each
    raise ParameterError(f"A role must be one of {', '.join(_ROLES)}. Got {role!r} instead.")


def clean_person_name(name: str) -> str:
    """Return a name without blanks around it that can stand beside an answer."""
    words = name.strip() if isinstance(name, str) else ""
    if not words or len(words) > LONGEST_NAME or not words.isprintable():
        raise ParameterError(
            f"The name of a person must have 1 to {LONGEST_NAME} characters that can be printed. "
            f"Got {str(name)[:100]!r} instead."
        )
    return words


def digest_of(secret: str) -> str:
    """Return what is kept of a secret: enough to know it again, and no more."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
