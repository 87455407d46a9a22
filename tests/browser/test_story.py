from __future__ import annotations

import csv

from playwright.sync_api import expect

from tests.browser.desk import (
    DIGITS,
    RARE,
    Desk,
    answer,
    asked,
    press_class,
    question,
    saved,
    tab_to,
    told,
)
from tests.waiting import wait_until
from tests.web.running import Running


def test_the_whole_story_by_keyboard_and_on_after_a_kill(chromium, tmp_path):
    running = Running(tmp_path)
    desk = Desk(chromium, running)
    try:
        page = desk.sit(accept_downloads=True)
        tab_to(page, "#try-example")
        page.keyboard.press("Enter")
        question(page).wait_for()
        hunt = page.url.split("/hunt/")[1].split("/")[0]

        found = label_until_all_are_found(page)
        assert found <= 120  # random draws would need about 540
        saved(page)

        confirm_ten(page)
        saved(page)
        take_home(page, tmp_path)

        before = told(running, hunt)
        tab_to(page, "a[href$='/label']")
        page.keyboard.press("Enter")
        question(page).wait_for()
        held = asked(page)
        port = running.port
        running.api.close()
        running.kill()
        expect(page.locator("#saved")).to_have_text("No connection: trying again")

        running = Running(tmp_path, port=port)
        desk.running = running
        expect(page.locator("#saved")).to_have_text("Saved")  # found again without a reload
        assert asked(page) == held
        assert told(running, hunt) == before
        answer(page, DIGITS[held])  # the strategy is set up anew for the next one
        saved(page)
        wait_until(lambda: len(told(running, hunt)) == len(before) + 1)
        held = asked(page)
        page.reload()
        question(page).wait_for()
        assert asked(page) == held
        expect(page.locator(".figures b").first).to_have_text(str(len(before) + 1))
        # The browser notes that the server said "not ready yet" meanwhile.
        desk.problems[:] = [each for each in desk.problems if "503" not in each]
    finally:
        desk.close()
        running.api.close()
        running.kill()


def label_until_all_are_found(page) -> int:
    seen: set[str] = set()
    for number in range(1, 200):
        label = DIGITS[asked(page)]
        seen.add(label)
        answer(page, label)
        if seen >= RARE:
            return number
    raise AssertionError(f"Only {sorted(seen & RARE)} were found.")


def confirm_ten(page) -> None:
    tab_to(page, "a[href$='/rank']")
    page.keyboard.press("Enter")
    page.locator("#rank").wait_for()
    tab_to(page, "#rank")
    page.keyboard.press("Enter")
    detail = page.locator(".rank-detail[data-row]")
    detail.wait_for()
    target = page.locator("#target").input_value()
    for _ in range(10):
        row = int(detail.get_attribute("data-row"))
        if DIGITS[row] == target:
            page.keyboard.press("y")
        else:
            page.keyboard.press("x")  # several classes are ordinary, so it is asked which
            page.locator(".rank-detail .answer").first.wait_for()
            press_class(page, DIGITS[row])
        page.locator(f".rank-detail:not([data-row='{row}'])").wait_for()
    assert page.locator(".ranked-label .chip").count() == 10


def take_home(page, folder) -> None:
    tab_to(page, "#download-csv")
    with page.expect_download() as coming:
        page.keyboard.press("Enter")
    path = folder / "ranking.csv"
    coming.value.save_as(path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 700
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores, reverse=True)
