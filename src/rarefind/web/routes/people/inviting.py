"""The list of who may come in, for those who lead."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from rarefind.service.people.use_cases import PersonView
from rarefind.web.guard.sign_in import JOIN
from rarefind.web.routes.access import ONLY_LEADS, Bench
from rarefind.web.routes.bodies import Invite, RoleGiven
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.schemas import Invitation

router = APIRouter(prefix="/api/people", tags=["people"], dependencies=[ONLY_LEADS])

PersonId = Annotated[str, Path(pattern=r"^[0-9a-f]{1,64}$", description="Id of a person.")]


@router.get("", response_model=list[PersonView])
async def people(bench: Bench) -> Answer:
    """List everybody who was ever invited, by name."""
    return Answer(await bench.quick(bench.service.people))


@router.post("", response_model=Invitation)
async def invite(body: Invite, bench: Bench) -> Answer:
    """Invite somebody, or somebody known once more: the link works once, within a week."""
    person, secret = await bench.quick(bench.service.invite, body.name, body.role)
    bench.guests.forget()
    # Behind the '#': no server, proxy or log on the way sees it.
    return Answer({"person": person, "link": f"{bench.settings.address}{JOIN}#{secret}"})


@router.post("/{id}/revoke", response_model=PersonView)
async def revoke(id: PersonId, bench: Bench) -> Answer:
    """Shut somebody out within seconds; what they said stays."""
    person = await bench.quick(bench.service.revoke, id)
    bench.guests.forget()
    return Answer(person)


@router.post("/{id}/role", response_model=PersonView)
async def role(id: PersonId, body: RoleGiven, bench: Bench) -> Answer:
    """Say what somebody may do."""
    person = await bench.quick(bench.service.give_role, id, body.role)
    bench.guests.forget()
    return Answer(person)
