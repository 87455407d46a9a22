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
        ("gift card", "Enter keeps it"),
        ("Gift_Card", "gift card is a class already: this record joins it."),
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
    assert [each["value"] for each in told(running, hunt)] == ["Normal"] * 3 + [
        "abnormal", "gift card", "gift card",
    ]  # fmt: skip


def looks(page):
    """Key, colour and shape of each class that can be answered with."""
    return page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('.answer')].map(button =>"
        " [button.dataset.name, [button.querySelector('kbd')?.textContent,"
        " button.dataset.colour, button.dataset.shape].join(' ')]))"
    )


def name_it(page, name, enter="Enter"):
    row = asked(page)
    page.keyboard.press("n")
    page.keyboard.type(name)
    page.keyboard.press(enter)
    page.locator(f"#question[data-row]:not([data-row='{row}'])").wait_for()


def test_the_beginning_of_a_name_is_completed_unless_a_new_one_is_asked_for(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    name_it(page, "weird")
    name_it(page, "wei")
    name_it(page, "wei", "Shift+Enter")
    saved(page)
    assert [each["value"] for each in told(running, hunt)] == ["weird", "weird", "wei"]


def test_keys_and_colours_never_move(desk, running):
    hunt = digits_hunt(running)
    ann, ben = desk.sit("Ann"), desk.sit("Ben")
    for page in (ann, ben):
        show(page, running, f"/hunt/{hunt}/label")
        question(page).wait_for()
    for number in range(14):
        name_it(ann, f"kind {number:02d}")
    saved(ann)
    expect(ann.locator(".answer[data-name='kind 13'] kbd")).to_have_text("i")
    before = looks(ann)
    assert len({tuple(look.split()[1:]) for name, look in before.items() if "kind" in name}) == 14
    assert before["kind 13"].endswith("square")  # after twelve colours
    ann.get_by_role("button", name="Change the class kind 03").click()
    ann.get_by_label("Ordinary").check()
    ann.get_by_role("button", name="Close", exact=True).click()
    ann.keyboard.press("u")  # the last class named goes
    expect(ann.locator(".answer[data-name='kind 13']")).to_have_count(0)
    saved(ann)
    ann.reload()
    question(ann).wait_for()
    for page in (ann, ben):
        expect(page.locator(".answer")).to_have_count(len(before) - 1)
        expect(page.locator(".ordinary")).to_contain_text("kind 03")
        now = looks(page)
        assert now == {name: look for name, look in before.items() if name != "kind 13"}


def test_a_class_is_renamed_merged_and_both_are_undone(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    for name in ("frued", "odd", "odder"):
        name_it(page, name)
    saved(page)
    expect(page.locator(".answer[data-name=odder] kbd")).to_be_visible()
    before = looks(page)
    page.get_by_role("button", name="Change the class frued").click()
    page.get_by_label("Key, for everybody").select_option("q")
    page.get_by_role("radio", name="square of colour 2").check()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator(".answer[data-name=frued]")).to_have_attribute("data-shape", "square")
    before["frued"] = "q 2 square"  # people's own key and colour
    assert looks(page) == before
    page.get_by_role("button", name="Change the class frued").click()
    page.get_by_label("Name", exact=True).fill("fraud")
    page.keyboard.press("Enter")
    expect(page.locator(".answer[data-name=fraud]")).to_be_visible()
    assert looks(page)["fraud"] == before["frued"]
    page.get_by_role("button", name="Change the class odder").click()
    page.get_by_label("Make it part of").select_option("odd")
    page.get_by_role("button", name="Merge").click()
    expect(page.locator(".answer[data-name=odder]")).to_have_count(0)
    expect(page.locator(".class-list li").filter(has_text="odd")).to_contain_text("2")
    page.locator(".note").filter(has_text="part of odd").get_by_role("button", name="Undo").click()
    expect(page.locator(".answer[data-name=odder]")).to_be_visible()
    saved(page)
    show(page, running, f"/hunt/{hunt}/history")
    page.get_by_role("button", name="Take back: ").and_(
        page.locator("[aria-label*='frued fraud']")
    ).click()
    saved(page)
    show(page, running, f"/hunt/{hunt}/label")
    expect(page.locator(".answer[data-name=frued]")).to_be_visible()
    assert looks(page) == before
