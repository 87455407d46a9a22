"""Rarefind as the backend of Label Studio, by requests of the form that Label Studio documents."""

from __future__ import annotations

import base64

import pytest

from tests.web.inside import TOKEN, Inside
from tests.web.running import open_hunt, table

INTERFACE = (
    '<View><Text name="what" value="$text"/>'
    '<Choices name="kind" toName="what"><Choice value="odd"/></Choices></View>'
)


def task(number, row):
    return {
        "id": number,
        "data": {"text": f"record {row}", "rarefind_row": row},
        "annotations": [],
        "predictions": [],
        "project": 1,
    }


def happened(action, row, label, number=7, **more):
    result = {
        "id": "a1", "from_name": "kind", "to_name": "what", "type": "choices",
        "value": {"choices": [label]},
    }  # fmt: skip
    annotation = {
        "id": number, "result": [result], "completed_by": 3, "was_cancelled": False,
        "updated_at": "2024-05-01T10:00:00Z", "task": 1, **more,
    }  # fmt: skip
    return {
        "action": action,
        "annotation": annotation,
        "task": task(1, row),
        "project": {"id": 1, "title": "Things", "label_config": INTERFACE},
    }


@pytest.fixture
def studio(tmp_path):
    """Send a request as Label Studio does: its own headers, a name and a password."""
    with Inside(tmp_path) as inside:
        hunt = open_hunt(inside.api, table(60), strategy="farthest-first")
        secret = base64.b64encode(f"studio:{TOKEN}".encode()).decode()

        def send(method, part, body=None, secret=secret):
            return inside.api.request(
                method,
                f"/api/hunts/{hunt}/label-studio/{part}",
                json=body,
                headers={"Authorization": f"Basic {secret}", "User-Agent": "heartex/1.13"},
            )

        def history():
            return inside.api.get(f"/api/hunts/{hunt}/history").json()

        yield send, history, hunt, inside


def test_the_tasks_that_the_hunt_would_ask_about_come_first(studio):
    send, _, hunt, inside = studio
    assert send("GET", "health").json() == {"status": "UP", "model_class": "rarefind: records"}
    body = {
        "project": "1.1714557", "schema": INTERFACE, "hostname": "http://localhost:8080",
        "access_token": "abc", "extra_params": None,
    }  # fmt: skip
    assert send("POST", "setup", body).json() == {"model_version": "rarefind 0 labels"}
    tasks = [task(number + 100, number) for number in range(60)]
    params = {"login": None, "password": None, "context": None}
    asked = {"tasks": tasks, "project": "1.17", "label_config": INTERFACE, "params": params}
    answer = send("POST", "predict", asked).json()
    scores = [each["score"] for each in answer["results"]]
    assert len(scores) == 60
    assert min(scores) == 0.01
    [first] = [row for row, score in enumerate(scores) if score == 0.01]
    held = inside.service.ask(hunt, "label-studio")[0]
    assert first == held.row
    assert answer["results"][0]["result"] == []


def test_what_is_annotated_there_is_told_here(studio):
    send, history, _, _ = studio
    for _ in range(2):  # Label Studio may send the same twice
        answer = send("POST", "webhook", happened("ANNOTATION_CREATED", 5, "odd"))
        assert (answer.status_code, answer.json()) == (201, {"status": "heard"})
    [event] = history()
    assert (event["row"], event["value"], event["annotator"]) == (5, "odd", "label-studio 3")
    send("POST", "webhook", happened("ANNOTATION_UPDATED", 5, "even"))
    assert history()[0]["value"] == "even"
    tasks = {"tasks": [task(1, 5), task(2, 6)], "label_config": INTERFACE}
    done, other = send("POST", "predict", tasks).json()["results"]
    assert done["score"] == 1.0
    assert done["result"] == [
        {"from_name": "kind", "to_name": "what", "type": "choices", "value": {"choices": ["even"]}}
    ]
    assert done["model_version"] == "rarefind 1 labels"
    assert other["score"] < 1.0


def test_deleted_and_cancelled_annotations_are_no_answers(studio):
    send, history, hunt, inside = studio
    send("POST", "webhook", happened("ANNOTATION_CREATED", 5, "odd", 7))
    send("POST", "webhook", {"action": "ANNOTATIONS_DELETED", "annotations": [{"id": 7}]})
    assert inside.service.labels(hunt) == {}
    send("POST", "webhook", happened("ANNOTATION_CREATED", 6, "odd", 8, was_cancelled=True))
    assert inside.service.labels(hunt) == {}
    assert history()[0]["kind"] == "skip"
    for action in ("PROJECT_UPDATED", "START_TRAINING"):
        answer = send("POST", "webhook", {"action": action, "project": {"id": 1}})
        assert answer.json() == {"status": "nothing to hear"}


def test_nobody_else_comes_in_by_a_password(studio):
    send, _, hunt, inside = studio
    wrong = base64.b64encode(b"studio:guess").decode()
    assert send("GET", "health", secret=wrong).status_code == 401
    assert send("GET", "health", secret="no base64").status_code == 401
    right = base64.b64encode(f"studio:{TOKEN}".encode()).decode()
    for path in ("/api/hunts", f"/api/hunts/{hunt}", f"/api/hunts/{hunt}/label-studio/../export"):
        answer = inside.api.get(path, headers={"Authorization": f"Basic {right}"})
        assert answer.status_code == 401, path
