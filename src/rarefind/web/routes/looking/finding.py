"""Lists of records that a query means, and of what was said."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Query, Request

from rarefind.core.errors import ParameterError
from rarefind.core.names import unknown_name
from rarefind.service.finding.history import HistoryFilter, HistoryView
from rarefind.service.finding.tokens import LONGEST_QUERY
from rarefind.service.finding.use_cases import FoundRecord, FoundView
from rarefind.store.contract import Kind
from rarefind.web.routes.access import Bench, HuntId
from rarefind.web.routes.bodies import MOST_ROW
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.looking.bodies import Rows
from rarefind.web.routes.looking.maps import NUMBERS, Numbers


def _known_alone(request: Request) -> None:
    """Refuse a parameter that is none: without its query, a list would be of all records."""
    names = [each.alias for each in request.scope["route"].dependant.query_params]
    for name in request.query_params:
        if name not in names:
            raise ParameterError(str(unknown_name("parameter of this address called", name, names)))


router = APIRouter(prefix="/api/hunts/{id}", tags=["finding"], dependencies=[Depends(_known_alone)])

AsQuery = Annotated[
    str,
    Query(
        max_length=LONGEST_QUERY,
        description="Words, comparisons such as amount > 1000, class = …, by = …, unlabelled.",
    ),
]
Wish = Annotated[str | None, Query(max_length=LONGEST_QUERY)]


@router.get("/find", response_model=FoundView)
async def find(
    id: HuntId,
    bench: Bench,
    query: AsQuery = "",
    offset: Annotated[int, Query(ge=0, le=MOST_ROW)] = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    ranking: Annotated[str | None, Query(pattern=r"^[0-9A-Za-z_-]{1,64}$")] = None,
) -> Answer:
    """List the records that a query means, in the order of the file or, best first, of a ranking.

    A query that cannot be read is refused with a sentence that names the place.
    """
    found = await bench.looking(bench.service.find, id, query, offset, limit, ranking)
    return Answer(found)


@router.get("/find/rows", response_class=Numbers, responses=NUMBERS)
async def rows(id: HuntId, bench: Bench, query: AsQuery = "") -> Numbers:
    """Return the rows of all records that a query means, as 32-bit integers."""
    return Numbers(await bench.looking(_rows, bench.service, id, query))


@router.post("/find/previews", response_model=list[FoundRecord])
async def previews(id: HuntId, body: Rows, bench: Bench) -> Answer:
    """Tell records in a line each, in the order they are named."""
    return Answer(await bench.looking(bench.service.previews, id, body.rows))


@router.get("/history", response_model=list[HistoryView])
async def history(
    id: HuntId,
    bench: Bench,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: Annotated[int | None, Query(ge=1, le=MOST_ROW)] = None,
    label: Wish = None,
    annotator: Wish = None,
    kind: Kind | None = None,
    text: Wish = None,
    standing: bool = False,
    fold: bool = False,
) -> Answer:
    """Return what was said, latest first; ``before`` is the ``seq`` to go on from.

    ``label``, ``annotator``, ``kind`` and ``text`` (in the sentence about it, or, as a query, in
    the record) say what is wanted, ``standing`` leaves out what was taken back or replaced, and
    ``fold`` lists a step once.
    """
    wanted = HistoryFilter(label, annotator, kind, text, standing=standing, fold=fold)
    return Answer(
        await bench.looking(bench.service.history, id, limit, before, read=True, wanted=wanted)
    )


def _rows(service: Any, id: str, query: str) -> Any:
    return np.asarray(service.found_rows(id, query), dtype="<i4")
