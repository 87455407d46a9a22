"""Sets are shown as their words, trees drawn from the root down."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.desk import question, show
from tests.web.running import made_ready, upload

TREE = "(S (NP (N townspeople)) (VP (V bark)))"


def test_a_set_is_its_words_and_a_tree_is_drawn_with_names_that_can_be_read(desk, running):
    rows = [{"basket": ["tea", "figs", str(row % 7)], "parse": TREE} for row in range(40)]
    lines = "\n".join(map(json.dumps, rows))
    dataset = upload(running.api, "baskets.jsonl", lines)
    body = {"dataset": dataset["id"], "name": "baskets", "strategy": "random"}
    hunt = running.api.post("/api/hunts", json=body).json()["id"]
    made_ready(running.api, hunt)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    expect(question(page)).to_contain_text("figs · tea")
    drawing = question(page).locator("svg[role=img]")
    names = drawing.locator(".node-name").all_text_contents()
    assert sorted(names) == ["N", "NP", "S", "V", "VP", "bark", "town…"]
    assert drawing.locator("title").all_text_contents() == ["townspeople"]
    assert drawing.evaluate("drawn => getComputedStyle(drawn).overflow") == "visible"
