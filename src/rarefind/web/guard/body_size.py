"""Bodies that are too large, or come too slowly."""

from __future__ import annotations

import asyncio
import re

from starlette.exceptions import HTTPException

from rarefind.web.guard.asgi import App, Message, Receive, Scope, Send, header, refuse
from rarefind.web.server_settings import ServerSettings

_MOST_HEADERS = 100
"""A browser sends some twenty; more only cost memory."""

_UPLOAD = re.compile(r"/api/datasets/|/api/hunts/[^/]+/import/")
"""Where files are sent to."""


class SizeCap:
    """Refuses bodies that are too large (also when their length is a lie) or come too slowly."""

    def __init__(self, app: App, settings: ServerSettings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if len(scope["headers"]) > _MOST_HEADERS:
            await refuse(send, 400, f"A request may have at most {_MOST_HEADERS} headers.")
            return
        upload = scope["method"] == "PUT" and _UPLOAD.match(scope["path"]) is not None
        cap = self.settings.upload_bytes if upload else self.settings.body_bytes
        length = header(scope, b"content-length")
        if length is not None and (not length.isdecimal() or int(length[:20]) > cap):
            await refuse(send, 413, too_large(cap))
            return
        if length is None and header(scope, b"transfer-encoding") is None:
            await self.app(scope, receive, send)  # no body to watch
            return
        taken, whole, loop = 0, False, asyncio.get_running_loop()
        # A small body must be whole in time; an upload must not stand still.
        deadline = loop.time() + self.settings.body_seconds

        async def capped() -> Message:
            nonlocal taken, whole, deadline
            if whole:
                return await receive()  # now waits for the other side to hang up
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, "The body of the request came too slowly.") from None
            taken += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if upload:
                deadline = loop.time() + self.settings.body_seconds
            if taken > cap:
                raise HTTPException(413, too_large(cap))
            return message

        await self.app(scope, capped, send)


def too_large(cap: int) -> str:
    """Say what the largest body is."""
    most = f"{cap >> 20} MB" if cap >= 1 << 20 else f"{cap} bytes"
    return f"The body of this request is larger than {most}, the most that this server takes here."
