"""Requests meant for another host."""

from __future__ import annotations

from rarefind.web.guard.asgi import App, Receive, Scope, Send, refuse
from rarefind.web.server_settings import ServerSettings


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
