from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.inside import Inside
from tests.web.running import Threaded


@pytest.fixture(scope="module")
def inside(tmp_path_factory) -> Iterator[Inside]:
    """The application with a store in memory, called without a network."""
    with Inside(tmp_path_factory.mktemp("inside")) as inside:
        yield inside


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Threaded]:
    """A real server on a real port, in this process."""
    with Threaded(tmp_path_factory.mktemp("server")) as running:
        yield running
