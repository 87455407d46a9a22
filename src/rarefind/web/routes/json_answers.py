"""Answers as JSON, and errors as one sentence with the right status."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from rarefind.core.errors import (
    DataError,
    MissingPackageError,
    NotAvailableError,
    ParameterError,
    RarefindError,
    StateError,
    StorageError,
    TooLargeError,
    UnknownNameError,
)
from rarefind.service.hunts.opened import NotReadyError
from rarefind.service.showing.views import as_plain
from rarefind.store.database.problems import OutOfReachError

_STATUS: tuple[tuple[type[RarefindError], int], ...] = (
    (UnknownNameError, 404),
    (NotReadyError, 503),
    (OutOfReachError, 503),
    (StorageError, 507),
    (StateError, 409),
    (TooLargeError, 413),
    (MissingPackageError, 503),
    (ParameterError, 422),
    (DataError, 422),
    (NotAvailableError, 422),
)
"""The first that fits: classes before those they derive from."""


class Answer(Response):
    """A JSON answer made of what the service returns: dataclasses, arrays, mappings, text."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write the content."""
        return written(content).encode("utf-8", "replace")


def written(value: Any) -> str:
    """Write a value as JSON; what is not a number becomes null."""
    try:
        return _WRITER.encode(value)
    except (ValueError, TypeError):  # something that is not a number, or an unusual key
        return _WRITER.encode(as_plain(value))


def _opened(value: Any) -> Any:
    """Turn one value into something the writer knows; it comes back for what is inside."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    return as_plain(value)


_WRITER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_opened
)
"""Compact, and strict: NaN is no JSON."""


_FIELDS = frozenset(
    {"name", "kernel", "kinds", "leave_out", "label_column", "priors", "model", "replace"}
)
"""What the bodies and queries of requests may hold, of all that remedies speak of."""


def field_name(name: str, value: str) -> str | None:
    """Name the field of a request that stands for an argument; None if there is none.

    >>> field_name("name", ""), field_name("store", "")
    ("'name'", None)
    """
    return f"'{name}'" if name in _FIELDS else None


def status_of(problem: RarefindError) -> int:
    """Return the status that goes with an error."""
    for kind, status in _STATUS:
        if isinstance(problem, kind):
            return status
    return 400
