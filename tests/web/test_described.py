"""Whatever is sent, every route answers as the OpenAPI document says, and none of them breaks."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.core.failures import Failure

from tests.web.described import Described
from tests.web.inside import Inside
from tests.web.running import label, open_hunt, table

DOCUMENT = Path(__file__).parents[2] / "docs" / "openapi.json"
OUR_FAULT = {500, 501, 502, 504}


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """An application with a hunt, some answers, and the ids that there are."""
    with Inside(tmp_path_factory.mktemp("described")) as inside:
        hunt = open_hunt(inside.api, table(60), strategy="random")
        for row in range(6):
            inside.api.post(f"/api/hunts/{hunt}/labels", json=label(row, "ab"[row % 2]))
        ids = {"id": hunt, "name": "buried-disc", "row": 5, "filename": "more.csv"}
        yield inside, ids


def operations():
    """Every route but the one that never ends."""
    schema = schemathesis.openapi.from_path(DOCUMENT)
    found = [each.ok() for each in schema.get_all_operations()]
    return [each for each in found if not each.path.endswith("/events")]


@pytest.mark.parametrize("operation", operations(), ids=lambda each: each.label)
def test_every_route_answers_as_described(known, operation):
    inside, ids = known

    @settings(
        max_examples=8,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(), real=st.booleans())
    def send(case, real):
        if real:  # the ids that there are, or nothing but refusals would be seen
            case.path_parameters = {
                name: ids.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
        sent = case.as_transport_kwargs(base_url="http://127.0.0.1:8737")
        body = {name: sent[name] for name in ("json", "data", "params") if sent.get(name)}
        if isinstance(body.get("data"), bytes | str):
            body["content"] = body.pop("data")
        try:
            answer = inside.api.request(case.method, sent["url"], **body)
        except httpx.InvalidURL:
            return
        assert answer.status_code not in OUR_FAULT, answer.text

    send()


def test_an_answer_that_is_not_as_described_is_noticed(known):
    inside, _ = known
    described = Described(inside.app.openapi())
    request = httpx.Request("GET", "http://127.0.0.1:8737/api/me")
    for wrong in (
        {"annotator": 1, "chosen": True, "role": "leads", "invited": False},
        {"annotator": "anna"},
    ):
        answer = httpx.Response(200, json=wrong, request=request)
        with pytest.raises(Failure, match=re.escape("violates schema")):
            described.check(answer)
