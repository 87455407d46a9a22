"""A hunt from upload to download, over HTTP."""

from __future__ import annotations

import io
import json
import re
import uuid

import numpy as np
import pyarrow.parquet as parquet
import pytest

from tests.waiting import wait_until
from tests.web.inside import Inside
from tests.web.running import label, made_ready, open_hunt, state, table, upload

OWNER = {"role": "leads", "invited": False}


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    with Inside(tmp_path_factory.mktemp("story")) as inside:
        yield inside


@pytest.fixture(scope="module")
def hunt(inside):
    return open_hunt(inside.api, table(), background=["ordinary"])


def ask(api, hunt, count=1, **headers):
    answer = api.post(f"/api/hunts/{hunt}/ask", json={"count": count}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["questions"]


def job_done(api, hunt, answer):
    assert answer.status_code == 202, answer.text
    address = f"/api/hunts/{hunt}/jobs/{answer.json()['job']}"
    found = wait_until(
        lambda: (view := api.get(address).json())["state"] not in ("waiting", "running") and view
    )
    assert found["state"] == "done", found["error"]
    return found["result"]


def test_a_file_is_looked_at_before_anything_runs(api):
    text = "amount,word,label\n" + "".join(
        f"{n}.5,w{n % 3},{'a' if n else 'b'}\n" for n in range(30)
    )
    view = upload(api, "Meine Daten (1).csv", text)
    assert view["name"] == "Meine Daten (1).csv"
    assert view["rows"] == 30
    columns = {column["name"]: column for column in view["columns"]}
    assert columns["amount"]["kind"] == "number"
    assert set(columns["amount"]) == {"name", "kind", "why", "missing", "examples", "kinds"}
    assert "label" in view["label_guesses"]
    assert len(view["preview"]) == 20
    assert view["preview"][0]["word"] == "w0"
    again = api.get(f"/api/datasets/{view['id']}")
    assert again.json() == view
    assert view["id"] in [entry["id"] for entry in api.get("/api/datasets").json()]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"", "empty"),
        ("a.csv", b"x,y\n1\n", "line 2"),
        ("a.parquet", b"PAR1nonsense", "parquet"),
        ("a.jsonl", b"{nonsense\n", "a.jsonl"),
        ("a.csv.gz", b"not gzip", "gz"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_in_words_and_not_kept(api, name, content, words):
    before = api.get("/api/datasets").json()
    answer = api.put(f"/api/datasets/{name}", content=content)
    assert answer.status_code == 422
    assert words in answer.json()["error"]
    assert "/" not in answer.json()["error"]
    assert api.get("/api/datasets").json() == before


def test_examples_come_along(api):
    names = [example["name"] for example in api.get("/api/examples").json()]
    assert names == ["digits", "buried-disc"]
    made = api.post("/api/examples/digits")
    assert made.status_code == 201
    view = made.json()
    assert view["background"] == ["0", "1", "2", "3", "4"]
    assert "label" in view["label_guesses"]
    assert "picture" in [column["kind"] for column in view["columns"]]
    assert api.post("/api/examples/digits").json()["id"] == view["id"]
    missing = api.post("/api/examples/digts")
    assert missing.status_code == 404
    assert "Did you mean 'digits'?" in missing.json()["error"]


def test_names_come_with_a_line_each(api):
    for address, known in [("models", "lago"), ("strategies", "auto"), ("kernels", "gaussian")]:
        names = api.get(f"/api/{address}").json()
        assert known in [each["name"] for each in names]
        assert all(each["about"] and "\n" not in each["about"] for each in names)


def test_a_name_is_kept_in_a_cookie_or_sent_by_header(inside):
    browser = inside.browser()
    assert browser.get("/api/me").json() == {"annotator": "me", "chosen": False, **OWNER}
    assert browser.put("/api/me", json={"annotator": " Zoë <b> "}).status_code == 200
    assert browser.get("/api/me").json() == {"annotator": "Zoë <b>", "chosen": True, **OWNER}
    sent = inside.api.get("/api/me", headers={"X-Annotator": "J%C3%BCrgen"})
    assert sent.json() == {"annotator": "Jürgen", "chosen": True, **OWNER}
    for wrong in ("%00", "x" * 100, "%0a", ""):
        answer = inside.api.get("/api/me", headers={"X-Annotator": wrong})
        assert answer.json() == {"annotator": "me", "chosen": False, **OWNER}


def test_a_hunt_is_listed_without_the_path_of_its_file(inside, hunt):
    [view] = [view for view in inside.api.get("/api/hunts").json() if view["id"] == hunt]
    assert view["state"] == "ready"
    assert view["n_records"] == 300
    assert view["name"] == "records"
    # The file of a hunt has one id, whoever asks for it.
    assert inside.api.get(f"/api/datasets/{view['dataset_id']}").json()["name"] == "records.csv"
    known = [entry["id"] for entry in inside.api.get("/api/datasets").json()]
    assert known.count(view["dataset_id"]) == 1
    assert "path" not in view
    assert str(inside.settings.home) not in json.dumps(view)


def test_the_same_name_goes_on_and_a_taken_one_is_refused(inside, hunt):
    sets = {entry["name"]: entry["id"] for entry in inside.api.get("/api/datasets").json()}
    dataset = sets["records.csv"]
    again = inside.api.post("/api/hunts", json={"dataset": dataset, "name": "records"})
    assert again.json()["id"] == hunt
    other = upload(inside.api, "other.csv", table(seed=1))["id"]
    taken = inside.api.post("/api/hunts", json={"dataset": other, "name": "records"})
    assert taken.status_code in (409, 422)
    assert "records" in taken.json()["error"]
    assert "/" not in taken.json()["error"]
    assert taken.json()["error"].endswith("choose another name with 'name'.")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"strategy": "autoo"}, "Did you mean 'auto'?"),
        ({"kernel": "gausian"}, "gaussian"),
        ({"kernel": "__import__('os')"}, "kernel"),
        ({"kinds": {"x0": "nothing"}}, "nothing"),
        ({"kinds": {"x9": "number"}}, "x9"),
        ({"label_column": "lable"}, "lable"),
        ({"leave_out": ["nowhere"]}, "nowhere"),
        ({"kernel": "on(x9, linear)"}, "x9"),
        ({"kernel": "spectrum(3)"}, "one column of texts"),
    ],
)
def test_a_wrong_setting_is_told_in_words(inside, hunt, wrong, words):
    sets = {entry["name"]: entry["id"] for entry in inside.api.get("/api/datasets").json()}
    dataset = sets["records.csv"]
    body = {"dataset": dataset, "name": f"wrong {words}", **wrong}
    answer = inside.api.post("/api/hunts", json=body)
    assert answer.status_code in (404, 422)
    assert words in answer.json()["error"]
    assert body["name"] not in [each["name"] for each in inside.api.get("/api/hunts").json()]


def test_questions_labels_skips_and_undo(inside, hunt):
    api = inside.api
    first = ask(api, hunt)[0]
    assert set(first) >= {"lease", "expires_at", "row", "why", "evidence", "neighbours", "record"}
    assert ask(api, hunt)[0]["row"] == first["row"], "the same question until it is answered"
    other = ask(api, hunt, **{"X-Annotator": "bea"})[0]
    assert other["row"] != first["row"], "nobody gets the other's record"
    body = label(first["row"], "fraud")
    kept = api.post(f"/api/hunts/{hunt}/labels", json=body).json()
    assert kept["id"] == body["id"]
    assert kept["repeated"] is False
    again = api.post(f"/api/hunts/{hunt}/labels", json=body).json()
    assert again == {**kept, "repeated": True}
    changed = api.post(f"/api/hunts/{hunt}/labels", json={**body, "label": "other"})
    assert changed.status_code in (409, 422)
    second = ask(api, hunt)[0]["row"]
    assert second not in (first["row"], other["row"])
    skipped = {"id": str(uuid.uuid4()), "row": second}
    assert api.post(f"/api/hunts/{hunt}/skip", json=skipped).status_code == 200
    undone = api.post(f"/api/hunts/{hunt}/undo", json={"id": str(uuid.uuid4())})
    assert undone.status_code == 200
    back = {"id": str(uuid.uuid4()), "target": body["id"]}
    assert api.post(f"/api/hunts/{hunt}/undo", json=back).status_code == 200
    history = api.get(f"/api/hunts/{hunt}/history").json()
    assert [event["kind"] for event in history] == ["undo", "undo", "skip", "label"]
    assert [event["undone"] for event in history[2:]] == [True, True]
    before = history[1]["seq"]
    assert len(api.get(f"/api/hunts/{hunt}/history?limit=1&before={before}").json()) == 1
    assert api.get(f"/api/hunts/{hunt}/progress").json()["labels"] == 0


def test_a_row_or_hunt_that_is_not_there_is_told(inside, hunt):
    api = inside.api
    for answer in [
        api.get(f"/api/hunts/{hunt}/records/300"),
        api.post(f"/api/hunts/{hunt}/labels", json=label(300, "a")),
        api.get("/api/hunts/nothing"),
        api.post("/api/hunts/nothing/ask", json={}),
        api.post("/api/hunts/nothing/labels", json=label(0, "a")),
        api.get(f"/api/hunts/{hunt}/rankings/nothing"),
        api.get(f"/api/hunts/{hunt}/jobs/abcdef"),
        api.get("/api/hunts/nothing/events"),
        api.post("/api/hunts", json={"dataset": "0" * 28}),
    ]:
        assert answer.status_code == 404, answer.text
        assert answer.json()["error"].endswith(".")


def test_labels_become_a_map_a_ranking_votes_and_files(inside, hunt):
    api = inside.api
    for _ in range(40):
        question = ask(api, hunt)[0]
        odd = float(question["record"]["fields"][0]["value"]) > 4
        name = "odd" if odd else "ordinary"
        answer = api.post(f"/api/hunts/{hunt}/labels", json=label(question["row"], name))
        assert answer.status_code == 200
    progress = api.get(f"/api/hunts/{hunt}/progress").json()
    assert progress["labels"] == 40
    names = [each["name"] for each in progress["classes"]]
    assert set(names) == {"odd", "ordinary"}

    found = api.get(f"/api/hunts/{hunt}/map")
    points = np.frombuffer(found.content, "<f4").reshape(-1, 2)
    assert points.shape == (300, 2)
    assert np.abs(points).max() <= 1
    assert found.headers["x-note"]
    for method in ("lda", "kernel-pca", "umap"):
        other = api.get(f"/api/hunts/{hunt}/map?method={method}")
        assert len(other.content) == 300 * 8, other.text
    classes = np.frombuffer(api.get(f"/api/hunts/{hunt}/map/labels").content, "<i2")
    assert (classes >= 0).sum() == 40
    assert set(classes) == {-1, 0, 1}

    assert api.post(f"/api/hunts/{hunt}/rankings", json={"target": "odd"}).status_code == 202
    body = {"target": "odd", "model": "lago"}
    ranking = job_done(api, hunt, api.post(f"/api/hunts/{hunt}/rankings", json=body))
    assert ranking["target"] == "odd"
    assert ranking["model"] == "lago"
    address = f"/api/hunts/{hunt}/rankings/{ranking['id']}"
    ranked = api.get(f"{address}?offset=0&limit=5").json()
    assert [each["rank"] for each in ranked] == [1, 2, 3, 4, 5]
    assert ranked[0]["score"] >= ranked[-1]["score"]
    row = ranked[0]["row"]
    assert api.get(f"{address}/votes/{row}").json()["parts"]
    assert api.get(f"{address}/summary").json()["id"] == ranking["id"]
    assert ranking["id"] in [each["id"] for each in api.get(f"/api/hunts/{hunt}/rankings").json()]
    scores = np.frombuffer(
        api.get(f"/api/hunts/{hunt}/map/scores?ranking={ranking['id']}").content, "<f4"
    )
    assert len(scores) == 300
    assert np.nanargmax(scores) == row

    for what, kind in [("records", "csv"), ("records", "parquet"), ("labels", "jsonl"),
                       ("labels", "json"), ("ranking", "csv"), ("ranking", "parquet")]:  # fmt: skip
        answer = api.get(f"/api/hunts/{hunt}/export?what={what}&format={kind}")
        assert answer.status_code == 200, answer.text
        assert re.search(
            rf"-{what}-20\d\d-\d\d-\d\d\.{kind}", answer.headers["content-disposition"]
        )
        if kind == "parquet":
            assert parquet.read_table(io.BytesIO(answer.content)).num_rows >= 260
        else:
            assert "odd" in answer.text or what == "ranking"

    # It is written anew each time: parts would not fit together.
    for part in ("bytes=0-9", "bytes=-", "bytes=" + ",".join(["0-"] * 2000)):
        answer = api.get(f"/api/hunts/{hunt}/export", headers={"Range": part})
        assert (answer.status_code, answer.headers["accept-ranges"]) == (200, "none")
        assert len(answer.text.splitlines()) == 301

    wrong = api.post(f"/api/hunts/{hunt}/rankings", json={"target": "od", "model": "lago"}).json()
    view = wait_until(
        lambda: (v := api.get(f"/api/hunts/{hunt}/jobs/{wrong['job']}").json())["error"] and v
    )
    assert view["state"] == "failed"
    assert "'odd'" in view["error"]


def test_models_are_compared_in_the_background(inside, hunt):
    lines = table().splitlines()[1:]
    odd = [row for row, line in enumerate(lines) if float(line.split(",")[0]) > 4]
    ordinary = [row for row in range(20) if row not in odd]
    for row in odd + ordinary:
        name = "odd" if row in odd else "ordinary"
        told = inside.api.post(f"/api/hunts/{hunt}/labels", json=label(row, name, asked=False))
        assert told.status_code in (200, 409)
    body = {"target": "odd", "models": ["lago", "logistic"], "folds": 2}
    answer = inside.api.post(f"/api/hunts/{hunt}/comparisons", json=body)
    result = job_done(inside.api, hunt, answer)
    assert {row["model"] for row in result["rows"]} == {"lago", "logistic"}
    asked = {"target": "odd", "model": "svm"}
    answer = inside.api.post(f"/api/hunts/{hunt}/comparisons/report", json=asked)
    told = job_done(inside.api, hunt, answer)
    assert told["model"] == "svm"
    facts = {section["name"]: section["facts"] for section in told["sections"]}
    assert {"training", "support vectors", "margin", "bounds"} <= set(facts)
    assert facts["margin"][0] == {"name": "‖w‖²", "value": facts["margin"][0]["value"], "note": ""}


def test_overlap_and_ordinary_classes_may_change(inside, hunt):
    body = {"overlap": 2, "background": ["ordinary", "dull"]}
    view = inside.api.post(f"/api/hunts/{hunt}/settings", json=body).json()
    assert view["settings"]["overlap"] == 2
    assert view["settings"]["background"] == ["ordinary", "dull"]
    assert inside.api.post(f"/api/hunts/{hunt}/settings", json={"seed": 1}).status_code == 422


def test_when_nothing_is_left_that_is_said(inside):
    api = inside.api
    hunt = open_hunt(api, "x\n1\n2\n9\n", "tiny.csv", strategy="random")
    for row in range(3):
        assert api.post(f"/api/hunts/{hunt}/labels", json=label(row, "a")).status_code == 200
    answer = api.post(f"/api/hunts/{hunt}/ask", json={})
    assert answer.status_code == 409
    assert "nothing left" in answer.json()["error"]
    assert state(api, hunt) == "ready"


def test_the_digits_are_drawn_as_pictures(inside):
    api = inside.api
    made = api.post("/api/examples/digits").json()
    body = {"dataset": made["id"], "label_column": "label", "background": made["background"]}
    hunt = api.post("/api/hunts", json=body).json()["id"]
    made_ready(api, hunt)
    question = ask(api, hunt, 2)[1]
    assert "picture" in json.dumps(question["record"])
    assert all({"row", "distance", "label", "summary"} <= set(n) for n in question["neighbours"])
