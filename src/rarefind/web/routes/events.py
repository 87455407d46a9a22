"""What happens in a hunt, live; everything to take home, and labels to bring along."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response, StreamingResponse

from rarefind.service.exchange.use_cases import Imported
from rarefind.web.routes.access import ONLY_LEADS, Annotator, Bench, HuntId
from rarefind.web.routes.datasets import RAW, FileName
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.outgoing import Download, download_name

router = APIRouter(prefix="/api/hunts/{id}", tags=["hunts"])

ColumnName = Annotated[str | None, Query(min_length=1, max_length=200)]

_PAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        "description": "One HTML page, to be saved.",
    }
}
"""Describes an answer that is a file."""


@router.get("/events", response_class=StreamingResponse)
async def events(id: HuntId, bench: Bench) -> StreamingResponse:
    """Tell what happens in the hunt, as server-sent events, for as long as somebody listens."""
    hunt = await bench.quick(bench.service.id_of, id)
    bench.hub.check_room()
    return StreamingResponse(
        bench.hub.stream(hunt),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},  # proxies must not hold events back
    )


@router.get("/report", response_class=Response, responses=_PAGE)
async def report(id: HuntId, bench: Bench) -> Response:
    """Download the whole hunt as one HTML page that needs nothing else."""
    page = await bench.drawing(lambda: bench.said(bench.service.report(id)))
    view = await bench.quick(bench.service.hunt, id)
    name = download_name(view.name, "report", "html")
    return Response(
        page.encode("utf-8", "replace"),
        # Saved, not shown: its styles are inside it, which pages of this server may not have.
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/export", response_class=FileResponse)
async def export(
    id: HuntId,
    bench: Bench,
    what: Literal["records", "labels", "ranking"] = "records",
    format: Literal["csv", "parquet", "jsonl", "json"] = "csv",
    ranking: Annotated[str | None, Query(pattern=r"^[0-9A-Za-z_-]{1,64}$")] = None,
) -> FileResponse:
    """Download the records with their labels, the labels alone, or a ranking."""
    name = f"{what}.{format}"

    def written() -> Path:
        folder = Path(tempfile.mkdtemp(prefix="rarefind-"))
        try:
            bench.service.export(id, folder / name, what=what, ranking=ranking)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return folder

    folder = await bench.drawing(written)
    view = await bench.quick(bench.service.hunt, id)
    return Download(
        folder / name,
        filename=download_name(view.name, what, format),
        media_type="application/octet-stream",
        background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True),
    )


@router.put(
    "/import/{filename}",
    response_model=Imported,
    openapi_extra=RAW,
    dependencies=[ONLY_LEADS],
)
async def import_labels(
    id: HuntId,
    filename: FileName,
    request: Request,
    bench: Bench,
    person: Annotator,
    column: ColumnName = None,
    by: ColumnName = None,
    replace: bool = False,
) -> Answer:
    """Bring labels made elsewhere into the hunt: a table, or Label Studio's .json, as the raw body.

    ``column`` holds the labels (usually "label"), ``by`` is a column both files share, to find the
    records by; without it a column "row" counts them from 0, or there is a line for every record.
    Where somebody said something else already nothing is imported, unless it is to ``replace`` it.
    """
    hunt = await bench.quick(bench.service.id_of, id)
    path = await bench.uploads.receive(filename, request.stream())
    try:
        return Answer(
            await bench.opening(
                bench.service.import_labels,
                hunt,
                path,
                person,
                column=column,
                by=by,
                replace=replace,
            )
        )
    finally:
        await bench.quick(bench.uploads.remove, path)
