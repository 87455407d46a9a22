"""Every store that there is, empty, behind one fixture."""

from __future__ import annotations

import uuid

import pytest

from rarefind.store import open_store
from tests.store.example import create_schema

ENGINES = ["memory", "sqlite", "postgres"]


@pytest.fixture(params=ENGINES)
def engine(request):
    return request.param


@pytest.fixture
def address(engine, tmp_path, request):
    """What a person would type to open an empty store of that engine."""
    if engine == "memory":
        return "memory:"
    if engine == "sqlite":
        return str(tmp_path / "rarefind.db")
    return create_schema(request.getfixturevalue("postgres"), f"s{uuid.uuid4().hex}")


@pytest.fixture
def store(address):
    with open_store(address) as opened:
        yield opened
