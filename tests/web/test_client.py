"""The client that comes along, against a real server."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pandas as pd
import pytest

from rarefind.client import Client, ClientError
from rarefind.core.errors import RarefindError
from tests.web.running import Threaded, table


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Threaded(tmp_path_factory.mktemp("client")) as running:
        yield running


@pytest.fixture
def client(server):
    return Client(server.address, server.token, annotator="Jürgen")


def test_a_whole_hunt_from_a_program(client, tmp_path):
    path = tmp_path / "things.csv"
    path.write_text(table(80))
    uploaded = client.upload(path)
    assert uploaded["rows"] == 80
    hunt = client.open_hunt(uploaded["id"], name="things", strategy="farthest-first")
    seen = []
    for _ in range(6):
        question = hunt.ask()
        assert question.why
        assert question.record["row"] == question.row
        hunt.tell(question, "high" if question.row % 2 else "low")
        seen.append(question.row)
    assert len(set(seen)) == 6
    hunt.undo()
    hunt.tell(seen[-1], "high")
    hunt.skip(hunt.ask())
    progress = hunt.progress()
    assert (progress["labels"], progress["skipped"]) == (6, 1)
    assert progress["annotators"] == {"Jürgen": 6}
    ranking = hunt.rank("high", "lago")
    assert (ranking.target, ranking.model) == ("high", "lago")
    assert [each.rank for each in ranking.top(3)] == [1, 2, 3]
    assert len(list(ranking)) == ranking.n_ranked
    kept = pd.read_csv(hunt.export(tmp_path / "home.csv", "labels"))
    assert len(kept) == 6
    assert [each["name"] for each in client.hunts()] == ["things"]
    assert client.hunt(hunt.id).progress()["labels"] == 6


def test_what_the_server_refuses_is_an_error_with_its_sentence(client, server, tmp_path):
    (tmp_path / "a.exe").write_bytes(b"MZ")
    with pytest.raises(ClientError, match="Files of this kind are not known") as refused:
        client.upload(tmp_path / "a.exe")
    assert refused.value.status == 422
    with pytest.raises(ClientError, match="There is no hunt 'nobody'"):
        client.hunt("nobody")
    with pytest.raises(ClientError, match="Not signed in") as stranger:
        Client(server.address, "wrong").hunts()
    assert stranger.value.status == 401
    with pytest.raises(ClientError, match=r"http://127.0.0.1:1 cannot be reached"):
        Client("http://127.0.0.1:1", "t").hunts()
    with pytest.raises(ClientError, match="begins with http"):
        Client("127.0.0.1:8737", "t").hunts()


class NeverReady(BaseHTTPRequestHandler):
    """A server whose hunts are set up for ever."""

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        asked = self.command == "POST"
        body = b'{"error": "It is being set up."}' if asked else b'{"id": "h"}'
        self.send_response(503 if asked else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815 - the names that http.server calls

    def log_message(self, *_: object) -> None:
        pass


class Hurried:
    """A clock on which every pause takes a minute."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, _: float) -> None:
        self.now += 60


def test_a_wait_that_is_over_is_told_with_its_length(monkeypatch):
    with HTTPServer(("127.0.0.1", 0), NeverReady) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        hunt = Client(f"http://127.0.0.1:{server.server_port}", "t").hunt("h")
        monkeypatch.setattr("rarefind.client.time", Hurried())
        said = "not ready within 600 seconds: It is being set up. It goes on"
        with pytest.raises(ClientError, match=said) as over:
            hunt.ask()
        server.shutdown()
    assert over.value.status == 503


def test_the_program_on_the_page_runs_as_printed(server, tmp_path, monkeypatch):
    text = (Path(__file__).parents[2] / "docs" / "other-programs.md").read_text(encoding="utf-8")
    [code] = re.findall(r"^```py\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "rarefind.files").mkdir()
    (tmp_path / "rarefind.files" / "token").write_text(server.token)
    (tmp_path / "payments.csv").write_text(table(60))
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    exec(code.replace("http://127.0.0.1:8737", server.address), names)
    assert names["hunt"].progress()["labels"] == 20
    assert len(names["best"]) == 10


def test_a_token_file_that_is_not_there_is_told_in_a_sentence(tmp_path):
    with pytest.raises(RarefindError, match="rarefind serve makes one when it starts"):
        Client("http://127.0.0.1:8737", token=tmp_path / "rarefind.files" / "token")
