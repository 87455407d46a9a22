"""What the OpenAPI document says besides the routes: for whom, how to sign in, what tags mean."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from rarefind.web.guard.sign_in import OPEN_PATHS

DESCRIPTION = """Everything the workbench does can be done over HTTP.

A hunt asks about one record at a time: ask, look, tell, until the rare classes are seen; then rank
all records for one of them. Every answer is kept before it is acknowledged. Ids of events are made
by the client, so that an answer sent twice counts once. What goes wrong is told in one sentence,
`{"error": …}`. A hunt that is not ready answers 503 with how far its set-up is: ask again.
"""
"""Stands above the description of the interface."""

TAGS = [
    {"name": "server", "description": "Whether it is up."},
    {"name": "people", "description": "Who may come in, and under whose name answers are kept."},
    {"name": "data sets", "description": "Files to hunt in: uploaded, or examples."},
    {"name": "hunts", "description": "Opened, set up, changed, taken home."},
    {"name": "labels", "description": "Asking and telling, and what was said so far."},
    {"name": "finding", "description": "Records by what they hold, and what was said of them."},
    {"name": "map", "description": "All records in the plane, as plain numbers."},
    {"name": "rankings", "description": "All records by their likeness to a class."},
    {"name": "harvest", "description": "A class brought home, ten looks at a time."},
    {"name": "jobs", "description": "Work that takes long, and how far it has come."},
    {"name": "names", "description": "Models, strategies and kernels there are."},
    {"name": "Label Studio", "description": "Called by Label Studio: the hunt chooses its tasks."},
]
"""The groups of routes."""

_SCHEMES = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token in the server's token file: `Authorization: Bearer TOKEN`.",
    },
    "browser": {
        "type": "apiKey",
        "in": "cookie",
        "name": "rarefind-PORT",
        "description": "The cookie that the link of `rarefind serve` sets; PORT is the server's.",
    },
    "password": {
        "type": "http",
        "scheme": "basic",
        "description": "Any name, and the token as the password: for Label Studio alone.",
    },
}
"""The ways to sign in."""


def operation_id(route: APIRoute) -> str:
    """Name a route for those who make programs of the document: its group and what it does."""
    group = route.tags[0] if route.tags else "page"
    return f"{group}-{route.name}".lower().replace(" ", "-").replace("_", "-")


def secured(app: FastAPI) -> dict[str, Any]:
    """Return the document of an application, with the ways to sign in."""
    document = FastAPI.openapi(app)
    document.setdefault("components", {})["securitySchemes"] = _SCHEMES
    document["security"] = [{"token": []}, {"browser": []}]
    for path, methods in document["paths"].items():
        for route in methods.values():
            if path in OPEN_PATHS:
                route["security"] = []
            elif "/label-studio" in path:
                route["security"] = [{"token": []}, {"password": []}]
    return document
