"""Hunts are listed a page at a time, and a page costs the same however many there are."""

from __future__ import annotations

import json

from click.testing import CliRunner
from sqlalchemy import event
from sqlalchemy.engine import Engine

from rarefind.cli.main import cli
from rarefind.service.facade import Service
from rarefind.store.contract import DataSet, HuntEntry
from rarefind.store.opening import open_store


def fill(store, count, begin=0):
    data = DataSet("data", "t.csv", "/nowhere/t.csv", "00", 10, {}, 1.0)
    store.put_dataset(data)
    for number in range(begin, begin + count):
        entry = HuntEntry(f"id{number:05}", f"hunt {number}", "data", {}, 10.0 + number)
        store.create_hunt(entry)


def names(answer):
    assert answer.status_code == 200, answer.text
    return [hunt["name"] for hunt in answer.json()]


def test_pages_of_hunts_follow_each_other(inside):
    fill(inside.service.store, 120)
    api = inside.api
    latest = names(api.get("/api/hunts"))
    assert latest == [f"hunt {number}" for number in range(70, 120)]
    before = api.get("/api/hunts", params={"limit": 60, "before": "id00070"})
    assert names(before) == [f"hunt {number}" for number in range(10, 70)]
    assert names(api.get("/api/hunts", params={"before": "id00000"})) == []
    unknown = api.get("/api/hunts", params={"before": "none"})
    assert unknown.status_code == 404
    assert api.get("/api/hunts", params={"limit": 0}).status_code == 422


def test_a_page_reads_as_much_of_ten_times_as_many_hunts(tmp_path):
    statements = []

    def count(connection, cursor, statement, *_):
        statements.append(statement)

    def cost(service):
        statements.clear()
        assert len(service.hunts(limit=20)) == 20
        listed = len(statements)
        statements.clear()
        service.hunt("hunt 3")
        return listed, len(statements)

    event.listen(Engine, "before_cursor_execute", count)
    try:
        costs = []
        with open_store(f"sqlite:///{tmp_path / 'hunts.db'}") as store:
            for begin, more in ((0, 30), (30, 270)):
                fill(store, more, begin)
                costs.append(cost(Service(store)))
        assert costs[0] == costs[1]
        assert costs[0][0] <= 8 * 20 + 2
        assert costs[0][1] <= 10
    finally:
        event.remove(Engine, "before_cursor_execute", count)


def test_the_command_line_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "hunts.db"
    with open_store(str(path)) as store:
        fill(store, 7)
    run = CliRunner()
    first = run.invoke(cli, ["hunts", "--store", str(path), "--last", "3"])
    assert first.exit_code == 0, first.output
    assert "hunt 6" in first.output
    assert "hunt 3" not in first.output
    assert "--before hunt 4" in first.output
    arguments = ["hunts", "--store", str(path), "--last", "10", "--before", "hunt 4", "--json"]
    rest = run.invoke(cli, arguments)
    assert [hunt["name"] for hunt in json.loads(rest.output)] == [f"hunt {n}" for n in range(4)]
