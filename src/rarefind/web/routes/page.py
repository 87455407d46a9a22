"""The page itself."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from rarefind.web.pages import Pages

router = APIRouter(include_in_schema=False)


@router.get("/")
async def index(request: Request) -> Response:
    """Return the page."""
    return _pages(request).answer("index.html", request)


@router.get("/static/{name:path}")
async def static(name: str, request: Request) -> Response:
    """Return a part of the page."""
    return _pages(request).answer(name, request)


@router.get("/favicon.ico")
async def icon(request: Request) -> Response:
    """Return the icon, for browsers that ask for it unasked."""
    return _pages(request).answer("icon.svg", request)


def _pages(request: Request) -> Pages:
    pages: Pages = request.app.state.pages
    return pages
