"""Messages, and the bar that answers are given with: nothing ever covers it."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import expect

from tests.browser.desk import question, show
from tests.waiting import wait_until
from tests.web.running import made_ready

SCREENS = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "phone on its side": {"viewport": {"width": 844, "height": 390}, "has_touch": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
    "laptop": {"viewport": {"width": 1440, "height": 900}},
}
TABLES = {"few fields": (120, 6), "many fields": (120, 41)}  # rows and columns
_ids = (f"00000000-0000-4000-8000-{number:012d}" for number in itertools.count(0xE00000))


@pytest.fixture(scope="module")
def hunts(running):
    """A hunt in a narrow and one in a wide table, with labels and a ranking each."""
    made = {}
    for name, (rows, columns) in TABLES.items():
        lines = [",".join(f"column_{column}" for column in range(columns))]
        for row in range(rows):
            rare = 9 * (row % 30 == 0)
            lines.append(",".join(f"{(row * (k + 3)) % 17 + rare}" for k in range(columns)))
        body = "\n".join(lines).encode()
        dataset = running.api.put("/api/datasets/table.csv", content=body).json()
        body = {"dataset": dataset["id"], "name": name}
        hunt = made[name] = running.api.post("/api/hunts", json=body).json()["id"]
        made_ready(running.api, hunt)
        for row in (0, 1, 2, 30):
            label = "rare" if row % 30 == 0 else "ordinary"
            body = {"id": next(_ids), "row": row, "label": label}
            assert running.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
        body = {"target": "rare", "model": "lago"}
        job = running.api.post(f"/api/hunts/{hunt}/rankings", json=body).json()["job"]
        address = f"/api/hunts/{hunt}/jobs/{job}"
        wait_until(lambda address=address: running.api.get(address).json()["state"] == "done")
    return made


def speak(page, number):
    """Have the page say something, as it does itself when something went wrong."""
    page.evaluate(
        """async number => {
            const { note } = await import("/static/lib/notes.js");
            const words = "Something happened that takes a while to read, and it matters. ";
            for (let at = 0; at < number; at++) note(`${at}: ${words.repeat(2)}`, "bad");
        }""",
        number,
    )
    expect(page.locator(".note")).to_have_count(number)


def settled(page):
    """Wait until the page has been painted twice more."""
    page.evaluate("() => new Promise(a => requestAnimationFrame(() => requestAnimationFrame(a)))")


def covered(page, bar):
    """The buttons of a bar that something else lies upon, and messages that touch the bar."""
    return page.evaluate(
        """bar => {
            const holder = document.querySelector(bar);
            const box = holder.getBoundingClientRect();
            // What does not fit above the bar is scrolled to, and shows nowhere else.
            const shown = document.querySelector("#notes").getBoundingClientRect();
            const found = [];
            for (const note of document.querySelectorAll(".note")) {
                const it = note.getBoundingClientRect();
                const [top, bottom] = [
                    Math.max(it.top, shown.top), Math.min(it.bottom, shown.bottom)];
                const apart = it.right <= box.left || it.left >= box.right ||
                    bottom <= box.top || top >= box.bottom || top >= bottom;
                if (it.width && !apart) found.push(note.textContent);
            }
            for (const button of holder.querySelectorAll("button")) {
                const { left, right, top, bottom, width } = button.getBoundingClientRect();
                if (!width) continue;
                const places = [[left + 3, top + 3], [right - 3, bottom - 3],
                    [(left + right) / 2, (top + bottom) / 2]];
                for (const place of places)
                    if (!holder.contains(document.elementFromPoint(...place)))
                        found.push(`${button.textContent} at ${place}`);
            }
            return found;
        }""",
        bar,
    )


@pytest.mark.parametrize("fields", TABLES)
@pytest.mark.parametrize("screen", SCREENS)
def test_no_message_covers_the_answers(desk, running, hunts, screen, fields):
    page = desk.sit(**SCREENS[screen])
    show(page, running, f"/hunt/{hunts[fields]}/label")
    question(page).wait_for()
    for number in (1, 4):
        speak(page, number)
        for place in (0, 300, 0):  # bars move when the page is scrolled
            page.evaluate("place => scrollTo(0, place)", place)
            settled(page)
            assert covered(page, ".answers") == []
        close = page.locator(".note .close")
        for _ in range(number):  # and each can be put away
            expect(close.last).to_be_in_viewport()
            close.last.click()
    show(page, running, f"/hunt/{hunts[fields]}/rank")
    page.locator(".rank-detail[data-row]").wait_for()
    speak(page, 3)
    settled(page)
    assert covered(page, ".rank-answers") == []
    if page.locator("#sheet").is_visible():
        page.locator("#sheet").tap()
        settled(page)
        assert covered(page, ".rank-answers") == []


def test_a_message_of_a_new_class_leaves_the_tabs_and_the_answers_free(desk, running, hunts):
    page = desk.sit(**SCREENS["phone"])
    show(page, running, f"/hunt/{hunts['many fields']}/label")
    question(page).wait_for()
    page.get_by_role("button", name="New class").tap()
    page.locator("#class-name").fill("odd one")
    page.keyboard.press("Enter")
    expect(page.locator(".note")).to_contain_text("A new class: odd one")
    question(page).wait_for()
    settled(page)
    assert covered(page, ".answers") == []
    assert covered(page, ".top") == []
