"""The short way for what is sent most often: questions and answers.

The routes are those of the interface and do all the work; what is saved is the framework's way to
them, which cost more than the answer itself. Whatever is not plain goes the whole way, so that
there is one place for every refusal.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from rarefind.core.errors import RarefindError
from rarefind.web.guard.asgi import App, Message, Receive, Scope, Send, header, refuse
from rarefind.web.routes import labels
from rarefind.web.routes.access import Workbench, annotator
from rarefind.web.routes.bodies import Ask, Label

Told = Callable[[Workbench, RarefindError, str | None], Awaitable[Response]]
"""Words an error of ours as every route does."""

_PATH = re.compile(r"/api/hunts/([0-9A-Za-z_-]{1,64})/(ask|labels)")
"""The paths that go the short way, with the id of the hunt."""

_WAYS: dict[str, tuple[Any, Any]] = {"ask": (Ask, labels.ask), "labels": (Label, labels.tell)}
"""The body and the route of each."""


class ShortWay:
    """Calls the routes of questions and answers directly."""

    def __init__(self, app: App, bench: Workbench, told: Told) -> None:
        self.app, self.bench, self.told = app, bench, told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it."""
        found = None
        if scope["type"] == "http" and scope["method"] == "POST":
            found = _PATH.fullmatch(scope["path"])
        if found is None or header(scope, b"content-type") != "application/json":
            await self.app(scope, receive, send)
            return
        hunt, name = found[1], found[2]
        body, route = _WAYS[name]
        try:
            sent = await _whole(receive)
        except HTTPException as refused:
            await refuse(send, refused.status_code, str(refused.detail))
            return
        if sent is None:
            return  # they hung up
        try:
            wanted = body.model_validate_json(sent)
        except ValidationError:
            await self.app(scope, _again(sent, receive), send)
            return
        try:
            answer = await route(hunt, wanted, self.bench, annotator(Request(scope)))
        except RarefindError as problem:
            answer = await self.told(self.bench, problem, hunt)
        await answer(scope, receive, send)


async def _whole(receive: Receive) -> bytes | None:
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Give a body out once more, then whatever comes."""
    left = [body]

    async def receive_again() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return receive_again
