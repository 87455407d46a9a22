"""Whoever takes their last answers back in several windows at once takes each back once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from rarefind.core.errors import StateError
from rarefind.service.facade import Service
from rarefind.store.opening import open_store


def test_as_many_undos_at_once_take_as_many_answers_back(tmp_path):
    path = tmp_path / "sizes.csv"
    path.write_text("size\n" + "\n".join(map(str, range(30))))
    with Service(open_store(tmp_path / "hunts.db")) as service:
        hunt = service.open_hunt(path).id
        told = [service.tell(hunt, row, "ordinary", "anna").event.id for row in range(12)]
        service.tell(hunt, 20, "ordinary", "bert")
        with ThreadPoolExecutor(8) as windows:
            undone = list(windows.map(lambda _: service.undo(hunt, "anna"), range(12)))
        assert sorted(kept.event.value for kept in undone) == sorted(told)
        assert service.hunt(hunt).labels == 1
        with pytest.raises(StateError):
            service.undo(hunt, "anna")
