from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.inside import Inside
from tests.web.running import Running


@pytest.fixture(scope="module")
def inside(tmp_path_factory) -> Iterator[Inside]:
    """The application with a store in memory, called without a network."""
    with Inside(tmp_path_factory.mktemp("inside")) as inside:
        yield inside


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Running]:
    """A real server in a process of its own."""
    with Running(tmp_path_factory.mktemp("server")) as running:
        yield running
