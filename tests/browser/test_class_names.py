from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.desk import asked, digits_hunt, question, saved, show, told


def test_a_name_nearly_like_a_class_is_taken_for_it_or_questioned(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    for typed, words in [
        ("Normal", "Enter keeps it"),
        ("normal  ", "Normal is a class already: this record joins it."),
        ("nromal", "Did you mean Normal? Enter keeps it as you typed it."),
        ("abnormal", "Enter keeps it"),
    ]:
        row = asked(page)
        page.keyboard.press("n")
        page.locator("#class-name").fill(typed)
        expect(page.locator("#class-hint")).to_contain_text(words)
        if typed == "nromal":
            page.locator("#meant").click()
        else:
            page.keyboard.press("Enter")
        page.locator(f"#question[data-row]:not([data-row='{row}'])").wait_for()
    saved(page)
    assert [each["value"] for each in told(running, hunt)] == ["Normal"] * 3 + ["abnormal"]
