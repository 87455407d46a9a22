"""People at their browsers: pages that are signed in, and what goes wrong on them."""

from __future__ import annotations

import functools
import itertools
import time
from collections import deque
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, expect

from rarefind.records.examples import rare_digits
from tests.waiting import PATIENCE_MS, wait_until
from tests.web.running import Running, made_ready

DIGITS = rare_digits().labels
RARE = frozenset("56789")
_names = itertools.count(1)
expect.set_options(timeout=PATIENCE_MS)


class Desk:
    """Opens browsers that keep nothing in common but the server."""

    def __init__(self, chromium: Any, running: Running) -> None:
        self.chromium, self.running = chromium, running
        self.problems: list[str] = []
        self.contexts: list[BrowserContext] = []
        self.requests: deque[str] = deque(maxlen=60)

    def sit(self, name: str | None = None, **options: Any) -> Page:
        """Sign a new browser in, under a name of its own if one is given."""
        options = {"viewport": {"width": 1280, "height": 800}, **options}
        context = self.chromium.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(
            "document.addEventListener('securitypolicyviolation', "
            "event => console.error('CSP ' + event.violatedDirective + ' ' + event.blockedURI))"
        )
        self.contexts.append(context)
        page = self.open(context)
        signed_in = context.request.post(
            f"{self.running.address}/api/join", data={"secret": self.running.token}
        )
        assert signed_in.ok
        page.goto(f"{self.running.address}/")
        if name is not None:
            page.evaluate(
                "name => fetch('/api/me', {method: 'PUT', body: JSON.stringify({annotator: name}),"
                " headers: {'Content-Type': 'application/json'}})",
                name,
            )
        return page

    def open(self, context: BrowserContext) -> Page:
        """Open another tab that is watched."""
        page = context.new_page()
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("console", self._console)
        for event in ("request", "requestfinished", "requestfailed"):
            page.on(event, functools.partial(self._note, event))
        return page

    def tell(self) -> str:
        """Tell what the browsers show and what they lately asked the server, for a failed test."""
        pages = [page for context in self.contexts for page in context.pages]
        shown = [f"{page.url}\n{page.locator('main').inner_text(timeout=2_000)}" for page in pages]
        return "\n\n".join([*shown, "\n".join(self.requests), "".join(self.running.said[-20:])])

    def _note(self, event: str, request: Any) -> None:
        path = urlsplit(request.url).path
        self.requests.append(f"{time.monotonic():.2f} {event} {request.method} {path}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert not self.problems, self.problems

    def _dialog(self, dialog: Any) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _console(self, message: Any) -> None:
        # A server that is away on purpose is no fault of the page.
        if message.type == "error" and "ERR_" not in message.text:
            self.problems.append(f"console: {message.text}")


def digits_hunt(running: Running, **settings: Any) -> str:
    """Begin a hunt in the example of digits; return its id once it can be asked."""
    dataset = running.api.post("/api/examples/digits").json()
    body = {
        "dataset": dataset["id"],
        "name": f"digits {next(_names)}",
        "label_column": dataset["label_guesses"][0],
        "background": dataset["background"],
        **settings,
    }
    answer = running.api.post("/api/hunts", json=body)
    assert answer.status_code == 201, answer.text
    return made_ready(running.api, answer.json()["id"])


def show(page: Page, running: Running, place: str) -> None:
    """Go to a place of the page and wait until it is drawn."""
    page.goto(f"{running.address}/#{place}")
    expect(page.locator("main .page > *").first).to_be_visible()


def question(page: Page) -> Locator:
    """The card with a question on it."""
    return page.locator("#question[data-row]")


def asked(page: Page) -> int:
    """The row that is asked about."""
    return int(question(page).get_attribute("data-row"))


def answer(page: Page, label: str) -> float:
    """Answer by keyboard and wait for the next question; return the milliseconds it took."""
    row = press_class(page, label)
    page.locator(f"#question[data-row]:not([data-row='{row}'])").wait_for()
    return float(question(page).get_attribute("data-took") or "nan")


def press_class(page: Page, label: str) -> str | None:
    """Press the key of a class, or make it a new one by its name; return the row asked about."""
    row, keys = page.evaluate(
        "() => [document.getElementById('question')?.dataset.row,"
        " Object.fromEntries([...document.querySelectorAll('.answer')].map("
        "button => [button.dataset.name, button.querySelector('kbd')?.textContent]))]"
    )
    if keys.get(label):
        page.keyboard.press(keys[label])
        return row
    page.keyboard.press("n")
    page.keyboard.type(label)
    page.keyboard.press("Enter")
    return row


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    """Move the focus by the Tab key until it is on an element."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"The Tab key does not reach {selector}.")


def told(running: Running, hunt: str, kind: str = "label") -> list[dict]:
    """Everything of a kind that was said and not taken back, oldest first."""
    events: list[dict] = []
    before = ""
    while page := running.api.get(f"/api/hunts/{hunt}/history?limit=1000{before}").json():
        events += page
        before = f"&before={page[-1]['seq']}"
    return [each for each in reversed(events) if each["kind"] == kind and not each["undone"]]


def saved(page: Page) -> None:
    """Wait until everything said has arrived."""
    expect(page.locator("#saved")).to_have_attribute("data-state", "saved")
    wait_until(lambda: waiting(page) == 0)


def waiting(page: Page) -> int:
    """How many answers the browser still keeps."""
    return page.evaluate(
        "() => Object.keys(localStorage).filter(key => key.startsWith('rarefind.outbox.')).length"
    )


def count_of(page: Page) -> Callable[[], int]:
    """The number of labels that the page shows."""
    return lambda: int(page.locator(".figures b").first.inner_text().replace(",", ""))
