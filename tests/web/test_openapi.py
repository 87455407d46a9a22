"""The OpenAPI document is kept in docs/ and must be the one that is served."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.web.running import Threaded

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "docs" / "openapi.json"
AGAIN = "Write it again: python -m rarefind.web.openapi docs/openapi.json"
CONTRACT = """
GET /health
GET /api/me
PUT /api/me
POST /api/join
GET /api/people
POST /api/people
POST /api/people/{id}/revoke
POST /api/people/{id}/role
GET /api/examples
POST /api/examples/{name}
PUT /api/datasets/{filename}
GET /api/datasets
GET /api/datasets/{id}
POST /api/hunts
GET /api/hunts
GET /api/hunts/{id}
POST /api/hunts/{id}/prepare
POST /api/hunts/{id}/cancel
DELETE /api/hunts/{id}
POST /api/hunts/{id}/restore
PUT /api/hunts/{id}/import/{filename}
POST /api/hunts/{id}/ask
POST /api/hunts/{id}/spares
POST /api/hunts/{id}/labels
POST /api/hunts/{id}/skip
POST /api/hunts/{id}/undo
POST /api/hunts/{id}/rename
POST /api/hunts/{id}/merge
POST /api/hunts/{id}/keys
POST /api/hunts/{id}/settings
GET /api/hunts/{id}/records/{row}
GET /api/hunts/{id}/progress
GET /api/hunts/{id}/history
GET /api/hunts/{id}/find
GET /api/hunts/{id}/find/rows
POST /api/hunts/{id}/find/previews
POST /api/hunts/{id}/labels/many
POST /api/hunts/{id}/undo/many
GET /api/hunts/{id}/map
POST /api/hunts/{id}/map
GET /api/hunts/{id}/map/columns
GET /api/hunts/{id}/map/column
GET /api/hunts/{id}/map/legend
GET /api/hunts/{id}/map/labels
GET /api/hunts/{id}/map/scores
POST /api/hunts/{id}/rankings
GET /api/hunts/{id}/rankings
GET /api/hunts/{id}/jobs/{job}
POST /api/hunts/{id}/jobs/{job}/cancel
GET /api/hunts/{id}/rankings/{ranking}
GET /api/hunts/{id}/rankings/{ranking}/votes/{row}
GET /api/hunts/{id}/rankings/{ranking}/summary
POST /api/hunts/{id}/comparisons
POST /api/hunts/{id}/comparisons/report
POST /api/hunts/{id}/harvest
POST /api/hunts/{id}/harvest/answers
GET /api/models
GET /api/strategies
GET /api/kernels
GET /api/embedders
GET /api/hunts/{id}/export
GET /api/hunts/{id}/report
GET /api/hunts/{id}/label-studio/health
POST /api/hunts/{id}/label-studio/setup
POST /api/hunts/{id}/label-studio/predict
POST /api/hunts/{id}/label-studio/webhook
GET /api/hunts/{id}/events
"""


def test_the_document_that_is_kept_is_the_one_served(inside):
    served = inside.api.get("/api/openapi.json").json()
    assert json.loads(KEPT.read_text(encoding="utf-8")) == served, AGAIN


def test_every_route_agreed_on_is_there_and_no_other(inside):
    routes = {f"{method} {path}" for method, path in inside.routes()}
    assert routes == set(CONTRACT.split("\n")) - {""}


def test_every_route_is_described_and_says_what_errors_look_like(inside):
    for path, methods in inside.app.openapi()["paths"].items():
        for method, route in methods.items():
            assert route["description"], (method, path)
            error = route["responses"]["default"]["content"]["application/json"]["schema"]
            assert error["required"] == ["error"]


def test_every_json_answer_is_described(inside):
    binary = re.compile(r"/(events|export|report|find/rows|map(/labels|/scores|/column)?)$")
    for path, methods in inside.app.openapi()["paths"].items():
        for method, route in methods.items():
            if method == "get" and binary.search(path):
                continue
            good = next(answer for code, answer in route["responses"].items() if code[0] == "2")
            assert good["content"]["application/json"]["schema"], (method, path)


def test_the_page_on_the_workbench_names_every_route(inside):
    text = (ROOT / "docs" / "workbench.md").read_text(encoding="utf-8")
    for _, path in inside.routes():
        assert path in text, path


def test_the_program_on_the_page_runs_as_printed(tmp_path, monkeypatch):
    text = (ROOT / "docs" / "workbench.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```py\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    with Threaded(tmp_path) as server:
        (tmp_path / "rarefind.files").mkdir()
        (tmp_path / "rarefind.files" / "token").write_text(server.token)
        monkeypatch.chdir(tmp_path)
        for turn in (1, 2):  # the second time it goes on with its hunt
            names: dict = {}
            exec(code.replace("http://127.0.0.1:8737", server.address), names)
            names["api"].close()
            events = server.api.get(f"/api/hunts/{names['hunt']}/history").json()
            assert [(each["annotator"], each["value"]) for each in events] == [
                ("robot", "ordinary")
            ] * turn


def test_the_ways_to_sign_in_are_described_and_only_the_watchdog_needs_none(inside):
    document = inside.app.openapi()
    assert set(document["components"]["securitySchemes"]) == {"token", "browser", "password"}
    open_ = []
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            signed = route.get("security", document["security"])
            stranger = inside.client().request(
                method.upper(), path.replace("{", "").replace("}", "")
            )
            assert (stranger.status_code != 401) == (signed == []), (method, path)
            open_ += [path] if signed == [] else []
    assert sorted(open_) == ["/api/join", "/health"]


def test_operations_have_names_of_their_own_and_groups_that_are_explained(inside):
    document = inside.app.openapi()
    routes = [route for methods in document["paths"].values() for route in methods.values()]
    names = [route["operationId"] for route in routes]
    assert len(set(names)) == len(names)
    explained = {tag["name"] for tag in document["tags"] if tag["description"]}
    assert {tag for route in routes for tag in route["tags"]} <= explained
