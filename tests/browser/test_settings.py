"""The page of a hunt itself: settings, labels out and in, deletion and its undo."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.desk import digits_hunt, show


def test_settings_export_import_and_deletion_on_the_page(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit("Ann", accept_downloads=True)
    show(page, running, f"/hunt/{hunt}/settings")
    page.get_by_label("A line about it").fill("Digits, again")
    page.get_by_label("People asked about each record").fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".note").first).to_contain_text("The settings are kept")
    view = running.api.get(f"/api/hunts/{hunt}").json()
    assert (view["title"], view["settings"]["overlap"]) == ("Digits, again", 2)

    labels = {"name": "known.csv", "mimeType": "text/csv", "buffer": b"row,label\n5,odd\n9,odd\n"}
    page.set_input_files("#import-file", files=[labels])
    page.locator("#import").click()
    expect(page.locator("#import-said")).to_have_text("2 new labels.")
    with page.expect_download() as download:
        page.locator("#export-labels-csv").click()
    name = download.value.suggested_filename
    assert re.fullmatch(r"digits-\d+-labels-\d{4}-\d\d-\d\d\.csv", name)
    assert download.value.path().read_text().count("odd") == 2

    page.locator("#delete").click()
    page.locator("#delete-yes").click()
    expect(page).to_have_url(re.compile("#/$"))
    assert hunt not in [each["id"] for each in running.api.get("/api/hunts").json()]
    page.get_by_role("button", name="Undo").click()
    expect(page).to_have_url(re.compile(f"{hunt}/label"))
    assert running.api.get(f"/api/hunts/{hunt}").json()["labels"] == 2
