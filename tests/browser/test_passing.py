"""What one passes while scrolling, and what an invitation says of itself."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import expect

from tests.browser.desk import question, show
from tests.waiting import wait_until
from tests.web.running import open_hunt

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LONG = "number_of_failed_connections_to_the_same_host"


@pytest.fixture(scope="module")
def wide(running):
    """A hunt in more fields than a phone shows, whose names are long."""
    lines = [",".join([LONG, *(f"column{column}" for column in range(40))])]
    for row in range(120):
        rare = 9 * (row % 30 == 0)
        lines.append(",".join(f"{(row * (k + 3)) % 17 + rare}" for k in range(41)))
    hunt = open_hunt(running.api, "\n".join(lines), "long-names.csv", background=["ordinary"])
    for row in (0, 1, 2, 30):
        label = "rare" if row % 30 == 0 else "ordinary"
        body = {"id": str(uuid.uuid4()), "row": row, "label": label}
        assert running.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
    job = running.api.post(
        f"/api/hunts/{hunt}/rankings", json={"target": "rare", "model": "lago"}
    ).json()["job"]
    address = f"/api/hunts/{hunt}/jobs/{job}"
    wait_until(lambda: running.api.get(address).json()["state"] == "done")
    return hunt


def middle(page, of):
    """The middle of what is seen of something."""
    page.locator(of).scroll_into_view_if_needed()
    box, screen = page.locator(of).bounding_box(), page.viewport_size
    top, bottom = max(box["y"], 0), min(box["y"] + box["height"], screen["height"])
    return {"x": box["x"] + box["width"] / 2, "y": (top + bottom) / 2}


def swipe(page, of, steps):
    """Drag a finger over something, down the screen or up."""
    finger, place = page.context.new_cdp_session(page), middle(page, of)

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", place)
    for step in steps:
        touch("touchMove", {"x": place["x"], "y": place["y"] + step})
    touch("touchEnd")


UP, DOWN = range(-20, -260, -20), range(20, 260, 20)


@pytest.mark.parametrize(("over", "way"), [(".card.question", UP), (".map-over", DOWN)])
def test_a_swipe_over_the_question_or_the_map_scrolls_the_page(desk, running, wide, over, way):
    page = desk.sit(**PHONE)
    show(page, running, f"/hunt/{wide}/label")
    question(page).wait_for()
    page.locator(over).wait_for()
    middle(page, over)
    before = page.evaluate("scrollY")
    swipe(page, over, way)
    wait_until(lambda: abs(page.evaluate("scrollY") - before) > 100)


def test_the_wheel_over_a_question_that_fits_scrolls_the_page(desk, running, wide):
    page = desk.sit(viewport={"width": 600, "height": 800})
    show(page, running, f"/hunt/{wide}/label")
    question(page).wait_for()
    page.mouse.move(*middle(page, ".card.question").values())
    page.mouse.wheel(0, 300)
    wait_until(lambda: page.evaluate("scrollY") > 100)


def test_what_sets_a_record_apart_is_one_line_in_the_ranking_or_whole(desk, running, wide):
    for width in (1440, 390):
        page = desk.sit(viewport={"width": width, "height": 844})
        show(page, running, f"/hunt/{wide}/rank")
        lines = page.locator(".ranked-row .summary")
        lines.first.wait_for()
        high = "each.offsetHeight > 1.8 * parseFloat(getComputedStyle(each).fontSize)"
        cut = "each.scrollWidth > each.clientWidth + 1"
        found = lines.evaluate_all(f"all => all.filter(each => {high}).map(each => {cut})")
        assert not any(found)
        assert bool(found) == (width == 390)


def test_an_invitation_to_this_computer_says_so(desk, running):
    page = desk.sit()
    show(page, running, "/people")
    page.locator("#invited-name").fill(f"Anna {uuid.uuid4().hex[:6]}")
    page.get_by_role("button", name="Invite").click()
    expect(page.locator("#invitation")).to_contain_text("It opens on this computer only.")
