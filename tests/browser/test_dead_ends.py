"""Where somebody new was let down: work left behind, answers nobody meant, no server."""

from __future__ import annotations

import json
import uuid

import pytest
from playwright.sync_api import expect

from tests.browser.desk import DIGITS, answer, asked, count_of, digits_hunt, question, saved, show
from tests.browser.desk import told as standing
from tests.waiting import wait_until


@pytest.fixture
def hunt(running):
    """A hunt in digits with some labels, of which only 0 is ordinary."""
    id = digits_hunt(running, background=["0"])
    for row in range(0, 80, 2):
        body = {"id": str(uuid.uuid4()), "row": row, "label": DIGITS[row]}
        assert running.api.post(f"/api/hunts/{id}/labels", json=body).status_code == 200
    return id


class Held:
    """Says that work is going on until it is let go."""

    def __init__(self, page):
        self.going, self.cancelled = True, 0
        page.route("**/jobs/*", self._state)
        page.on("request", self._note)

    def _state(self, route):
        if not self.going:
            route.continue_()
            return
        step = {"task": "scoring", "done": 1, "total": 2}
        state = {"id": "a", "kind": "rank", "state": "running", "step": step, "result": None}
        route.fulfill(body=json.dumps({**state, "error": None}), content_type="application/json")

    def _note(self, request):
        self.cancelled += request.url.endswith("/cancel")


@pytest.mark.parametrize(
    ("room", "press", "shown"),
    [("rank", "#rank", ".ranked-row"), ("compare", "#compare", "#comparison table")],
)
def test_work_goes_on_while_its_page_is_left(desk, running, hunt, room, press, shown):
    page = desk.sit()
    held = Held(page)
    begun = []
    page.on("request", lambda sent: begun.append(sent.method == "POST" and room[:4] in sent.url))
    show(page, running, f"/hunt/{hunt}/{room}")
    page.locator("#target").select_option("3")
    if room == "rank":
        page.locator("#model").select_option("lago")
    page.locator(press).click()
    page.locator("progress").wait_for()
    show(page, running, f"/hunt/{hunt}/history")
    show(page, running, f"/hunt/{hunt}/{room}")
    page.locator("progress").wait_for()
    if room == "rank":
        expect(page.locator("#target")).to_have_value("3")
    held.going = False
    page.locator(shown).first.wait_for()
    expect(page.locator("progress")).to_have_count(0)
    assert held.cancelled == 0
    assert sum(begun) == 1


def test_a_page_left_before_the_server_heard_of_its_work_goes_on_with_it(desk, running, hunt):
    page = desk.sit()
    held = Held(page)
    begun = []
    page.route("**/comparisons", lambda route: begun.append(route))
    show(page, running, f"/hunt/{hunt}/compare")
    page.locator("#target").select_option("3")
    page.locator("#compare").click()
    wait_until(lambda: page.title() and begun)
    show(page, running, f"/hunt/{hunt}/history")
    show(page, running, f"/hunt/{hunt}/compare")
    page.locator("progress").wait_for()
    begun[0].continue_()
    held.going = False
    page.locator("#comparison table").first.wait_for()
    assert len(begun) == 1


def test_a_map_that_nobody_waits_for_is_stopped(desk, running, hunt):
    page = desk.sit()
    held = Held(page)
    show(page, running, f"/hunt/{hunt}/map")
    page.locator("[data-method=pca]").wait_for()
    page.locator("#map-method").select_option("kernel-pca")
    page.locator(".map-job progress").wait_for()
    wait_until(lambda: page.locator(".map-job").inner_text().startswith("Scoring"))
    page.locator("#map-method").select_option("pca")
    expect(page.locator(".map-job progress")).to_have_count(0)
    wait_until(lambda: page.title() and held.cancelled == 1)


def nines(desk, running, hunt, press):
    """Somebody at the rank page, looking at the record most like a nine."""
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/rank")
    page.locator("#target").select_option("9")
    page.locator("#model").select_option("lago")
    page.locator(press).click()
    page.locator(".rank-detail[data-row]").wait_for()
    return page


def test_no_says_what_it_stores_and_another_class_is_as_near(desk, running, hunt):
    page = nines(desk, running, hunt, "#rank")
    expect(page.locator("#reject")).to_have_text("xNo: it is 0")
    before = len(standing(running, hunt))
    page.locator("#another").click()
    page.locator(".rank-detail .answer[data-name='4']").click()
    saved(page)
    page.locator("#reject").click()
    saved(page)
    assert [each["value"] for each in standing(running, hunt)[before:]] == ["4", "0"]


def test_a_record_of_a_class_nobody_has_seen_is_named_in_a_harvest(desk, running, hunt):
    page = nines(desk, running, hunt, "#harvest")
    before = len(standing(running, hunt))
    page.locator("#another").click()
    page.keyboard.press("Escape")
    expect(page.locator(".rank-detail .answer")).to_have_count(0)
    page.locator("#another").click()
    page.locator("#new-class").click()
    page.keyboard.type("blot")
    page.keyboard.press("Enter")
    expect(page.locator(".note", has_text="A new class: blot")).to_be_visible()
    expect(page.locator("#class-name")).to_be_hidden()
    page.keyboard.press("n")
    page.keyboard.type("smear")
    page.keyboard.press("Enter")
    saved(page)
    assert [each["value"] for each in standing(running, hunt)[before:]] == ["blot", "smear"]


def test_a_record_reached_from_the_history_says_what_it_is_called(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/history")
    page.locator("table.history tbody a").first.click()
    expect(page.locator("#question[data-picked=yes] .has-label")).to_contain_text(str(DIGITS[78]))


def test_the_answers_stay_where_they_are_while_the_next_question_is_looked_for(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    held = []
    page.route("**/ask*", lambda route: held.append(route))
    bar = page.locator(".answers")
    while not page.locator("#question [aria-busy]").count():
        place = bar.bounding_box()
        page.keyboard.press("s")
        page.wait_for_timeout(500)
    assert bar.bounding_box()["y"] == place["y"]
    for route in held:
        route.continue_()
    question(page).wait_for()


def test_a_harvest_is_left_and_says_nothing_of_the_old_ranking(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/rank")
    page.locator("#target").select_option("9")
    page.locator("#model").select_option("lago")
    page.locator("#rank").click()
    expect(page.locator(".rank-about")).to_be_visible()
    page.locator("#harvest").click()
    expect(page.locator(".list-head")).to_contain_text("Round 1 of the harvest of 9")
    expect(page.locator(".rank-about")).to_be_hidden()
    assert " 0 look" not in page.locator(".rank-controls").inner_text()
    assert " in 0" not in page.locator(".rank-controls").inner_text()
    page.locator("#leave-harvest").click()
    expect(page.locator(".list-head")).to_contain_text("Ranked for 9")
    expect(page.locator(".rank-about")).to_be_visible()
    expect(page.locator("#leave-harvest")).to_be_hidden()


def test_undo_after_a_merge_takes_the_merge_back(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    answer(page, DIGITS[asked(page)])
    saved(page)
    before = standing(running, hunt)
    page.get_by_role("button", name="Change the class 4").click()
    merge = page.get_by_role("button", name="Merge")
    expect(merge).to_be_disabled()
    page.get_by_label("Make it part of").select_option("3")
    merge.click()
    saved(page)
    show(page, running, f"/hunt/{hunt}/history?kind=rename")
    expect(page.locator("table.history")).to_contain_text("made the class 4 part of 3")
    expect(page.locator("table.history tbody tr")).to_have_count(1)
    page.go_back()
    question(page).wait_for()
    page.get_by_role("button", name="Change the class 2").click()
    page.get_by_label("Make it part of").select_option("3")
    page.get_by_role("button", name="Merge").click()
    expect(page.locator(".answer[data-name='2']")).to_have_count(0)
    page.keyboard.press("u")
    expect(page.locator(".answer[data-name='2']")).to_be_visible()
    saved(page)
    assert [each["id"] for each in standing(running, hunt)] == [each["id"] for each in before]


def test_a_wrong_query_leaves_nothing_to_label(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/find")
    page.locator(".found li").first.wait_for()
    page.locator("#query").fill("amount > 1000")
    page.keyboard.press("Enter")
    expect(page.locator("#query-problem")).not_to_be_empty()
    expect(page.locator(".found li")).to_have_count(0)
    expect(page.locator("#choose-all")).to_have_count(0)
    assert "amount" not in page.locator("#query").get_attribute("placeholder")
    show(page, running, f"/hunt/{hunt}/history")
    page.locator("table.history tbody tr").first.wait_for()
    page.locator("#history-text").fill("amount >")
    expect(page.locator("table.history tbody tr")).to_have_count(0)
    desk.problems.clear()  # the browser writes the refusals to its console


def test_without_a_server_the_count_is_true_and_labelling_goes_on(desk, running, hunt):
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    answer(page, DIGITS[asked(page)])
    saved(page)
    labels = count_of(page)
    wait_until(lambda: labels() == 41)
    page.context.set_offline(True)
    for _ in range(3):
        answer(page, DIGITS[asked(page)])
    row = asked(page)
    page.keyboard.press("s")
    page.locator(f"#question[data-row]:not([data-row='{row}'])").wait_for()
    assert labels() == 44
    page.keyboard.press("u")
    page.locator(f"#question[data-row='{row}']").wait_for()
    answer(page, DIGITS[row])
    assert labels() == 45
    words = "No connection: 4 answers and 2 other steps kept here, sent when the server is back"
    expect(page.locator("#saved")).to_have_text(words)
    page.get_by_role("link", name="History").click()
    expect(page.locator(".note", has_text="go on labelling here")).to_be_visible()
    answer(page, DIGITS[asked(page)])
    page.context.set_offline(False)
    saved(page)
    wait_until(lambda: labels() == 46)
    assert len(standing(running, hunt)) == 46
