"""Many records at once: chosen on the map or in a list, labelled in one step, taken back as one."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from tests.browser.desk import digits_hunt, saved, show, tab_to, told
from tests.waiting import wait_until

REFUSED = (
    "console: Failed to load resource: the server responded with a status of 422 "
    "(Unprocessable Entity)"
)


def places(running, hunt):
    points = np.frombuffer(running.api.get(f"/api/hunts/{hunt}/map").content, dtype="<f4")
    return points.reshape(-1, 2)


def on_screen(page, points):
    box = page.locator(".map").bounding_box()
    scale = 0.47 * min(box["width"], box["height"])
    middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    return middle + points * [scale, -scale]


def test_a_group_is_lassoed_labelled_and_undone_as_one(desk, running):
    hunt = digits_hunt(running)
    points = places(running, hunt)
    right = float(np.sort(points[:, 0])[-12])  # the dozen farthest to the right
    page = desk.sit("lena")
    show(page, running, f"/hunt/{hunt}/map")
    page.locator(".map[data-first-paint]").wait_for()
    left, beyond = right - 1e-4, 1.02
    corners = np.array([[left, -1.02], [beyond, -1.02], [beyond, 1.02], [left, 1.02]])
    drawn = on_screen(page, corners)
    page.keyboard.press("l")
    page.mouse.move(*drawn[0])
    page.mouse.down()
    for corner in drawn[1:]:
        page.mouse.move(*corner)
    page.mouse.up()
    page.locator(".found li").first.wait_for()
    rows = {int(each.get_attribute("data-row")) for each in page.locator(".found li").all()}
    inside = np.flatnonzero(points[:, 0] >= right + 2e-3)
    assert set(inside) <= rows  # a pixel is wider than the gap to the next
    assert len(rows) <= 14
    page.locator("#many-class").fill("far right")
    page.locator("#label-many").click()
    saved(page)
    events = told(running, hunt)
    assert {each["row"] for each in events} == rows
    assert len({each["step"] for each in events}) == 1
    assert not any(each["asked"] for each in events)
    page.locator(".note .link").click()  # Undo
    saved(page)
    wait_until(lambda: not told(running, hunt))
    undone = running.api.get(f"/api/hunts/{hunt}/history", params={"kind": "undo"}).json()
    assert len(undone) == len(rows)


def test_a_line_around_nothing_says_so_and_escape_puts_the_lasso_away(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/map")
    page.locator(".map[data-first-paint]").wait_for()
    page.keyboard.press("l")
    beyond = on_screen(page, np.array([[1.03, 1.03], [1.05, 1.03], [1.05, 1.05], [1.03, 1.05]]))
    page.mouse.move(*beyond[0])
    page.mouse.down()
    for corner in beyond[1:]:
        page.mouse.move(*corner)
    page.mouse.up()
    expect(page.locator(".note")).to_contain_text("No record lies within the line.")
    expect(page.locator("#lasso")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(page.locator("#lasso")).to_have_attribute("aria-pressed", "false")


def test_the_map_is_filtered_coloured_and_chosen_from_by_keys(desk, running):
    hunt = digits_hunt(running)
    for row in range(6):
        body = {"id": f"00000000-0000-4000-8000-30000000000{row}", "row": row, "label": "x"}
        assert running.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/map")
    page.locator(".map[data-first-paint]").wait_for()
    page.locator("#query").fill("labelled row < 4")
    page.keyboard.press("Enter")
    page.locator(".map[data-shown='4']").wait_for()
    tab_to(page, ".map-over")
    page.keyboard.press("Home")
    page.keyboard.press("v")
    expect(page.locator("#chosen")).to_have_text("4 records, 4 chosen")
    page.locator(".found-line").first.click()
    page.locator(".found-record canvas, .found-record svg").first.wait_for()
    page.locator("#query").fill("labelled row <")
    page.keyboard.press("Enter")
    expect(page.locator("#query-problem")).to_contain_text("ends at character 15")
    desk.problems.remove(REFUSED)
    page.locator("#show-all").click()
    page.locator(f".map[data-shown='{len(places(running, hunt))}']").wait_for()
    page.locator("#map-method").select_option("kernel-pca")
    page.locator(".map[data-method='kernel-pca']").wait_for()


def test_records_are_found_opened_and_labelled_from_every_page(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit("max")
    show(page, running, f"/hunt/{hunt}/history")
    page.keyboard.press("/")
    page.locator(".page-find .found li").first.wait_for()
    page.locator("#query").fill("row < 5 or row = 9")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen")).to_have_text("6 records, 0 chosen")
    page.locator(".found-line").first.click()
    expect(page.locator(".found-record a")).to_have_attribute("href", f"#/hunt/{hunt}/label/0")
    page.locator(".found .stamp-place canvas").first.wait_for()  # pictures lie in lists, too
    page.locator("#choose-all").click()
    expect(page.locator("#chosen")).to_have_text("6 records, 6 chosen")
    page.locator(".found li input").nth(1).uncheck()
    page.locator("#many-class").fill("some")
    page.keyboard.press("Enter")
    saved(page)
    assert sorted(each["row"] for each in told(running, hunt)) == [0, 2, 3, 4, 9]
    page.locator("#query").fill("class = some")
    page.keyboard.press("Enter")
    expect(page.locator("#chosen")).to_have_text("5 records, 0 chosen")
    assert page.url.endswith("/find?q=class+%3D+some")
    page.locator("#query").blur()
    page.keyboard.press("u")
    saved(page)
    wait_until(lambda: not told(running, hunt))


def test_the_name_for_many_is_completed_unless_a_new_one_is_asked_for(desk, running):
    hunt = digits_hunt(running)
    body = {"id": "00000000-0000-4000-8000-400000000000", "row": 20, "label": "neptune"}
    assert running.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/find?q=row+%3C+4")
    for rows, enter in (([0, 1], "Enter"), ([2, 3], "Shift+Enter")):
        for row in rows:
            page.locator(f".found li[data-row='{row}'] input").check()
        page.locator("#many-class").fill("nep")
        expect(page.locator(".many")).to_contain_text("Enter answers neptune")
        page.keyboard.press(enter)
        saved(page)
        for row in rows:
            page.locator(f".found li[data-row='{row}'] input").uncheck()
    said = {each["row"]: each["value"] for each in told(running, hunt)}
    assert said == {0: "neptune", 1: "neptune", 2: "nep", 3: "nep", 20: "neptune"}


def test_history_is_filtered_and_taken_back_in_bulk(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit("olga")
    at = f"/api/hunts/{hunt}"
    for row, label in enumerate(["a", "b", "a", "a"]):
        body = {"id": f"00000000-0000-4000-8000-1{row:011}", "row": row, "label": label}
        running.api.post(f"{at}/labels", json=body).raise_for_status()
    step = {"id": "00000000-0000-4000-8000-200000000000", "rows": [7, 8, 9], "label": "a"}
    running.api.post(f"{at}/labels/many", json=step).raise_for_status()
    show(page, running, f"/hunt/{hunt}/history")
    expect(page.locator(".history tbody tr")).to_have_count(5)
    expect(page.locator(".history tbody tr").first).to_contain_text("one step of 3 records")
    page.locator("#history-class").select_option("a")
    expect(page.locator(".history tbody tr")).to_have_count(4)
    page.get_by_label("Choose all that are listed").check()
    expect(page.locator("#undo-chosen")).to_have_text("Take back 6 answers")
    page.locator("#undo-chosen").click()
    saved(page)
    wait_until(lambda: [each["value"] for each in told(running, hunt)] == ["b"])
    page.locator("#history-class").select_option("")
    page.locator("#history-text").fill("row = 1")
    expect(page.locator(".history tbody tr")).to_have_count(1)
