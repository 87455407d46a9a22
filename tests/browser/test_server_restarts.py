"""A server that is killed and started again: open pages come back by themselves."""

from __future__ import annotations

from tests.browser.desk import DIGITS, Desk, answer, asked, digits_hunt, question, saved, show
from tests.browser.desk import told as standing
from tests.waiting import wait_until
from tests.web.running import Running, state


def test_an_open_page_goes_on_by_itself_when_the_server_is_back(chromium, tmp_path):
    with Running(tmp_path) as first:
        desk = Desk(chromium, first)
        hunt = digits_hunt(first, background=["0"])
        page = desk.sit()
        show(page, first, f"/hunt/{hunt}/label")
        question(page).wait_for()
        answer(page, DIGITS[asked(page)])
        saved(page)
        first.kill()
        answer(page, DIGITS[asked(page)])  # kept on the page
    with Running(tmp_path, port=first.port) as again:
        desk.running = again
        saved(page)
        wait_until(lambda: state(again.api, hunt) == "ready")  # the page asked for it
        for _ in range(3):
            answer(page, DIGITS[asked(page)])
        saved(page)
        wait_until(lambda: len(standing(again, hunt)) == 5)
        desk.problems.clear()  # the browser writes to its console that the hunt was closed
        desk.close()
