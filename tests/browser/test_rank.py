"""The rank page: the answer always at hand, pictures in a grid, ties, rank again, the harvest."""

from __future__ import annotations

import itertools
import uuid

import pytest
from playwright.sync_api import expect

from tests.browser.desk import DIGITS, digits_hunt, saved, show, told
from tests.waiting import wait_until
from tests.web.running import made_ready


def tell(running, hunt, row, label):
    body = {"id": str(uuid.uuid4()), "row": row, "label": label}
    assert running.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200


def rank(running, hunt, target):
    body = {"target": target, "model": "lago"}
    job = running.api.post(f"/api/hunts/{hunt}/rankings", json=body).json()["job"]
    address = f"/api/hunts/{hunt}/jobs/{job}"
    wait_until(lambda: running.api.get(address).json()["state"] == "done")


@pytest.fixture
def digits(running):
    """A hunt in pictures, ranked for the nines."""
    hunt = digits_hunt(running)
    for row in range(0, 120, 2):
        tell(running, hunt, row, DIGITS[row])
    rank(running, hunt, "9")
    return hunt


@pytest.fixture(scope="module")
def wide(running):
    """A ranked hunt in a wide table of two kinds of records, so that many have one score."""
    lines = [",".join(f"column_{number}" for number in range(60))]
    lines += [",".join([str(row % 5 // 4 + 1)] * 60) for row in range(100)]
    body = "\n".join(lines).encode()
    dataset = running.api.put("/api/datasets/two.csv", content=body).json()
    begun = running.api.post("/api/hunts", json={"dataset": dataset["id"], "name": "two kinds"})
    hunt = begun.json()["id"]
    made_ready(running.api, hunt)
    for row in (0, 4, 5, 9):
        tell(running, hunt, row, "rare" if row % 5 == 4 else "ordinary")
    rank(running, hunt, "rare")
    return hunt


@pytest.mark.parametrize("size", [(1440, 900), (820, 1180), (390, 844)])
def test_the_answers_are_always_in_sight(desk, running, wide, size):
    page = desk.sit(viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 900)
    show(page, running, f"/hunt/{wide}/rank")
    page.locator(".rank-detail[data-row]").wait_for()
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
    page.evaluate("scrollTo(0, 600)")
    if size[0] < 400:  # on a phone the record is a sheet
        expect(page.locator(".rank-body")).to_be_hidden()
        page.locator("#sheet").tap()
    expect(page.locator(".rank-body")).to_be_in_viewport()
    page.locator(".field-line").last.scroll_into_view_if_needed()
    for button in ("#confirm", "#reject"):
        expect(page.locator(button)).to_be_in_viewport(ratio=1)


def test_ties_are_said(desk, running, wide):
    page = desk.sit()
    show(page, running, f"/hunt/{wide}/rank")
    first = page.locator(".ranked-row").first
    expect(first).to_contain_text("same score as 17 others")


def test_pictures_lie_in_a_grid_and_keys_move_through_it(desk, running, digits):
    page = desk.sit()
    show(page, running, f"/hunt/{digits}/rank")
    expect(page.locator(".ranked[data-grid=yes]")).to_be_visible()
    columns = page.evaluate(
        "() => getComputedStyle(document.querySelector('.ranked')).gridTemplateColumns"
        ".split(' ').length"
    )
    assert columns > 2
    chosen = page.locator(".ranked-row[aria-current] .rank-number")
    expect(chosen).to_have_text("1")
    page.keyboard.press("ArrowDown")
    expect(chosen).to_have_text(str(1 + columns))
    page.keyboard.press("ArrowRight")
    expect(chosen).to_have_text(str(2 + columns))
    page.get_by_role("button", name="As a list").click()
    page.keyboard.press("ArrowUp")
    expect(chosen).to_have_text(str(1 + columns))


def test_the_grid_keeps_a_place_for_pictures_still_to_come(desk, running, digits):
    page = desk.sit()
    few = itertools.count()
    page.route("**/records/*", lambda route: route.continue_() if next(few) < 4 else None)
    show(page, running, f"/hunt/{digits}/rank")
    expect(page.locator(".ranked[data-grid=yes]")).to_be_visible()
    page.locator(".ranked-stamp canvas").first.wait_for()
    heights = page.locator(".ranked-stamp").evaluate_all(
        "all => all.map(each => each.offsetHeight)"
    )
    assert len(heights) == 50
    assert len(set(heights)) == 1


def test_a_ranking_on_its_way_is_not_said_to_be_missing(desk, running, digits):
    page = desk.sit()
    held = []
    page.route("**/rankings", lambda route: held.append(route))
    show(page, running, f"/hunt/{digits}/rank")
    wait_until(lambda: page.title() and held)
    expect(page.locator(".rank-list")).to_contain_text("The records appear here")
    held[0].fulfill(json=[])
    expect(page.locator(".rank-list")).to_contain_text("Choose a class and press Rank")
    page.locator("#rank").click()  # what was pressed need not be asked for
    expect(page.locator(".rank-list")).to_contain_text("The records appear here")


def test_labels_since_the_ranking_offer_to_rank_again(desk, running, digits):
    page = desk.sit()
    show(page, running, f"/hunt/{digits}/rank")
    page.locator(".rank-detail[data-row]").wait_for()
    expect(page.locator(".since")).to_be_hidden()
    page.keyboard.press("y")
    page.locator(".ranked-row[aria-current] .rank-number", has_text="2").wait_for()
    page.keyboard.press("y")
    expect(page.locator(".since")).to_contain_text("2 labels since this ranking: rank again.")
    page.locator("#model").select_option("lago")
    page.locator("#rank-again").click()
    expect(page.locator(".since")).to_be_hidden()
    assert len(running.api.get(f"/api/hunts/{digits}/rankings").json()) == 2


def test_a_harvest_goes_on_by_itself_and_says_what_is_left(desk, running, digits):
    page = desk.sit()
    show(page, running, f"/hunt/{digits}/rank")
    page.locator(".rank-detail[data-row]").wait_for()
    page.locator("#model").select_option("lago")
    before = len(told(running, digits))
    page.locator("#harvest").click()
    head = page.locator(".list-head")
    expect(head).to_contain_text("Round 1 of the harvest of 9")
    expect(page.locator("#forecast")).not_to_be_empty()
    for _ in range(10):
        row = page.locator(".ranked-row[aria-current]").get_attribute("data-row")
        if DIGITS[int(row)] == "9":
            page.keyboard.press("y")
        else:
            page.keyboard.press("x")
            page.locator(f".rank-detail .answer[data-name='{DIGITS[int(row)]}']").click()
        saved(page)
    expect(head).to_contain_text("Round 2 of the harvest of 9")
    assert len(told(running, digits)) == before + 10


def test_a_round_that_others_answered_is_followed_by_the_next(desk, running, digits):
    page = desk.sit()
    show(page, running, f"/hunt/{digits}/rank")
    page.locator(".rank-detail[data-row]").wait_for()
    page.locator("#model").select_option("lago")
    held = []
    page.route("**/jobs/*", lambda route: held.append(route))
    with page.expect_response("**/harvest") as begun:
        page.locator("#harvest").click()
    address = f"/api/hunts/{digits}/jobs/{begun.value.json()['job']}"
    done = wait_until(lambda: (job := running.api.get(address).json())["result"] and job)
    rows = [look["row"] for look in done["result"]["looks"]]
    # One answer comes before the page knows of the round, the others after it.
    tell(running, digits, rows[0], DIGITS[rows[0]])
    shown = page.locator(f".ranked-row[data-row='{rows[0]}']")
    expect(shown).to_contain_text(DIGITS[rows[0]])
    while held:
        held.pop().continue_()
    page.unroute("**/jobs/*")
    head = page.locator(".list-head")
    expect(head).to_contain_text("Round 1 of the harvest of 9")
    for row in rows[1:]:
        tell(running, digits, row, DIGITS[row])
    expect(head).to_contain_text("Round 2 of the harvest of 9")
