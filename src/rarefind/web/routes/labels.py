"""Asking and telling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from fastapi import APIRouter

from rarefind.service.hunts.opened import NotReadyError
from rarefind.service.showing.views import ProgressView
from rarefind.store.contract import Kept
from rarefind.web.routes.access import (
    ONLY_LEADS,
    Annotator,
    Bench,
    HuntId,
    Leads,
    RowNumber,
    Workbench,
)
from rarefind.web.routes.bodies import Ahead, Ask, Key, Label, Rename, Skip, Undo
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.schemas import Acknowledged, Questions, Shown, SpareQuestions

router = APIRouter(prefix="/api/hunts/{id}", tags=["labels"])


@router.post("/ask", response_model=Questions)
async def ask(id: HuntId, body: Ask, bench: Bench, person: Annotator) -> Answer:
    """Lease the next questions, each with its record and its neighbours.

    Whoever asks again before answering gets the same questions. Questions held ahead of time that
    nobody has looked at may be chosen anew: name the leases of those that were seen. The first one
    to ask has the hunt set up, and is told to wait (503) until it is.
    """
    try:
        return Answer({"questions": await bench.asking(_questions, bench, id, person, body)})
    except NotReadyError:
        view = await bench.quick(bench.service.hunt, id)
        if view.state.state == "closed":
            bench.set_up(view.id)
        raise


@router.post("/spares", response_model=SpareQuestions)
async def spares(id: HuntId, body: Ahead, bench: Bench, person: Annotator) -> Answer:
    """Return questions to answer while the server is out of reach; nobody holds them.

    Answer what ``ask`` gave first. Others may be asked about the same records meanwhile; every
    answer counts, once.
    """
    return Answer({"questions": await bench.asking(_spares, bench, id, person, body.count)})


@router.post("/labels", response_model=Acknowledged)
async def tell(id: HuntId, body: Label, bench: Bench, person: Annotator) -> Answer:
    """Say what a record is. Once this is answered the label is kept for good."""
    said = (id, body.row, body.label, person, body.id, body.asked)
    if bench.service.waits_for_nothing(id, body.row):
        return acknowledged(await asyncio.wrap_future(bench.service.submit_tell(*said)))
    return await kept(bench, bench.service.submit_tell, *said)


@router.post("/skip", response_model=Acknowledged)
async def skip(id: HuntId, body: Skip, bench: Bench, person: Annotator) -> Answer:
    """Leave a record undecided."""
    return await kept(bench, bench.service.submit_skip, id, body.row, person, body.id)


@router.post("/undo", response_model=Acknowledged)
async def undo(id: HuntId, body: Undo, bench: Bench, person: Annotator, leads: Leads) -> Answer:
    """Take back an event, or by default one's own last; what others said only who leads."""
    undone = bench.quick(
        bench.service.undo, id, person, body.id, target=body.target, of_others=leads
    )
    return acknowledged(await undone)


@router.post("/rename", response_model=Acknowledged, dependencies=[ONLY_LEADS])
async def rename(id: HuntId, body: Rename, bench: Bench, person: Annotator) -> Answer:
    """Give a class another name, for all that was said; undo of its id brings the old one back."""
    return acknowledged(
        await bench.quick(bench.service.rename, id, body.old, body.new, person, body.id)
    )


@router.post("/merge", response_model=Acknowledged, dependencies=[ONLY_LEADS])
async def merge(id: HuntId, body: Rename, bench: Bench, person: Annotator) -> Answer:
    """Make a class part of another; undo of its id parts them again."""
    return acknowledged(
        await bench.quick(bench.service.merge, id, body.old, body.new, person, body.id)
    )


@router.post("/keys", response_model=ProgressView)
async def keys(id: HuntId, body: Key, bench: Bench) -> Answer:
    """Choose the key or the colour of a class, for everybody on the hunt."""
    if body.key is not None:
        await bench.quick(bench.service.set_key, id, body.name, body.key)
    if body.colour is not None:
        await bench.quick(bench.service.set_colour, id, body.name, body.colour)
    return Answer(await bench.quick(bench.service.progress, id))


@router.get("/records/{row}", response_model=Shown)
async def record(id: HuntId, row: RowNumber, bench: Bench) -> Answer:
    """Return a record as it is shown, and its nearest neighbours."""
    return Answer(await bench.looking(_record, bench, id, row))


@router.get("/progress", response_model=ProgressView)
async def progress(id: HuntId, bench: Bench) -> Answer:
    """Return what was found so far, by whom, and what may still be unseen."""
    return Answer(await bench.quick(bench.service.progress, id))


def _questions(bench: Workbench, id: str, person: str, body: Ask) -> list[dict[str, Any]]:
    asked = bench.service.ask(id, person, body.count, body.seen)
    return [{**vars(each), **_record(bench, id, each.row)} for each in asked]


def _spares(bench: Workbench, id: str, person: str, count: int) -> list[dict[str, Any]]:
    chosen = bench.service.spares(id, person, count)
    return [{**vars(each), **_record(bench, id, each.row)} for each in chosen]


def _record(bench: Workbench, id: str, row: int) -> dict[str, Any]:
    return {
        "record": bench.service.record(id, row),
        "neighbours": bench.service.neighbours(id, row),
    }


async def kept(bench: Workbench, submit: Callable[..., Future[Kept]], *said: Any) -> Answer:
    """Hand something over that was said; answer once it is kept for good."""
    return acknowledged(await asyncio.wrap_future(await bench.quick(submit, *said)))


def acknowledged(kept: Kept) -> Answer:
    """Answer that an event is kept for good."""
    event = kept.event
    return Answer({"id": event.id, "seq": event.seq, "repeated": kept.repeated})
