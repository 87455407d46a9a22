"""The map of all records, as plain numbers that a browser reads without parsing."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query
from starlette.responses import Response

from rarefind.service.mapping.column_colours import ColourColumn, LegendView
from rarefind.web.routes.access import Bench, HuntId
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.looking.bodies import MapMethod, NewMap
from rarefind.web.routes.schemas import Started

router = APIRouter(prefix="/api/hunts/{id}/map", tags=["map"])

ColumnName = Annotated[str, Query(max_length=1000, description="Name of a column.")]

NUMBERS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        "description": "Little-endian numbers, one or two for each row.",
    }
}
"""Describes an answer that is plain numbers."""


class Numbers(Response):
    """An answer that is an array, as its bytes lie in memory."""

    media_type = "application/octet-stream"

    def render(self, content: Any) -> bytes:
        """Write the array."""
        return np.ascontiguousarray(content).tobytes()


@router.get("", response_class=Numbers, responses=NUMBERS)
async def coordinates(id: HuntId, bench: Bench, method: MapMethod = "pca") -> Numbers:
    """Return x and y of every record as 32-bit floats in [-1, 1]; the header X-Note explains."""
    view = await bench.drawing(bench.service.map, id, method)
    note = view.note.encode("latin-1", "replace").decode("latin-1")  # all that a header can hold
    headers = {"X-Note": " ".join(note.split())}
    return Numbers(np.asarray(view.points, dtype="<f4"), headers=headers)


@router.get("/labels", response_class=Numbers, responses=NUMBERS)
async def labels(id: HuntId, bench: Bench) -> Numbers:
    """Return the class of every record as 16-bit integers: its place in ``progress.classes``."""
    numbers = await bench.drawing(bench.service.class_numbers, id)
    return Numbers(np.asarray(numbers, dtype="<i2"))


@router.get("/scores", response_class=Numbers, responses=NUMBERS)
async def scores(
    id: HuntId,
    bench: Bench,
    ranking: Annotated[str, Query(pattern=r"^[0-9A-Za-z_-]{1,64}$")],
) -> Numbers:
    """Return the score of every record in a ranking as 32-bit floats; NaN where it has none."""
    numbers = await bench.drawing(bench.service.scores, id, ranking)
    return Numbers(np.asarray(numbers, dtype="<f4"))


@router.post("", response_model=Started, status_code=202)
async def draw(id: HuntId, body: NewMap, bench: Bench) -> Answer:
    """Begin to draw a map aside, which may take minutes; once the job is done, it is there."""
    service = bench.service
    return await bench.begun(id, "map", lambda hunt: service.map(hunt, body.method).note)


@router.get("/columns", response_model=list[ColourColumn])
async def columns(id: HuntId, bench: Bench) -> Answer:
    """List the columns that a map can be coloured by."""
    return Answer(await bench.looking(bench.service.colour_columns, id))


@router.get("/column", response_class=Numbers, responses=NUMBERS)
async def column(id: HuntId, bench: Bench, column: ColumnName) -> Numbers:
    """Return a number of every record to colour it by, as 32-bit floats; NaN for a gap."""
    values, _ = await bench.drawing(bench.service.column_colours, id, column)
    return Numbers(np.asarray(values, dtype="<f4"))


@router.get("/legend", response_model=LegendView)
async def legend(id: HuntId, bench: Bench, column: ColumnName) -> Answer:
    """Return what the numbers of a column mean: its categories, or the range of its colours."""
    _, view = await bench.drawing(bench.service.column_colours, id, column)
    return Answer(view)
