"""The application: routes inside, rings of security around them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from rarefind._version import __version__
from rarefind.core.errors import RarefindError
from rarefind.service.hunts.opened import NotReadyError
from rarefind.web.description import DESCRIPTION, TAGS, operation_id, secured
from rarefind.web.fast_routes import ShortWay
from rarefind.web.guard.body_size import SizeCap
from rarefind.web.guard.cross_site import SameOrigin
from rarefind.web.guard.headers import Headers
from rarefind.web.guard.host_name import HostCheck
from rarefind.web.guard.sign_in import SignIn
from rarefind.web.guard.tokens import Doorkeeper
from rarefind.web.other_tools import label_studio
from rarefind.web.pages import Pages
from rarefind.web.routes import (
    datasets,
    events,
    general,
    harvests,
    hunts,
    labels,
    page,
    rankings,
)
from rarefind.web.routes.access import Workbench
from rarefind.web.routes.json_answers import Answer, field_name, status_of
from rarefind.web.routes.looking import finding, many, maps
from rarefind.web.routes.people import inviting, joining
from rarefind.web.server_settings import ServerSettings

if TYPE_CHECKING:
    from rarefind.service.facade import Service

_ROUTES = (
    labels,  # called most often, hence tried first
    general,
    datasets,
    hunts,
    finding,
    many,
    maps,
    rankings,
    harvests,
    label_studio,
    events,
    inviting,
    joining,
    page,
)
_ERRORS = {
    "default": {
        "description": "What went wrong, in one sentence.",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {"error": {"type": "string"}},
                }
            }
        },
    }
}
"""How every route describes its errors."""


def create_app(
    service: Service,
    settings: ServerSettings,
    doorkeeper: Doorkeeper | None = None,
    *,
    short_way: bool = True,
) -> FastAPI:
    """Make the workbench's application for a service.

    Without the ``short_way`` all requests go through the framework, which is there to be measured.
    Closing the application stops its jobs and threads; the service stays open.
    """
    app = FastAPI(
        title="rarefind",
        summary="Find rare classes with few labels, then rank every record for the class found.",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        description=DESCRIPTION,
        openapi_tags=TAGS,
        generate_unique_id_function=operation_id,
        responses=_ERRORS,  # type: ignore[arg-type]
        lifespan=_lifespan,
    )
    app.openapi = lambda: secured(app)  # type: ignore[method-assign]
    app.state.workbench = Workbench(service, settings)
    app.state.doorkeeper = doorkeeper = doorkeeper or Doorkeeper(settings.token)
    app.state.pages = Pages()
    for module in _ROUTES:
        app.include_router(module.router)
    app.add_exception_handler(RarefindError, _told)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _refused)
    # The last one added is the first to see a request.
    if short_way:
        app.add_middleware(ShortWay, bench=app.state.workbench, told=_in_an_answer)
    app.add_middleware(SameOrigin, settings=settings)
    app.add_middleware(
        SignIn, settings=settings, doorkeeper=doorkeeper, guests=app.state.workbench.guests
    )
    app.add_middleware(HostCheck, settings=settings)
    app.add_middleware(SizeCap, settings=settings)
    app.add_middleware(Headers)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.workbench.close()


async def _told(request: Request, problem: Exception) -> Answer:
    assert isinstance(problem, RarefindError)
    bench: Workbench = request.app.state.workbench
    return await _in_an_answer(bench, problem, request.path_params.get("id"))


async def _in_an_answer(bench: Workbench, problem: RarefindError, hunt: str | None) -> Answer:
    body = await bench.quick(_in_words, bench, problem, hunt)
    return Answer(body, status_code=status_of(problem))


def _in_words(bench: Workbench, problem: RarefindError, hunt: str | None) -> dict[str, Any]:
    body: dict[str, Any] = {"error": bench.said(problem.worded(field_name))}
    if isinstance(problem, NotReadyError) and hunt is not None:
        view = bench.service.hunt(hunt)
        state = bench.state(view.id, view.state)
        body.update(state=state.state, progress=state.step)
    return body


async def _not_valid(request: Request, problem: Exception) -> Answer:
    assert isinstance(problem, RequestValidationError)
    first = problem.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:] if not isinstance(part, int))
    message = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "missing":
        message = "it is missing" + (f"; {_OWN_ID}" if place == "id" else "")
    where = f"'{place}'" if place else "the body"
    sentence = f"There is something wrong with {where[:100]} in this request: {message[:200]}."
    return Answer({"error": sentence}, status_code=422)


_OWN_ID = "make a UUID, and send the same one again if no answer comes"
"""What programs do not know of the ids of answers."""


async def _refused(request: Request, problem: Exception) -> Answer:
    assert isinstance(problem, HTTPException)
    words = {404: "There is nothing at this address.", 405: "This address does not take that."}
    sentence = words.get(problem.status_code, str(problem.detail))
    return Answer({"error": sentence}, status_code=problem.status_code, headers=problem.headers)
