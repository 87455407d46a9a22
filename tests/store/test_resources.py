from __future__ import annotations

import threading
from pathlib import Path

import pytest

from rarefind.store import open_store
from rarefind.testing.stores.examples import data_set, hunt_entry, label


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_store_opened_and_closed_again_leaves_no_file_and_no_thread(address):
    def use(number):
        with open_store(address) as store:
            store.put_dataset(data_set())
            if number == 0:
                store.create_hunt(hunt_entry())
            store.keep(label(number))
            assert len(store.events("hunt")) == number + 1

    use(0)
    before = open_files(), threading.active_count()
    for number in range(1, 15):
        use(number)
    assert (open_files(), threading.active_count()) == before


def test_a_refused_opening_leaves_no_file_open(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b\n" * 1000)
    before = open_files()
    for _ in range(10):
        with pytest.raises(OSError, match="is not a rarefind store"):
            open_store(path)
    assert open_files() == before
