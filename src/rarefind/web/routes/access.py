"""What routes get at: the service, the person, and threads for whatever may wait."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, cast
from urllib.parse import quote, unquote

from fastapi import Depends, Path, Request

from rarefind.core.errors import NotAllowedError
from rarefind.service.showing.views import HuntState
from rarefind.web.guard.asgi import cookie, header
from rarefind.web.guard.seats import OWNER, GuestList, Visitor
from rarefind.web.guard.sign_in import cookie_name
from rarefind.web.live.events import Hub
from rarefind.web.live.jobs import Jobs, Kind
from rarefind.web.live.threads import Threads
from rarefind.web.routes.bodies import MOST_ROW
from rarefind.web.routes.json_answers import Answer
from rarefind.web.server_settings import ServerSettings
from rarefind.web.uploads import Uploads

if TYPE_CHECKING:
    from rarefind.service.facade import Service

_QUICK, _ASKING, _OPENING, _LOOKING, _DRAWING, _EXPLAINING = 8, 16, 4, 4, 4, 2
"""Threads of each lane; most for asking, since those who wait for a strategy use no processor."""

_AT_REST = ("closed", "failed")
"""States in which nothing goes on."""

_LONGEST_NAME = 80
"""Characters of a person's name in the cookie."""


class Workbench:
    """Everything a route may use.

    Whatever may wait runs in a lane, threads that are there for one kind of call: so that a map of
    a million records never keeps anybody from asking, nor a slow strategy anybody from telling, nor
    a file anybody from either.

    Attributes
    ----------
    quick
        What looks something up, or writes one transaction.
    asking
        What may wait for a strategy to make up its mind.
    opening
        What reads files to begin hunts in.
    looking
        What shows records, and reads them first if nobody has.
    drawing
        Maps, exports, reports: what may take seconds of a processor.
    explaining
        What may wait for rankings under way.
    guests
        Who was invited.
    """

    def __init__(self, service: Service, settings: ServerSettings) -> None:
        self.service, self.settings = service, settings
        self.uploads = Uploads(settings)
        self.hub = Hub(service)
        self.jobs = Jobs(self.hub.publish)
        self.quick = Threads(_QUICK, "quick")
        self.asking = Threads(_ASKING, "asking")
        self.opening = Threads(_OPENING, "opening")
        self.looking = Threads(_LOOKING, "looking")
        self.drawing = Threads(_DRAWING, "drawing")
        self.explaining = Threads(_EXPLAINING, "explaining")
        self.guests = GuestList(lambda: self.quick(service.persons))

    async def begun(self, id: str, kind: Kind, work: Callable[[str], Any]) -> Answer:
        """Begin long work on a hunt in the background, and answer with the job."""
        hunt = await self.quick(self.service.id_of, id)
        job = self.jobs.start(hunt, kind, lambda: work(hunt))
        return Answer({"job": job.id}, status_code=202)

    def set_up(self, hunt: str) -> None:
        """Let the strategy of a hunt look at the records, in the background."""
        self.jobs.start(hunt, "prepare", lambda: self.service.prepare(hunt), alone=True)

    def state(self, hunt: str, state: HuntState) -> HuntState:
        """Tell the state of a hunt, one whose set-up waits for its turn included."""
        waiting = any(job.kind == "prepare" for job in self.jobs.running(hunt))
        return HuntState("preparing") if waiting and state.state in _AT_REST else state

    def said(self, sentence: str) -> str:
        """Tell an error to a browser: files by their names.

        A sentence that names a file is looked up among all that are known, and so belongs into a
        lane; the others, which are most, cost nothing.
        """
        for data in self.service.store.datasets() if os.sep in sentence else ():
            sentence = sentence.replace(data.path, data.name)
        home = str(self.settings.home.resolve())
        return sentence.replace(f"{home}/", "")

    def close(self) -> None:
        """Stop the jobs and end the threads; the service belongs to whoever made it."""
        self.hub.close()
        self.jobs.close()
        for lane in (
            self.quick, self.asking, self.opening, self.looking, self.drawing, self.explaining
        ):  # fmt: skip
            lane.close()


def workbench(request: Request) -> Workbench:
    """Return the workbench of the application."""
    return cast(Workbench, request.app.state.workbench)


def name_cookie(settings: ServerSettings) -> str:
    """Name the cookie that holds the annotator's name."""
    return f"{cookie_name(settings)}-name"


def visitor(request: Request) -> Visitor:
    """Return who sends a request."""
    return cast(Visitor, request.scope.get("visitor", OWNER))


def chosen_name(request: Request) -> str | None:
    """Return the name a person was invited under, or that this client gave: by header or cookie."""
    settings = workbench(request).settings
    invited = visitor(request).name
    if invited is not None:
        return invited
    given = header(request.scope, b"x-annotator")
    if given is None:
        given = cookie(request.scope, name_cookie(settings))
    name = "" if given is None else unquote(given, errors="replace").strip()
    return name if 0 < len(name) <= _LONGEST_NAME and name.isprintable() else None


def written_name(name: str) -> str:
    """Write a name so that a cookie can hold it."""
    return quote(name, safe="")


def annotator(request: Request) -> str:
    """Return the name of whoever asks or tells."""
    return chosen_name(request) or workbench(request).settings.annotator


# Dependencies that are not coroutines would each be called in a thread.
async def _bench(request: Request) -> Workbench:
    return workbench(request)


async def _person(request: Request) -> str:
    return annotator(request)


async def _leads(request: Request) -> bool:
    return visitor(request).role == "leads"


async def _only_leads(request: Request) -> None:
    if visitor(request).role != "leads":
        raise NotAllowedError("Only who leads may do this: ask one of them.")


Leads = Annotated[bool, Depends(_leads)]
ONLY_LEADS = Depends(_only_leads)
"""For routes that change what others said, or who may come in."""

Bench = Annotated[Workbench, Depends(_bench)]
Annotator = Annotated[str, Depends(_person)]
HuntId = Annotated[str, Path(pattern=r"^[0-9A-Za-z_-]{1,64}$", description="Id of a hunt.")]
RankingId = Annotated[str, Path(pattern=r"^[0-9A-Za-z_-]{1,64}$", description="Id of a ranking.")]
JobId = Annotated[str, Path(pattern=r"^[0-9a-f]{1,64}$", description="Id of a job.")]
RowNumber = Annotated[int, Path(ge=0, le=MOST_ROW, description="Row of a record, from 0.")]
