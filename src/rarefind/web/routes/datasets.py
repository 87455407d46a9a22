"""Files to hunt in: uploaded as a raw stream, or examples that come along."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request

from rarefind.core.errors import RarefindError
from rarefind.web.examples import EXAMPLES, write_example
from rarefind.web.routes.access import Bench, Workbench
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.outgoing import dataset_entry, dataset_view
from rarefind.web.routes.schemas import DataSetEntry, DataSetView, Named
from rarefind.web.uploads import shown_name

router = APIRouter(tags=["data sets"])

DatasetId = Annotated[str, Path(pattern=r"^[0-9A-Za-z_-]{1,64}$", description="Id of a data set.")]
FileName = Annotated[str, Path(min_length=1, max_length=255, description="The file's own name.")]

RAW = {
    "requestBody": {
        "required": True,
        "description": "The file as it is, not as a form.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
"""Describes a body that is a file, which FastAPI cannot see."""


@router.put(
    "/api/datasets/{filename}", response_model=DataSetView, status_code=201, openapi_extra=RAW
)
async def upload(filename: FileName, request: Request, bench: Bench) -> Answer:
    """Keep a file, sent as the raw body; return its columns, what they seem to be and a preview."""
    path = await bench.uploads.receive(filename, request.stream())
    try:
        view = await bench.opening(_added, bench, path, shown_name(filename))
    except RarefindError:
        await bench.quick(bench.uploads.remove, path)  # nobody can use it
        raise
    return Answer(view, status_code=201)


@router.get("/api/datasets", response_model=list[DataSetEntry])
async def datasets(bench: Bench) -> Answer:
    """List the files at hand, oldest first."""
    return Answer(await bench.quick(_at_hand, bench))


@router.get("/api/datasets/{id}", response_model=DataSetView)
async def dataset(id: DatasetId, bench: Bench) -> Answer:
    """Return the columns of a file, what they seem to be and a preview."""
    return Answer(await bench.opening(_inspected, bench, id))


@router.get("/api/examples", response_model=list[Named])
async def examples() -> Answer:
    """List the examples that come along."""
    return Answer([{"name": each.name, "about": each.about} for each in EXAMPLES.values()])


@router.post("/api/examples/{name}", response_model=DataSetView, status_code=201)
async def example(name: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,40}$")], bench: Bench) -> Answer:
    """Make an example into a data set."""
    path, ordinary = await bench.opening(write_example, bench.uploads, name)
    view = await bench.opening(_added, bench, path, path.name)
    return Answer({**view, "background": ordinary}, status_code=201)


def _at_hand(bench: Workbench) -> list[dict[str, Any]]:
    return [dataset_entry(bench, data) for data in bench.service.datasets()]


def _added(bench: Workbench, path: FilePath, name: str) -> dict[str, Any]:
    return _inspected(bench, bench.service.add_dataset(path, name).id)


def _inspected(bench: Workbench, id: str) -> dict[str, Any]:
    return dataset_view(bench, *bench.service.dataset(id))
