from __future__ import annotations

import re
from itertools import product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.desk import (
    DIGITS,
    answer,
    asked,
    digits_hunt,
    press_class,
    question,
    saved,
    show,
    told,
)
from tests.waiting import wait_until

PAGES = (
    *("hunts", "people", "new", "label", "map", "find", "rank", "compare", "history", "settings"),
    "help",
)


@pytest.fixture(scope="module")
def hunt(running):
    """A hunt with a few labels and a ranking."""
    hunt = digits_hunt(running)
    for row in range(0, 120, 2):
        body = {"id": f"00000000-0000-4000-8000-{row:012d}", "row": row, "label": DIGITS[row]}
        assert running.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
    body = {"target": "9", "model": "lago"}
    job = running.api.post(f"/api/hunts/{hunt}/rankings", json=body).json()["job"]
    address = f"/api/hunts/{hunt}/jobs/{job}"
    wait_until(lambda: running.api.get(address).json()["state"] == "done")
    return hunt


def draw(page, running, hunt, name):
    """Show one of the pages with everything on it."""
    places = {"hunts": "/", "people": "/people", "new": "/new", "help": f"/hunt/{hunt}/label"}
    show(page, running, places.get(name, f"/hunt/{hunt}/{name}"))
    if name == "new":
        page.set_input_files("#file", files=[upload()])
        page.locator("#start").wait_for()
    elif name == "rank":
        page.locator(".votes li").first.wait_for(state="attached")  # in a sheet on a phone
    elif name == "compare":
        page.locator("#target").select_option("1")
        page.get_by_text("The usual models").click()
        page.locator("input[value=lago]").check()
        page.locator("input[value=lda]").check()
        page.locator("#folds").select_option("2")
        page.locator("#compare").click()
        page.locator(".models").wait_for()
        page.get_by_role("button", name="What lda goes by").click()
        page.locator(".model-report table").first.wait_for()
        # What slides under the header is not for fingers there.
        page.evaluate("scrollTo(0, 0)")
    elif name == "map":
        page.locator(".map[data-first-paint]").wait_for()
        page.locator("#in-view").click()
        page.locator(".found li").first.wait_for()
    elif name == "find":
        page.locator(".found li").first.wait_for()
    elif name == "history":
        page.locator(".history td").first.wait_for()
    elif name in ("label", "help"):
        question(page).wait_for()
        page.locator(".map[data-first-paint]").wait_for()
        page.locator(".stamp canvas").first.wait_for()
    if name == "help":
        page.keyboard.press("?")
        page.locator("dialog[open]").wait_for()


def upload():
    lines = ["size,city,note,sequence"]
    lines += [
        f"{i * 0.37},{'AB'[i % 2]},words number {i} here,{'ACGT' * (5 + i % 3)}" for i in range(60)
    ]
    return {"name": "trips.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}


def faults(page, look) -> list[tuple[str, str, str]]:
    """What a checker of accessibility finds serious."""
    options = {"resultTypes": ["violations"]}
    if look != "desk-light":  # the same page in other colours or sizes: what those can spoil
        rules = ["color-contrast", "target-size", "scrollable-region-focusable", "meta-viewport"]
        options["runOnly"] = rules
    return [
        (fault["id"], fault["nodes"][0]["html"][:200], fault["nodes"][0]["failureSummary"])
        for fault in Axe().run(page, options=options).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]


SCREENS = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    # A browser at 200 % shows half as many points on the same screen.
    "twice as large": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
}


@pytest.mark.parametrize(
    ("screen", "colours"),
    [*product(("desk", "tablet", "phone"), ("light", "dark")), ("twice as large", "light")],
)
def test_every_page_is_accessible_and_fits(desk, running, hunt, tmp_path_factory, screen, colours):
    page = desk.sit(**SCREENS[screen], color_scheme=colours)
    look = f"{screen} {colours}".replace(" ", "-")
    folder = tmp_path_factory.getbasetemp() / "screenshots" / look
    for name in PAGES:
        draw(page, running, hunt, name)
        page.screenshot(path=folder / f"{name}.png", full_page=screen == "twice as large")
        assert (folder / f"{name}.png").stat().st_size > 5_000
        assert faults(page, look) == [], name
        if name == "help":
            page.keyboard.press("Escape")
        # The widest that stands there once the labels are no longer new.
        page.evaluate("document.querySelectorAll('time').forEach(t => t.append(' and more'))")
        wide, high = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= high, f"{name} is wider than the screen"


def test_what_a_page_has_missed_is_fetched(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    page.evaluate(
        """async id => {
            const { HuntState } = await import("/static/hunt/state.js");
            window.state = new HuntState(id, new AbortController().signal);
            await window.state.load();
            await window.state.refresh();
        }""",
        hunt,
    )
    body = {"id": "00000000-0000-4000-8000-00000000aaaa", "row": 7, "label": DIGITS[7]}
    assert running.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
    heard = page.evaluate(
        """() => new Promise(resolve => {
            window.state.on("labels", () => resolve([...window.state.labelOf]));
            window.state.hear({ type: "missed" });
        })"""
    )
    assert heard == [[7, DIGITS[7]]]


def test_a_page_that_is_long_in_coming_says_so(desk, running, hunt):
    page = desk.sit()
    held = []
    page.route(f"**/api/hunts/{hunt}", lambda route: held.append(route))
    page.goto(f"{running.address}/#/hunt/{hunt}/rank")
    shown = """() => {
        const room = document.querySelector(".page-rank");
        const { content, visibility } = room ? getComputedStyle(room, "::after") : {};
        return [content, visibility];
    }"""
    wait_until(lambda: page.evaluate(shown) == ['"Loading…"', "visible"])
    wait_until(lambda: page.title() and held)
    held[0].continue_()
    page.locator(".rank-detail[data-row]").wait_for()
    assert page.evaluate(shown)[0] == "none"


def test_light_and_dark_can_be_chosen_and_are_remembered(desk, running):
    page = desk.sit(color_scheme="light")
    expect(page.locator("#theme")).to_have_accessible_name("Dark colours")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert light != dark
    page.reload()
    expect(page.locator("#theme")).to_have_accessible_name("Light colours")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_set_up_shows_how_far_it_is_and_can_be_stopped(desk, running, hunt):
    page = desk.sit()
    slow = {"id": hunt, "name": "slow", "state": "preparing", "problem": None}
    slow["step"] = {"task": "counting neighbours", "done": 3, "total": 4, "whole": True}
    slow["step"] |= {"elapsed": 2.6, "left": None}
    stopped, started = [], []

    # The hunt is ready in truth, so the page must not see its state before Start was pressed.
    def answer_instead(route):
        if started:
            route.continue_()
        else:
            route.fulfill(json={**slow, "state": "closed", "step": None} if stopped else slow)

    page.route(f"**/api/hunts/{hunt}", answer_instead)
    page.route("**/cancel", lambda route: (stopped.append(route), route.fulfill(json=slow)))
    page.route("**/prepare", lambda route: (started.append(route), route.continue_()))
    show(page, running, f"/hunt/{hunt}/label")
    expect(page.get_by_role("status").filter(has_text="75 %")).to_be_visible()
    # Nothing new is heard of it, and yet the clock goes on, past seconds that a busy machine skips.
    later = re.compile(r"for ([4-9]|\d\d) seconds|for .* minute")
    expect(page.get_by_role("status").filter(has_text=later)).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Set-up was stopped")).to_be_visible()
    assert started == []
    page.get_by_role("button", name="Start").click()
    question(page).wait_for()
    assert (len(stopped), len(started)) == (1, 1)


def test_a_refused_answer_is_told_and_the_question_comes_back(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    row = asked(page)
    refusal = {"error": "This record is taken."}
    page.route("**/hunts/*/labels", lambda route: route.fulfill(status=409, json=refusal), times=1)
    press_class(page, DIGITS[row])
    expect(page.locator(".note[data-kind=bad]")).to_contain_text("This record is taken.")
    expect(question(page)).to_have_attribute("data-row", str(row))
    desk.problems.clear()  # the browser writes the refusal to its console
    saved(page)
    answer(page, DIGITS[row])
    saved(page)
    events = told(running, hunt)
    assert [each["value"] for each in events if each["row"] == row] == [DIGITS[row]]
