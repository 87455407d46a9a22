"""A store opened by a command that changes what it holds, and who does so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rarefind.cli import options
from rarefind.cli.terminal.who_answers import usual_name
from rarefind.service.facade import Service
from rarefind.store.opening import open_store


@contextmanager
def at_work(store: str | None, annotator: str | None = None) -> Iterator[tuple[Service, str]]:
    """Give the use cases of the store that is meant, and the name of whoever is at work."""
    where = options.store_here(store)
    with Service(open_store(where, create=False)) as service:
        yield service, annotator or usual_name(where)
