"""Hunts: open, list, set up, change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query

from rarefind.service.hunts.settings import HuntSettings
from rarefind.web.routes.access import ONLY_LEADS, Bench, HuntId, Workbench
from rarefind.web.routes.bodies import HuntChanges, NewHunt
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.outgoing import hunt_view
from rarefind.web.routes.schemas import Deleted, HuntAnswer

router = APIRouter(prefix="/api/hunts", tags=["hunts"])


@router.get("", response_model=list[HuntAnswer])
async def hunts(
    bench: Bench,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    before: Annotated[str | None, Query(pattern=r"^[0-9A-Za-z_-]{1,64}$")] = None,
) -> Answer:
    """List the hunts begun last, oldest first; ``before`` is the id of the one to go on from."""
    return Answer(await bench.quick(_page, bench, limit, before))


@router.post("", response_model=HuntAnswer, status_code=201)
async def open_hunt(body: NewHunt, bench: Bench) -> Answer:
    """Open a hunt on a data set; one of the same name on the same data is gone on with.

    Its records are read when somebody looks at them, and its strategy is set up when somebody asks.
    """
    data = await bench.quick(lambda: bench.service.store.dataset(body.dataset))
    settings = HuntSettings(
        strategy=body.strategy,
        kernel=body.kernel or None,
        background=tuple(body.background),
        priors=(
            {name: share for name, share in body.priors.items()}  # noqa: C416 - names are hashable
            if isinstance(body.priors, dict)
            else body.priors
        ),
        seed=body.seed,
        kinds=body.kinds,
        label_column=body.label_column,
        leave_out=tuple(body.leave_out),
        read_as={
            **data.reading.get("read_as", {}),
            **({"embed": body.embed} if body.embed else {}),
        },
        overlap=body.overlap,
        lease_seconds=body.lease_seconds,
        title=body.title,
    )
    name = body.name or data.name.partition(".")[0] or "hunt"
    view = await bench.opening(
        bench.service.open_hunt, Path(data.path), name=name, settings=settings
    )
    return Answer(await bench.quick(hunt_view, bench, view), status_code=201)


@router.get("/{id}", response_model=HuntAnswer)
async def hunt(id: HuntId, bench: Bench) -> Answer:
    """Return a hunt, and how far its set-up has come."""
    return Answer(await bench.quick(_seen, bench, id))


@router.post("/{id}/prepare", response_model=HuntAnswer, status_code=202)
async def prepare(id: HuntId, bench: Bench) -> Answer:
    """Set a hunt up in the background, so that it can be asked: the strategy looks at all records.

    The first ``ask`` does so, too. Nothing else waits for it.
    """
    bench.set_up(await bench.quick(bench.service.id_of, id))
    return Answer(await bench.quick(_seen, bench, id), status_code=202)


@router.post("/{id}/cancel", response_model=HuntAnswer)
async def cancel(id: HuntId, bench: Bench) -> Answer:
    """Stop the set-up of a hunt."""
    hunt = await bench.quick(bench.service.id_of, id)
    for job in bench.jobs.running(hunt):
        if job.kind == "prepare":
            job.stop.set()
    await bench.quick(bench.service.cancel, id)
    return Answer(await bench.quick(_seen, bench, id))


@router.post("/{id}/settings", response_model=HuntAnswer, dependencies=[ONLY_LEADS])
async def change(id: HuntId, body: HuntChanges, bench: Bench) -> Answer:
    """Change who is asked how, which classes are ordinary, or the line about the hunt."""
    changes = body.model_dump(exclude_none=True)
    if "background" in changes:
        changes["background"] = tuple(changes["background"])
    await bench.quick(bench.service.change, id, **changes)
    return Answer(await bench.quick(_seen, bench, id))


@router.delete("/{id}", response_model=Deleted, dependencies=[ONLY_LEADS])
async def delete(id: HuntId, bench: Bench) -> Answer:
    """Put a hunt out of sight; nothing that was said is lost."""
    return await _put(bench, id, undo=False)


@router.post("/{id}/restore", response_model=Deleted, dependencies=[ONLY_LEADS])
async def restore(id: HuntId, bench: Bench) -> Answer:
    """Bring a hunt back that was deleted."""
    return await _put(bench, id, undo=True)


async def _put(bench: Workbench, id: str, *, undo: bool) -> Answer:
    entry = await bench.opening(bench.service.delete, id, undo=undo)
    return Answer({"id": entry.id, "name": entry.name, "deleted": not undo})


def _seen(bench: Workbench, id: str) -> dict[str, Any]:
    return hunt_view(bench, bench.service.hunt(id))


def _page(bench: Workbench, limit: int, before: str | None) -> list[dict[str, Any]]:
    return [hunt_view(bench, view) for view in bench.service.hunts(limit, before)]
