from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.web.inside import Inside
from tests.web.running import Threaded


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
def server(tmp_path_factory) -> Iterator[Threaded]:
    """A real server on a real port, in this process."""
    with Threaded(tmp_path_factory.mktemp("server")) as running:
        yield running
