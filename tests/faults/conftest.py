from __future__ import annotations

import pytest

from tests.store.conftest import address, empty_postgres, engine, used_postgres  # noqa: F401
from tests.zygote import Zygote


@pytest.fixture(scope="session")
def zygote():
    """Starts the workers as processes of their own."""
    made = Zygote(
        "tests.faults.workers",
        *("alembic.runtime.environment", "alembic.script"),
        *("rarefind.store.database.postgres", "rarefind.store.database.sqlite"),
    )
    yield made
    made.close()
