from __future__ import annotations

from playwright.sync_api import expect

from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store
from tests.browser.desk import (
    DIGITS,
    answer,
    asked,
    count_of,
    digits_hunt,
    press_class,
    question,
    saved,
    show,
    told,
    waiting,
)
from tests.waiting import wait_until


def test_200_labels_by_keyboard_with_skip_and_undo_lose_nothing(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    given: list[tuple[int, str]] = []
    for number in range(200):
        row = asked(page)
        if number % 50 == 20:
            page.keyboard.press("s")
            page.locator(f"#question[data-row]:not([data-row='{row}'])").wait_for()
            row = asked(page)
        answer(page, DIGITS[row])
        if number % 50 == 40:
            page.keyboard.press("u")
            page.locator(f"#question[data-row='{row}']").wait_for()
            answer(page, DIGITS[row])
        given.append((row, DIGITS[row]))
    saved(page)
    kept = told(running, hunt)
    assert [(each["row"], each["value"]) for each in kept] == given
    assert len({each["row"] for each in kept}) == 200
    assert len(told(running, hunt, "skip")) == 4
    assert len(told(running, hunt, "undo")) == 4


def test_the_page_asks_what_the_terminal_asks(desk, running):
    """Whatever is fetched ahead, the same answers lead to the same questions."""
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    rows = []
    for _ in range(30):
        rows.append(asked(page))
        answer(page, DIGITS[rows[-1]])
    saved(page)
    [file] = running.home.rglob("digits.csv")
    settings = HuntSettings(label_column="label", background=tuple("01234"))
    with Service(open_store("memory:")) as terminal:
        again = terminal.open_hunt(file, settings=settings).id
        terminal.prepare(again)
        for row in rows:
            assert terminal.ask(again, "anna")[0].row == row
            terminal.tell(again, row, DIGITS[row], "anna")


def test_an_answer_survives_the_closing_of_its_tab(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    context, rows = page.context, []
    for _ in range(5):
        row = asked(page)
        rows.append(row)
        press_class(page, DIGITS[row])
        page.close()  # without waiting for anything
        page = desk.open(context)
        show(page, running, f"/hunt/{hunt}/label")
        question(page).wait_for()
        page.locator(f"#question:not([data-row='{row}'])").wait_for()
    saved(page)
    assert [each["row"] for each in told(running, hunt)] == rows


def test_without_a_network_answers_wait_and_are_sent_once(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    with page.expect_response("**/spares") as spares:  # fetched when nothing else is to do
        show(page, running, f"/hunt/{hunt}/label")
    spares.value.finished()
    question(page).wait_for()
    rows = [asked(page)]
    answer(page, DIGITS[rows[0]])
    saved(page)
    page.context.set_offline(True)
    while len(rows) < 23:  # what is fetched ahead, and what is kept for such times
        rows.append(asked(page))
        answer(page, DIGITS[rows[-1]])
    expect(page.locator("#saved")).to_have_text(
        "No connection: 22 answers kept here, sent when the server is back"
    )
    assert waiting(page) == 22
    page.keyboard.press("u")
    rows.append(rows.pop())  # asked again, and answered again
    page.locator(f"#question[data-row='{rows[-1]}']").wait_for()
    press_class(page, DIGITS[rows[-1]])
    wait_until(lambda: waiting(page) == 24)
    context = page.context
    page.close()
    assert len(told(running, hunt)) == 1

    context.set_offline(False)
    page = desk.open(context)
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    saved(page)
    assert [each["row"] for each in told(running, hunt)] == rows
    assert asked(page) not in rows
    answer(page, DIGITS[asked(page)])


def test_two_browsers_are_never_asked_the_same_and_see_each_other(desk, running):
    hunt = digits_hunt(running)
    pages = [desk.sit("Ann"), desk.sit("Ben")]
    rows: list[int] = []
    for page in pages:
        show(page, running, f"/hunt/{hunt}/label")
        question(page).wait_for()
    for _ in range(5):
        for page in pages:
            rows.append(asked(page))
            answer(page, DIGITS[rows[-1]])
        for page in pages:
            wait_until(lambda page=page: count_of(page)() >= len(rows))
    for page in pages:
        saved(page)
    assert len(set(rows)) == len(rows)
    assert sorted(each["row"] for each in told(running, hunt)) == sorted(rows)
    expect(pages[0].locator(".people li[data-name='Ben'] .class-count")).to_have_text("5")
    expect(pages[1].locator(".people li[data-name='Ann'] .class-count")).to_have_text("5")


def test_two_people_who_disagree_are_shown(desk, running):
    hunt = digits_hunt(running, overlap=2)
    ann, ben = desk.sit("Ann"), desk.sit("Ben")
    for page in (ann, ben):
        show(page, running, f"/hunt/{hunt}/label")
        question(page).wait_for()
    row = asked(ann)
    answer(ann, "3")
    saved(ann)
    ben.locator(".map-panel summary").click()
    ben.locator("#go-to").fill(str(row))
    ben.keyboard.press("Enter")
    ben.locator(f"#question[data-row='{row}']").wait_for()
    answer(ben, "4")
    for page in (ann, ben):
        expect(page.get_by_role("heading", name="1 disagreement")).to_be_visible()
        expect(page.locator(".said").first).to_contain_text("Ann: 3")


def test_any_answer_can_be_taken_back_in_the_history(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    rows = []
    for _ in range(3):
        rows.append(asked(page))
        answer(page, DIGITS[rows[-1]])
    saved(page)
    show(page, running, f"/hunt/{hunt}/history")
    lines = page.locator(".history tbody tr")
    expect(lines).to_have_count(3)
    lines.nth(1).get_by_role("button", name="Take back").click()
    expect(lines).to_have_count(4)
    expect(page.locator("tr[data-undone]")).to_have_count(1)
    assert [each["row"] for each in told(running, hunt)] == [rows[0], rows[2]]


def test_a_class_counts_as_ordinary_for_everybody_when_one_says_so(desk, running):
    hunt = digits_hunt(running)
    ann, ben = desk.sit("Ann"), desk.sit("Ben")
    for page in (ann, ben):
        show(page, running, f"/hunt/{hunt}/label")
        question(page).wait_for()
    answer(ann, "strange")
    saved(ann)
    ann.get_by_role("button", name="Change the class strange").click()
    ann.get_by_label("Ordinary").check()
    for page in (ann, ben):
        ordinary = page.locator(".ordinary")
        expect(ordinary).to_contain_text("strange")
        expect(page.locator(".class-list.rare")).not_to_contain_text("strange")
    ben.get_by_role("button", name="Change the class strange").click()
    ben.get_by_label("Ordinary").uncheck()
    for page in (ann, ben):
        expect(page.locator(".class-list.rare")).to_contain_text("strange")


def test_the_history_leads_to_the_record(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    row = asked(page)
    answer(page, DIGITS[row])
    saved(page)
    show(page, running, f"/hunt/{hunt}/history")
    page.get_by_role("link", name=f"Show record {row}").click()
    expect(page.locator("#question")).to_have_attribute("data-row", str(row))
    expect(page.locator("#question")).to_have_attribute("data-picked", "yes")
