"""The outermost ring: security headers on every answer, and an answer for whatever went wrong."""

from __future__ import annotations

import logging
import secrets

from rarefind.web.guard.asgi import App, Message, Receive, Scope, Send, refuse

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
