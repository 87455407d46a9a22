"""Who may come in: a browser with a cookie, an API client with the token, and nobody else.

A cookie is that of whoever has the token, or of a person who was invited.
"""

from __future__ import annotations

import base64
import re
from urllib.parse import parse_qs

from rarefind.web.guard.asgi import App, Receive, Scope, Send, answer, cookie, header, refuse
from rarefind.web.guard.seats import OWNER, GuestList, Visitor
from rarefind.web.guard.tokens import SESSION_SECONDS, Doorkeeper
from rarefind.web.server_settings import ServerSettings

JOIN = "/join"
"""Where invitations lead. Their secret stands behind the '#', which no browser sends."""

OPEN_PATHS = frozenset(
    {
        "/health",  # for watchdogs, which have no token
        JOIN,
        "/api/join",
        "/static/icon.svg",
        "/static/frame/tokens.css",
        "/static/frame/ground.css",
        "/static/lib/cards.css",
        "/static/lib/buttons.css",
        "/static/lib/fields.css",
        "/static/join/page.css",
        "/static/join/page.js",
    }
)
"""What is served to anybody: that the server is up, and the page that takes an invitation."""

_PLACE = re.compile(r"/[A-Za-z0-9/_-]{0,200}", re.ASCII)
"""Places within the page, so that a link cannot lead anywhere else."""

_STUDIO = re.compile(r"/api/hunts/[0-9A-Za-z_-]{1,64}/label-studio(/[a-z]{1,20})?", re.ASCII)
"""Called by Label Studio, which signs in with a name and a password: the token is the password."""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>rarefind</title>{extra}</head>
<body><h1>rarefind</h1>{text}</body></html>
"""
"""Plain, because nobody is signed in yet and nothing else is served."""

_NO_COOKIE = """<p>This browser is not signed in.</p>
<p>Open the link that <code>rarefind serve</code> printed when it started, or the invitation you
were sent. Each works once: for another, ask whoever leads, run <code>rarefind people invite</code>,
or <a href="/join">sign in with the token</a> from the server's token file.</p>
<p><a href="/">Try again</a></p>"""
"""What to do, for somebody without a link."""


def cookie_name(settings: ServerSettings) -> str:
    """Name the cookie; cookies do not know of ports, so the name does."""
    return f"rarefind-{settings.port}"


class SignIn:
    """Lets nobody past without the cookie or the token."""

    def __init__(
        self, app: App, settings: ServerSettings, doorkeeper: Doorkeeper, guests: GuestList
    ) -> None:
        self.app, self.settings, self.doorkeeper, self.guests = app, settings, doorkeeper, guests
        self.name = cookie_name(settings)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS:
            await self.app(scope, receive, send)
            return
        if scope["path"] == "/" and scope["method"] == "GET" and b"token=" in scope["query_string"]:
            await self._launch(scope, send)
            return
        how = self._signed_in(scope)
        visitor = None if how is None else await self._visitor(scope, how)
        if visitor is not None:
            scope["signed_in"], scope["visitor"] = how, visitor
            await self.app(scope, receive, send)
        elif scope["path"].startswith("/api/"):
            await refuse(
                send,
                401,
                "Not signed in: open the link that rarefind printed, or send the header "
                "'Authorization: Bearer' with the token.",
            )
        else:
            await _page(send, 401, _NO_COOKIE)

    def _signed_in(self, scope: Scope) -> str | None:
        authorization = header(scope, b"authorization")
        if authorization is not None:
            kind, _, token = authorization.partition(" ")
            if kind.lower() == "basic" and _STUDIO.fullmatch(scope["path"]):
                return "basic" if self.doorkeeper.is_token(_password(token)) else None
            right = kind.lower() == "bearer" and self.doorkeeper.is_token(token.strip())
            return "bearer" if right else None
        value = cookie(scope, self.name)
        return "cookie" if value is not None and self.doorkeeper.knows(value) else None

    async def _visitor(self, scope: Scope, how: str) -> Visitor | None:
        """Return who it is; None for somebody who was shut out."""
        value = cookie(scope, self.name) if how == "cookie" else None
        seat = None if value is None else self.doorkeeper.seat(value)
        return OWNER if seat is None else await self.guests.visitor(seat)

    async def _launch(self, scope: Scope, send: Send) -> None:
        try:
            query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=10)
        except ValueError:  # more fields than any link of ours has
            query = {}
        if not self.doorkeeper.admits(query.get("token", [""])[0]):
            # Whoever reloads the link is already in.
            if self._signed_in(scope) != "cookie":
                await _page(send, 401, _NO_COOKIE)
                return
            value = None
        else:
            value = self.doorkeeper.cookie()
        place = query.get("go", ["/"])[0]
        target = f"/#{place}" if place != "/" and _PLACE.fullmatch(place) else "/"
        headers = [(b"location", target.encode())]
        if value is not None:
            headers.append((b"set-cookie", set_cookie(self.settings, self.name, value)))
        if header(scope, b"sec-fetch-site") in (None, "none", "same-origin"):
            await answer(send, 303, b"", b"text/plain", headers)
            return
        # Sent here by another site: a redirect would go on without the strict cookie, a step that
        # our own page takes does not.
        onward = f'<meta http-equiv="refresh" content="0;url={target}">'
        await _page(send, 200, f'<p><a href="{target}">Go on</a></p>', onward, headers[1:])


def _password(encoded: str) -> str:
    """Return the password of a header of basic authentication; nothing if it is none."""
    try:
        pair = base64.b64decode(encoded.strip(), validate=True).decode("utf-8")
    except ValueError:
        return ""
    return pair.partition(":")[2]


def set_cookie(settings: ServerSettings, name: str, value: str) -> bytes:
    """Write a cookie that scripts cannot read and other sites cannot send."""
    secure = "; Secure" if settings.secure else ""
    life = f"Max-Age={SESSION_SECONDS}"
    return f"{name}={value}; Path=/; {life}; HttpOnly; SameSite=Strict{secure}".encode("ascii")


async def _page(
    send: Send,
    status: int,
    text: str,
    extra: str = "",
    headers: list[tuple[bytes, bytes]] | None = None,
) -> None:
    body = _PAGE.format(text=text, extra=extra).encode()
    await answer(send, status, body, b"text/html; charset=utf-8", headers or [])
