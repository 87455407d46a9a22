"""What every request passes before a route sees it: a pure ASGI ring for each question.

From the outside in: headers and the last resort, size, host, sign-in, origin.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets

from starlette.exceptions import HTTPException

from rarefind.web.guard.asgi import SAFE_METHODS, App, Message, Receive, Scope, Send, header, refuse
from rarefind.web.server_settings import ServerSettings

log = logging.getLogger("rarefind.web")

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        b"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
"""The page loads nothing from elsewhere, runs no inline script, and is shown in nobody's frame."""

# What a form on any page may send without asking us first.
_FORM_TYPES = frozenset({"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
_MOST_HEADERS = 100
"""A browser sends some twenty; more only cost memory."""


class Headers:
    """Puts the security headers on every answer, and answers for whatever went wrong inside."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = False

        async def with_headers(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                names = {name for name, _ in message["headers"]}
                extra = [pair for pair in HEADERS if pair[0] not in names]
                if b"cache-control" not in names:
                    extra.append((b"cache-control", b"no-store"))
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        try:
            await self.app(scope, receive, with_headers)
        except Exception:
            number = secrets.token_hex(4)
            log.exception("Problem %s: %s %s", number, scope["method"], scope["path"])
            if began:
                raise
            await refuse(
                with_headers,
                500,
                "Something went wrong that should not have; it is in the server's log as "
                f"{number}. What was acknowledged is safe.",
            )


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


class HostCheck:
    """Refuses requests meant for another host: a foreign name that resolves to this machine."""

    def __init__(self, app: App, settings: ServerSettings) -> None:
        self.app, self.hosts = app, settings.hosts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http":
            named = [value for name, value in scope["headers"] if name == b"host"]
            if len(named) != 1 or str(named[0], "latin-1").lower() not in self.hosts:
                await refuse(
                    send,
                    403,
                    "This server does not answer under that name. Open the address that rarefind "
                    "printed; behind a proxy, start it with --public-url.",
                )
                return
        await self.app(scope, receive, send)


class SameOrigin:
    """Refuses what another site makes a browser send: by where it comes from and by its type."""

    def __init__(self, app: App, settings: ServerSettings) -> None:
        self.app, self.origins = app, settings.origins()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http" and _foreign(scope, self.origins):
            await refuse(
                send, 403, "This request comes from another site or from a form, and is refused."
            )
            return
        await self.app(scope, receive, send)


def too_large(cap: int) -> str:
    """Say what the largest body is."""
    most = f"{cap >> 20} MB" if cap >= 1 << 20 else f"{cap} bytes"
    return f"The body of this request is larger than {most}, the most that this server takes here."


def _foreign(scope: Scope, origins: frozenset[str]) -> bool:
    site = header(scope, b"sec-fetch-site")
    if scope["method"] in SAFE_METHODS:
        # Following a link to the page is fine, reading data for another page is not.
        link = scope["path"] in ("/", "/join") and header(scope, b"sec-fetch-mode") in (
            None,
            "navigate",
        )
        return site in ("cross-site", "same-site") and not link
    origin = header(scope, b"origin")
    if site is not None and site not in ("same-origin", "none"):
        return True
    if origin is not None and not _is_ours(origin.lower(), scope, origins):
        return True
    if site is None and origin is None and scope.get("signed_in") == "cookie":
        return True  # every browser says at least one of the two
    kind = (header(scope, b"content-type") or "").partition(";")[0].strip().lower()
    return kind in _FORM_TYPES


def _is_ours(origin: str, scope: Scope, origins: frozenset[str]) -> bool:
    """Whether a page comes from this server: the same way (http or https), to the same host."""
    return (
        origin in origins and origin.partition("://")[2] == (header(scope, b"host") or "").lower()
    )
