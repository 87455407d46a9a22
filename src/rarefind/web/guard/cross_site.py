"""What another site makes a browser send."""

from __future__ import annotations

from rarefind.web.guard.asgi import SAFE_METHODS, App, Receive, Scope, Send, header, refuse
from rarefind.web.server_settings import ServerSettings

# What a form on any page may send without asking us first.
_FORM_TYPES = frozenset({"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})


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
