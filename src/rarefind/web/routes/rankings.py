"""Rankings and comparisons: made in the background, then read page by page."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query

from rarefind.hunting.reasons import Reason
from rarefind.service.showing.views import RankedView, RankingView
from rarefind.web.routes.access import (
    Annotator,
    Bench,
    HuntId,
    JobId,
    RankingId,
    RowNumber,
    Workbench,
)
from rarefind.web.routes.bodies import MOST_ROW, NewComparison, NewRanking, ReportedModel
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.outgoing import job_view
from rarefind.web.routes.schemas import JobAnswer, Started

router = APIRouter(prefix="/api/hunts/{id}", tags=["rankings"])


@router.post("/rankings", response_model=Started, status_code=202)
async def rank(id: HuntId, body: NewRanking, bench: Bench, person: Annotator) -> Answer:
    """Begin to rank all records for a class; return the job."""
    rank = bench.service.rank
    return await bench.begun(id, "rank", lambda hunt: rank(hunt, body.target, body.model, person))


@router.post("/comparisons", response_model=Started, status_code=202)
async def compare(id: HuntId, body: NewComparison, bench: Bench) -> Answer:
    """Begin to compare models for a class by cross-validation; return the job."""
    compare = partial(bench.service.compare, folds=body.folds, seed=body.seed)
    models = body.models or None
    return await bench.begun(id, "compare", lambda hunt: compare(hunt, body.target, models))


@router.post("/comparisons/report", response_model=Started, status_code=202)
async def report_on(id: HuntId, body: ReportedModel, bench: Bench) -> Answer:
    """Begin to tell what a model goes by, fitted to all labels; the result is a ``ReportView``.

    It holds sections of facts: margins, support vectors, bounds, features, weights of kernels.
    """
    report = bench.service.report_on
    return await bench.begun(id, "compare", lambda hunt: report(hunt, body.target, body.model))


@router.get("/jobs/{job}", response_model=JobAnswer, tags=["jobs"])
async def job_state(id: HuntId, job: JobId, bench: Bench) -> Answer:
    """Return how far a job has come, and its result once it is done."""
    return Answer(await bench.quick(_job, bench, id, job))


@router.post("/jobs/{job}/cancel", response_model=JobAnswer, tags=["jobs"])
async def cancel_job(id: HuntId, job: JobId, bench: Bench) -> Answer:
    """Stop a job at the next step it reports."""
    return Answer(await bench.quick(_job, bench, id, job, stop=True))


@router.get("/rankings", response_model=list[RankingView])
async def rankings(id: HuntId, bench: Bench) -> Answer:
    """List the rankings made so far, oldest first."""
    return Answer(await bench.quick(bench.service.rankings, id))


@router.get("/rankings/{ranking}", response_model=list[RankedView])
async def ranked(
    id: HuntId,
    ranking: RankingId,
    bench: Bench,
    offset: Annotated[int, Query(ge=0, le=MOST_ROW)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> Answer:
    """Return part of a ranking, best first."""
    return Answer(await bench.looking(bench.service.ranked, id, ranking, offset, limit))


@router.get("/rankings/{ranking}/summary", response_model=RankingView)
async def summary(id: HuntId, ranking: RankingId, bench: Bench) -> Answer:
    """Return why the model was chosen, the hit curve so far and the histogram of scores."""
    return Answer(await bench.quick(bench.service.ranking, id, ranking))


@router.get("/rankings/{ranking}/votes/{row}", response_model=Reason)
async def votes(id: HuntId, ranking: RankingId, row: RowNumber, bench: Bench) -> Answer:
    """Return which known examples vote for a record, and with what weight."""
    return Answer(await bench.explaining(bench.service.votes, id, ranking, row))


def _job(bench: Workbench, hunt: str, id: str, stop: bool = False) -> JobAnswer:
    job = bench.jobs.get(bench.service.id_of(hunt), id)
    if stop:
        job.stop.set()
    return job_view(bench, job)
