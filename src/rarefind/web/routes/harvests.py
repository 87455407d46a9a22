"""The harvest of a class: the next records to look at, and the answers."""

from __future__ import annotations

from fastapi import APIRouter

from rarefind.web.routes.access import Annotator, Bench, HuntId
from rarefind.web.routes.bodies import LookAnswer, NextLooks
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.labels import kept
from rarefind.web.routes.schemas import Acknowledged, Started

router = APIRouter(prefix="/api/hunts/{id}/harvest", tags=["harvest"])


@router.post("", response_model=Started, status_code=202)
async def next_looks(id: HuntId, body: NextLooks, bench: Bench, person: Annotator) -> Answer:
    """Begin to rank with everything said; the job's result is a ``HarvestView``.

    It holds the next records to look at with their chances, how many of the class are probably
    left, how many looks it takes, and ``ended``: why the harvest is over, or null.
    """
    wanted = (body.target, person, body.model, body.looks, body.enough)
    return await bench.begun(id, "harvest", lambda hunt: bench.service.harvest(hunt, *wanted))


@router.post("/answers", response_model=Acknowledged)
async def answer(id: HuntId, body: LookAnswer, bench: Bench, person: Annotator) -> Answer:
    """Say whether a record is of the class. Once this is answered it is kept for good.

    It is a label like any other: skip and undo work on it, and discovery hears it too.
    """
    said = (body.target, body.row, body.answer, person, body.id)
    return await kept(bench, bench.service.submit_look, id, *said)
