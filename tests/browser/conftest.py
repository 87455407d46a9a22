from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Error

from tests.browser.desk import Desk
from tests.web.running import Running


@pytest.fixture(scope="session")
def running(tmp_path_factory) -> Iterator[Running]:
    """A real ``rarefind serve`` that the tests share, each with hunts of its own."""
    with Running(tmp_path_factory.mktemp("workbench")) as running:
        yield running


@pytest.fixture
def desk(chromium, running) -> Iterator[Desk]:
    """Browsers of people who are signed in; whatever they complain about fails the test."""
    desk = Desk(chromium, running)
    yield desk
    desk.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """What the browsers of a failed test showed goes into its report."""
    report = yield
    desk = getattr(item, "funcargs", {}).get("desk")
    if report.when == "call" and report.failed and desk is not None:
        try:
            report.sections.append(("what the browsers showed", desk.tell()))
        except Error as problem:  # the page is gone or hangs: the failure itself counts
            report.sections.append(("what the browsers showed", str(problem)))
    return report
