from __future__ import annotations

from collections.abc import Iterator

import pytest

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
