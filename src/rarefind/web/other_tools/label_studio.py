"""Rarefind as the machine-learning backend of Label Studio, which calls these routes itself."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from rarefind.service.exchange.studio_backend import hear, predictions, version
from rarefind.web.routes.access import ONLY_LEADS, Bench, HuntId
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.schemas import StudioHeard, StudioPredictions, StudioUp, StudioVersion

router = APIRouter(
    prefix="/api/hunts/{id}/label-studio", tags=["Label Studio"], dependencies=[ONLY_LEADS]
)


class Told(BaseModel):
    """What Label Studio sends: of its many fields those that matter here, whatever else comes."""

    model_config = ConfigDict(extra="ignore")


class Tasks(Told):
    """Tasks to predict, and the labelling interface of their project."""

    tasks: Annotated[list[dict[str, Any]], Field(max_length=10_000)] = []
    label_config: Annotated[str, StringConstraints(max_length=500_000)] | None = None


class Project(Told):
    """A project that begins to use the backend."""

    project: str | int | dict[str, Any] | None = None


class Happened(Told):
    """Something that was done in Label Studio."""

    action: Annotated[str, StringConstraints(max_length=100)]
    annotation: dict[str, Any] | None = None
    annotations: Annotated[list[dict[str, Any]], Field(max_length=1000)] | None = None
    task: dict[str, Any] | None = None


@router.get("/health", response_model=StudioUp)
async def up(id: HuntId, bench: Bench) -> Answer:
    """Say that the backend is up, and which hunt chooses the tasks."""
    view = await bench.quick(bench.service.hunt, id)
    return Answer({"status": "UP", "model_class": f"rarefind: {view.name}"})


@router.post("/setup", response_model=StudioVersion)
async def setup(id: HuntId, body: Project, bench: Bench) -> Answer:
    """Set the hunt up in the background, and tell the version of what it knows."""
    hunt = await bench.quick(bench.service.id_of, id)
    bench.set_up(hunt)
    return Answer({"model_version": await bench.quick(version, bench.service, hunt)})


@router.post("/predict", response_model=StudioPredictions)
async def predict(id: HuntId, body: Tasks, bench: Bench) -> Answer:
    """Predict tasks: those that the hunt would ask about next have the lowest scores."""
    hunt = await bench.quick(bench.service.id_of, id)
    found = await bench.asking(
        predictions, bench.service, hunt, body.tasks, body.label_config or ""
    )
    named = await bench.quick(version, bench.service, hunt)
    return Answer({"results": found, "model_version": named})


@router.post("/webhook", response_model=StudioHeard, status_code=201)
async def webhook(id: HuntId, body: Happened, bench: Bench) -> Answer:
    """Tell the hunt what was annotated, changed or deleted in Label Studio."""
    hunt = await bench.quick(bench.service.id_of, id)
    sent = body.model_dump(exclude_none=True)
    heard = await bench.quick(hear, bench.service, hunt, body.action, sent)
    return Answer({"status": "heard" if heard else "nothing to hear"}, status_code=201)
