"""Answers for many records at once, each an event, together one step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter

from rarefind.store.contract import Kept
from rarefind.web.routes.access import Annotator, Bench, HuntId, Leads
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.looking.bodies import ManyLabels, ManyUndos

router = APIRouter(prefix="/api/hunts/{id}", tags=["labels"])


@dataclass(frozen=True)
class StepAnswer:
    """A step that is kept for good: its id, how many events, and how many had come before."""

    id: str
    events: int
    repeated: int
    seq: int


@router.post("/labels/many", response_model=StepAnswer)
async def tell_many(id: HuntId, body: ManyLabels, bench: Bench, person: Annotator) -> Answer:
    """Say that many records are of a class; undo of the step's id takes all of it back."""
    tell = bench.service.tell_many
    return _step(body.id, await bench.drawing(tell, id, body.rows, body.label, person, body.id))


@router.post("/undo/many", response_model=StepAnswer)
async def undo_many(
    id: HuntId, body: ManyUndos, bench: Bench, person: Annotator, leads: Leads
) -> Answer:
    """Take many events or steps back; what has been taken back already is left out.

    What others said only who leads may take back.
    """
    undo = partial(bench.service.undo_many, of_others=leads)
    return _step(body.id, await bench.drawing(undo, id, body.targets, person, body.id))


def _step(id: str, kept: list[Kept]) -> Answer:
    repeated = sum(each.repeated for each in kept)
    return Answer(StepAnswer(id, len(kept), repeated, kept[-1].event.seq))
