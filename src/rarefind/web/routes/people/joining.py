"""Coming in with an invitation, and one's own name."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from rarefind.core.errors import NotAllowedError, StateError
from rarefind.web.guard.seats import seat_of
from rarefind.web.guard.sign_in import JOIN, cookie_name, set_cookie
from rarefind.web.guard.tokens import Doorkeeper
from rarefind.web.pages import Pages
from rarefind.web.routes.access import (
    Bench,
    Workbench,
    annotator,
    chosen_name,
    name_cookie,
    visitor,
    workbench,
    written_name,
)
from rarefind.web.routes.bodies import Join, Me
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.schemas import Person

router = APIRouter()


@router.get(JOIN, include_in_schema=False)
async def join_page(request: Request) -> Response:
    """Return the page that an invitation leads to."""
    pages: Pages = request.app.state.pages
    return pages.answer("join/index.html", request)


@router.post("/api/join", response_model=Person, tags=["people"])
async def join(body: Join, request: Request, bench: Bench) -> Answer:
    """Come in with the secret of an invitation, which is used up, or the token: sets a cookie."""
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    if doorkeeper.is_token(body.secret):
        told = _told(request, annotator(request), chosen_name(request) is not None)
        return _let_in(bench, told, doorkeeper.cookie())
    try:
        person = await bench.quick(bench.service.admit, body.secret)
    except StateError as refused:
        raise HTTPException(401, str(refused)) from None
    bench.guests.forget()
    told = {"annotator": person.name, "chosen": True, "role": person.role, "invited": True}
    return _let_in(bench, told, doorkeeper.cookie(seat_of(person)))


@router.get("/api/me", response_model=Person, tags=["people"])
async def me(request: Request) -> Answer:
    """Return the name answers are kept under, whether it was chosen, and what one may do."""
    return Answer(_told(request, annotator(request), chosen_name(request) is not None))


@router.put("/api/me", response_model=Person, tags=["people"])
async def rename(body: Me, request: Request) -> Answer:
    """Choose the name that answers are kept under; a cookie holds it. Who was invited has one."""
    bench = workbench(request)
    invited = visitor(request).name
    if invited is not None and body.annotator != invited:
        raise NotAllowedError(f"You were invited as {invited}: your answers are kept under that.")
    if invited is None:
        await bench.quick(_refuse_taken, bench, body.annotator)
    settings = bench.settings
    answer = Answer(_told(request, body.annotator, chosen=True))
    value = set_cookie(settings, name_cookie(settings), written_name(body.annotator))
    answer.raw_headers.append((b"set-cookie", value))
    return answer


def _let_in(bench: Workbench, told: dict[str, object], value: str) -> Answer:
    settings, answer = bench.settings, Answer(told)
    answer.raw_headers.append((b"set-cookie", set_cookie(settings, cookie_name(settings), value)))
    return answer


def _told(request: Request, name: str, chosen: bool) -> dict[str, object]:
    who = visitor(request)
    return {"annotator": name, "chosen": chosen, "role": who.role, "invited": who.name is not None}


def _refuse_taken(bench: Workbench, name: str) -> None:
    if any(person.name.casefold() == name.casefold() for person in bench.service.persons()):
        raise NotAllowedError(
            f"{name} was invited, and labels under that name: choose another one."
        )
