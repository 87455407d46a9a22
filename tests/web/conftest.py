from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.web.inside import Inside
from tests.web.running import Running


@pytest.fixture
def inside(tmp_path) -> Iterator[Inside]:
    """The application with a store in memory, called without a network."""
    with Inside(tmp_path) as inside:
        yield inside


@pytest.fixture
def api(inside) -> httpx.Client:
    """A client that shows the token."""
    return inside.api


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Running]:
    """A real server in a process of its own."""
    with Running(tmp_path_factory.mktemp("server")) as running:
        yield running
