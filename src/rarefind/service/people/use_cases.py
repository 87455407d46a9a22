"""Inviting people, letting them in, and shutting them out."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Literal

from rarefind.service.shared import ServiceBase
from rarefind.store.people.invitations import (
    Person,
    Role,
    admit,
    give_role,
    invite,
    revoke,
)

_SECRET_BYTES = 32
"""256 bits cannot be guessed."""


@dataclass(frozen=True)
class PersonView:
    """Somebody on the list of who may come in.

    Attributes
    ----------
    id, name, role
        Who it is, and what they may do.
    state
        Whether they have come in, have an invitation that they have not used, had one that
        expired, or were shut out.
    created_at, joined_at, invited_until
        When they were first invited and first came in, and until when their invitation is good.
    """

    id: str
    name: str
    role: Role
    state: Literal["joined", "invited", "expired", "revoked"]
    created_at: float
    joined_at: float | None
    invited_until: float | None


class Inviting(ServiceBase):
    """People with names of their own."""

    def people(self) -> list[PersonView]:
        """List everybody who was ever invited, by name."""
        return [_view(person) for person in self.store.people()]

    def persons(self) -> list[Person]:
        """Return everybody as the store keeps them, for whoever lets people in."""
        return self.store.people()

    def invite(self, name: str, role: str = "labels") -> tuple[PersonView, str]:
        """Invite somebody; return who it is, and a secret that lets them in once.

        The store keeps a digest of it: whoever loses the secret needs another invitation.
        """
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        person = self.store.change_person(invite(name, role, secret, time.time()))
        return _view(person), secret

    def admit(self, secret: str) -> Person:
        """Let somebody in with their invitation, which is used up."""
        return self.store.change_person(admit(secret, time.time()))

    def revoke(self, name: str) -> PersonView:
        """Shut somebody out, by name or id; what they said stays."""
        return _view(self.store.change_person(revoke(name, time.time())))

    def give_role(self, name: str, role: str) -> PersonView:
        """Say what somebody may do, by name or id."""
        return _view(self.store.change_person(give_role(name, role)))


def _view(person: Person) -> PersonView:
    return PersonView(
        person.id,
        person.name,
        person.role,
        _state(person),
        person.created_at,
        person.joined_at,
        person.invited_until,
    )


def _state(person: Person) -> Literal["joined", "invited", "expired", "revoked"]:
    if person.revoked_at is not None:
        return "revoked"
    if person.joined_at is not None:
        return "joined"
    until = person.invited_until
    return "invited" if until is not None and until > time.time() else "expired"
