"""The map of all records, as plain numbers that a browser reads without parsing."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Query
from starlette.responses import Response

from rarefind.web.routes.access import Bench, HuntId

router = APIRouter(prefix="/api/hunts/{id}/map", tags=["map"])

_NUMBERS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        "description": "Little-endian numbers, one or two for each row.",
    }
}
"""Describes an answer that is plain numbers."""


@router.get("", response_class=Response, responses=_NUMBERS)
async def coordinates(
    id: HuntId, bench: Bench, method: Literal["pca", "lda", "kernel-pca", "umap"] = "pca"
) -> Response:
    """Return x and y of every record as 32-bit floats in [-1, 1]; the header X-Note explains."""
    view = await bench.drawing(bench.service.map, id, method)
    note = view.note.encode("latin-1", "replace").decode("latin-1")  # all that a header can hold
    return _numbers(view.points, "<f4", {"X-Note": " ".join(note.split())})


@router.get("/labels", response_class=Response, responses=_NUMBERS)
async def labels(id: HuntId, bench: Bench) -> Response:
    """Return the class of every record as 16-bit integers: its place in ``progress.classes``."""
    return _numbers(await bench.drawing(bench.service.class_numbers, id), "<i2")


@router.get("/scores", response_class=Response, responses=_NUMBERS)
async def scores(
    id: HuntId,
    bench: Bench,
    ranking: Annotated[str, Query(pattern=r"^[0-9A-Za-z_-]{1,64}$")],
) -> Response:
    """Return the score of every record in a ranking as 32-bit floats; NaN where it has none."""
    return _numbers(await bench.drawing(bench.service.scores, id, ranking), "<f4")


def _numbers(values: Any, kind: str, headers: dict[str, str] | None = None) -> Response:
    body = np.ascontiguousarray(values, dtype=np.dtype(kind)).tobytes()
    return Response(body, media_type="application/octet-stream", headers=headers)
