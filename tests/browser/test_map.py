from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from playwright.sync_api import expect

from tests.browser.desk import DIGITS, Desk, asked, digits_hunt, question, saved, show
from tests.waiting import wait_until
from tests.web.running import Running, open_hunt


def blob(n: int) -> np.ndarray:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, 2)) * np.where(rng.random((n, 1)) < 0.3, 0.2, 1.0)
    return (points / np.abs(points).max()).astype(np.float32)


def moved(page) -> None:
    """Wait for the map, move it by keys, and see it painted anew after each."""
    page.locator(".map[data-first-paint]").wait_for()
    page.locator(".map-over").focus()
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "+", "ArrowDown", "-"):
        before = picture(page)
        page.keyboard.press(key)
        wait_until(lambda before=before: picture(page) != before)


def picture(page) -> str:
    """Every point of the map as it is painted now."""
    return page.evaluate("() => document.querySelector('.map canvas').toDataURL()")


def test_100000_records_are_painted_and_moved(desk, running):
    table = pa.table({"x": blob(100_000)[:, 0], "y": blob(100_000)[:, 1]})
    file = io.BytesIO()
    pq.write_table(table, file)
    hunt = open_hunt(running.api, file.getvalue(), "many.parquet", strategy="random")
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    moved(page)
    assert page.locator(".map").get_attribute("data-points") == "100000"


def test_a_million_points_are_painted_and_moved(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    body = blob(1_000_000).tobytes()
    headers = {"Content-Type": "application/octet-stream"}
    page.route("**/map?method=*", lambda route: route.fulfill(body=body, headers=headers))
    show(page, running, f"/hunt/{hunt}/label")
    moved(page)
    assert page.locator(".map").get_attribute("data-points") == "1000000"


def test_a_point_is_named_on_hover_shown_on_click_and_labelled_unasked(desk, running):
    hunt = digits_hunt(running)
    points = np.frombuffer(running.api.get(f"/api/hunts/{hunt}/map").content, dtype="<f4")
    points = points.reshape(-1, 2)
    # A record that stands apart on the map, so that the pointer cannot mean another.
    gaps = ((points[:, None] - points[None]) ** 2).sum(axis=2) + 9 * np.eye(len(points))
    row = int(gaps.min(axis=1).argmax())
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    held = asked(page)
    page.locator(".map[data-first-paint]").wait_for()
    box = page.locator(".map").bounding_box()
    scale = 0.47 * min(box["width"], box["height"])
    x = box["x"] + box["width"] / 2 + float(points[row, 0]) * scale
    y = box["y"] + box["height"] / 2 - float(points[row, 1]) * scale
    page.mouse.move(x, y)
    expect(page.locator(".tip")).to_contain_text(f"record {row}")
    page.mouse.click(x, y)
    page.locator(f"#question[data-row='{row}'][data-picked='yes']").wait_for()
    page.keyboard.press("4")
    page.locator(f"#question[data-row='{held}']").wait_for()
    page.mouse.move(x, y)
    expect(page.locator(".tip")).to_contain_text("4")
    saved(page)
    history = running.api.get(f"/api/hunts/{hunt}/history").json()
    assert [(each["row"], each["value"], each["asked"]) for each in history] == [(row, "4", False)]


def test_records_can_be_reached_without_a_pointer(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    held = asked(page)
    page.locator(".map[data-first-paint]").wait_for()
    page.locator(".map-panel summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".in-view li")).to_have_count(12)
    page.locator("#go-to").fill("7")
    page.keyboard.press("Enter")
    page.locator("#question[data-row='7'][data-picked='yes']").wait_for()
    page.keyboard.press("Escape")
    page.locator(f"#question[data-row='{held}'][data-picked='no']").wait_for()


def test_umap_is_drawn_aside_with_its_progress_and_its_note(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/map")
    page.locator(".map[data-method=pca]").wait_for()
    before = picture(page)
    held, seen = [], []

    def told(route):
        answer = route.fetch()
        seen.append(answer.json())
        route.fulfill(response=answer)

    # How far it is may not be told before somebody has looked at the bar.
    page.route("**/jobs/*", lambda route: told(route) if seen else held.append(route))
    page.locator("#map-method").select_option("umap")
    expect(page.locator(".map-job progress")).to_be_visible()
    expect(page.locator(".map-job").get_by_role("button", name="Cancel")).to_be_visible()
    assert page.locator(".map").get_attribute("data-method") == "pca"  # until the other is there
    wait_until(lambda: page.title() and held)
    told(held[0])
    page.locator(".map[data-method=umap]").wait_for()
    assert seen[-1]["state"] == "done"
    assert all(each["kind"] == "map" for each in seen)
    expect(page.locator(".map-job")).to_be_empty()
    expect(page.locator(".map-note").first).to_contain_text("Neighbourhoods: each record is near")
    assert page.locator(".map").get_attribute("data-points") == str(len(DIGITS))
    wait_until(lambda: picture(page) != before)
    points = np.frombuffer(running.api.get(f"/api/hunts/{hunt}/map?method=umap").content, "<f4")
    assert np.isfinite(points).all()
    assert np.unique(points.reshape(-1, 2), axis=0).shape[0] > len(DIGITS) // 2


def test_umap_without_its_package_says_what_to_install_and_keeps_the_map(chromium, tmp_path):
    (tmp_path / "packages/umap").mkdir(parents=True)
    lines = 'raise ModuleNotFoundError("No module named \'umap\'", name="umap")\n'
    (tmp_path / "packages/umap/__init__.py").write_text(lines)
    with Running(tmp_path, packages=tmp_path / "packages") as running:
        desk = Desk(chromium, running)
        hunt = digits_hunt(running)
        page = desk.sit()
        show(page, running, f"/hunt/{hunt}/map")
        page.locator(".map[data-method=pca]").wait_for()
        before = picture(page)
        page.locator("#map-method").select_option("umap")
        remedy = "Install it with: pip install 'rarefind[maps]'"
        words = page.locator(".map-note", has_text="needs umap-learn")
        expect(words).to_have_text(f"The map 'umap' needs umap-learn. {remedy}")
        expect(page.locator(".map-job")).to_be_empty()
        expect(page.locator("#map-method")).to_have_value("pca")  # what is drawn
        assert picture(page) == before
        page.locator("#map-method").select_option("kernel-pca")
        page.locator(".map[data-method=kernel-pca]").wait_for()
        desk.close()
