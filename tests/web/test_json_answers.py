from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest

from rarefind.core.errors import (
    DataError,
    ParameterError,
    RarefindError,
    StateError,
    TooLargeError,
    UnknownNameError,
)
from rarefind.web.routes.json_answers import Answer, status_of, written


@dataclass(frozen=True)
class View:
    name: str
    values: np.ndarray
    share: float


def test_views_become_json_and_what_is_no_number_becomes_null():
    view = View("<b>ü</b>", np.array([1.5, np.nan, np.inf]), float("nan"))
    read = json.loads(written({"view": view, "more": (np.int64(3), np.bool_(True), {2: None})}))
    assert read == {
        "view": {"name": "<b>ü</b>", "values": [1.5, None, None], "share": None},
        "more": [3, True, {"2": None}],
    }


def test_text_that_is_no_unicode_does_not_break_an_answer():
    assert json.loads(Answer({"cell": "a\ud800b"}).body)["cell"] == "a?b"


@pytest.mark.parametrize(
    ("problem", "status"),
    [
        (UnknownNameError, 404),
        (StateError, 409),
        (TooLargeError, 413),
        (DataError, 422),
        (ParameterError, 422),
        (RarefindError, 400),
    ],
)
def test_each_error_has_its_status(problem, status):
    assert status_of(problem("x")) == status
