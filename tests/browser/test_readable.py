"""What is shown can be read: numbers and marks in words, and room for names on every screen."""

from __future__ import annotations

import re
import uuid

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.desk import DIGITS, answer, asked, digits_hunt, question, saved, show
from tests.web.running import open_hunt

SIZES = [(1440, 900), (820, 1180), (390, 844)]


@pytest.fixture(scope="module")
def payments(running):
    """A hunt in a few columns with dates, words and one long name, some of them answered."""
    rng = np.random.default_rng(0)
    lines = ["when,note,amount,name_of_the_merchants_bank"]
    for row in range(120):
        note = ("refund of the second order", "invoice 12 paid in full, see attached", "")[row % 3]
        amount = 900 if row % 60 == 0 else rng.gamma(2.0, 40.0)
        lines.append(f'2026-03-{row % 28 + 1:02d} 11:{row % 60:02d}:00,"{note}",{amount:.2f},first')
    text = "\n".join(lines)
    id = open_hunt(running.api, text, "dated.csv", background=["ordinary"])
    for row in range(0, 60, 2):
        label = "large" if row % 60 == 0 or row < 8 else "ordinary"
        body = {"row": row, "label": label, "id": str(uuid.uuid4())}
        assert running.api.post(f"/api/hunts/{id}/labels", json=body).status_code == 200
    return id


def test_the_numbers_behind_a_question_are_told_in_words(desk, running):
    page = desk.sit()
    show(page, running, f"/hunt/{digits_hunt(running)}/label")
    question(page).wait_for()
    fold = page.locator("details.evidence")
    expect(fold.locator("dl")).to_be_hidden()
    fold.locator("summary").click()
    for _ in range(3):
        numbers, words = fold.locator("dt"), fold.locator("dd")
        expect(words.first).to_be_visible()
        assert numbers.count() == words.count() > 0
        assert all(words.all_text_contents())
        answer(page, DIGITS[asked(page)])  # and stay told with the next
    expect(page.locator(".figures")).to_contain_text("3labels")


def test_one_is_said_as_one(desk, running):
    page = desk.sit()
    show(page, running, f"/hunt/{digits_hunt(running, background=['0'])}/label")
    question(page).wait_for()
    answer(page, "odd")
    expect(page.locator(".figures")).to_contain_text("1label1rare class")


@pytest.mark.parametrize("size", SIZES)
def test_names_and_values_of_a_few_fields_are_whole(desk, running, payments, size):
    page = desk.sit(viewport={"width": size[0], "height": size[1]})
    for place in ("label", "find"):
        show(page, running, f"/hunt/{payments}/{place}")
        if place == "find":
            page.locator(".found-line").first.click()
        page.locator(".field-line").first.wait_for()
        cut = page.locator(".field-line > :is(dt, .value, .phrase)").evaluate_all(
            "all => all.filter(each => each.scrollWidth > each.clientWidth + 1"
            " || each.scrollHeight > each.clientHeight + 3)"
            ".map(each => each.textContent)"
        )
        assert cut == []


def test_a_star_is_explained_where_it_stands(desk, running, payments):
    page = desk.sit()
    for place in ("find", "history"):
        show(page, running, f"/hunt/{payments}/{place}")
        page.locator(".summary", has_text=re.compile(r"\*(,|$)")).first.wait_for()
        expect(page.get_by_text("a star marks what few records have")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_models_beside_each_other_need_no_sideways_scrolling(desk, running, payments, size):
    page = desk.sit(viewport={"width": size[0], "height": size[1]})
    show(page, running, f"/hunt/{payments}/compare")
    page.get_by_text("The usual models").click()
    page.locator("input[value=lago]").check()
    page.locator("#compare").click()
    page.locator(".models tbody tr").first.wait_for()
    frame = page.locator(".table-frame").first
    assert frame.evaluate("frame => frame.scrollWidth - frame.clientWidth") <= 1
    expect(page.get_by_role("button", name="Rank with lago")).to_be_visible()
    line = page.locator(".models tbody tr").first
    if size[0] < 400:  # there are no headings above the figures
        shown = line.locator("[data-head]").evaluate_all(
            "all => all.map(each => getComputedStyle(each, '::before').content)"
        )
        assert len(shown) == 4
        assert "none" not in shown


@pytest.mark.parametrize("size", SIZES)
def test_columns_of_a_new_file_have_room(desk, running, payments, size):
    page = desk.sit(viewport={"width": size[0], "height": size[1]})
    show(page, running, "/new")
    text = "amount,country\n" + "".join(f"{row}.5,{('DE', 'FR')[row % 2]}\n" for row in range(40))
    page.set_input_files(
        "#file", files=[{"name": "few.csv", "mimeType": "text/csv", "buffer": text.encode()}]
    )
    name = page.locator(".columns tbody th").first
    name.wait_for()
    lines = name.evaluate("each => each.getClientRects().length && each.offsetHeight")
    assert lines < 60  # a short name is not broken
    frame = page.locator(".columns-parts .table-frame").first
    assert frame.evaluate("frame => frame.scrollWidth - frame.clientWidth") <= 1
    lower = page.locator(".columns tbody tr:first-child > *").evaluate_all(
        "cells => cells.map(cell => cell.getBoundingClientRect().bottom)"
    )
    if size[0] > 768:  # the line below a row is one line
        assert max(lower) - min(lower) <= 1


@pytest.mark.parametrize("size", [(1440, 900), (820, 1180)])
def test_nothing_jumps_when_the_network_is_gone(desk, running, size):
    page = desk.sit(viewport={"width": size[0], "height": size[1]})
    show(page, running, f"/hunt/{digits_hunt(running)}/label")
    question(page).wait_for()
    answer(page, DIGITS[asked(page)])
    saved(page)
    height = page.locator(".top").bounding_box()["height"]
    page.context.set_offline(True)
    answer(page, DIGITS[asked(page)])
    expect(page.locator("#saved")).to_contain_text("No connection: 1 answer kept here")
    assert page.locator(".top").bounding_box()["height"] <= height + 2
    page.context.set_offline(False)
    expect(page.locator(".note", has_text="Connected again.")).to_be_visible()
    page.context.set_offline(True)  # and what is no longer true goes
    expect(page.locator("#saved")).to_contain_text("No connection")
    expect(page.locator(".note", has_text="Connected again.")).to_have_count(0)
    page.context.set_offline(False)
    saved(page)
