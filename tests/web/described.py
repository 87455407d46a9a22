"""Answers beside their description: what the OpenAPI document promises is what is sent."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import cache
from typing import Any

import httpx
import schemathesis
from schemathesis import Response


class Described:
    """Checks answers against an OpenAPI document."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._schema = _schema(json.dumps(document, sort_keys=True))

    def check(self, answer: httpx.Response) -> None:
        """Refuse an answer that is not as described; what the document does not know may be."""
        request = answer.request
        operation = self._schema.find_operation_by_path(request.method, request.url.path)
        if operation is None or answer.headers.get("content-type", "").startswith("text/event"):
            return
        answer.read()
        answer.elapsed = timedelta(0)  # else unknown until the answer is handed on
        operation.validate_response(Response.from_httpx(answer, verify=False))


@cache
def _schema(document: str) -> Any:
    return schemathesis.openapi.from_dict(json.loads(document))
