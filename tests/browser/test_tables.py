"""A wide table: everything about a record in view, and what tells its neighbours apart."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.desk import answer, question, show
from tests.web.running import made_ready

COLUMNS = 41


@pytest.fixture(scope="module")
def hunt(running):
    """A hunt in records of 41 fields, two of them words."""
    rng = np.random.default_rng(0)
    lines = [",".join([*(f"measured_{i}" for i in range(COLUMNS - 2)), "protocol", "flag"])]
    for row in range(200):
        numbers = rng.lognormal(size=COLUMNS - 2) + (30 if row % 50 == 0 else 0)
        words = [("tcp", "udp")[row % 2], "REJ" if row % 90 == 0 else "SF"]
        lines.append(",".join([*(f"{number:.3f}" for number in numbers), *words]))
    body = "\n".join(lines).encode()
    dataset = running.api.put("/api/datasets/wide.csv", content=body).json()
    hunt = running.api.post("/api/hunts", json={"dataset": dataset["id"], "name": "wide"}).json()
    made_ready(running.api, hunt["id"])
    return hunt["id"]


def test_all_fields_are_in_view_with_reason_neighbours_and_answers(desk, running, hunt):
    page = desk.sit(viewport={"width": 1440, "height": 900})
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    expect(page.locator(".first-hint")).to_contain_text("No class has a name yet")
    lines = page.locator(".field-line")
    expect(lines).to_have_count(COLUMNS)
    for part in (lines.nth(0), lines.nth(COLUMNS - 1), page.locator(".why"), page.locator("#undo")):
        expect(part).to_be_in_viewport(ratio=0.99)
    shown = page.locator(".field-line .phrase").all_text_contents()
    assert all(words.split()[0] in ("above", "below", "only") or "%" in words for words in shown)
    marked = page.locator(".field-line").evaluate_all(
        "lines => lines.map(line => 'unusual' in line.dataset)"
    )
    assert marked == sorted(marked, reverse=True)
    assert page.locator(".field-line .strip svg").count() == COLUMNS - 2
    assert page.locator(".neighbour .differs b").count() == 15
    overlapping = page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll(".field-line, .why, .answers")]
                .map(each => each.getBoundingClientRect());
            return boxes.filter((a, i) => boxes.some((b, j) => i < j && a.left < b.right - 1 &&
                b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
        }"""
    )
    assert overlapping == 0


@pytest.mark.parametrize("size", [(1440, 500), (390, 844)])
def test_each_record_is_read_from_its_beginning(desk, running, hunt, size):
    page = desk.sit(viewport={"width": size[0], "height": size[1]})
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    page.locator(".neighbour").last.scroll_into_view_if_needed()
    answer(page, "ordinary")
    expect(page.locator(".question-head h2")).to_be_in_viewport()
    expect(page.locator("#undo")).to_be_in_viewport()


def test_the_legend_of_a_column_shows_the_colours_of_the_map(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/map")
    page.locator(".map[data-first-paint]").wait_for()
    page.locator("#map-colour").select_option(index=1)
    page.locator(".map-legend .shade").first.wait_for()
    shades = page.locator(".map-legend .shade").evaluate_all(
        "all => all.map(each => getComputedStyle(each).backgroundColor)"
    )
    assert len(set(shades)) >= 3  # a legend tells colours apart
