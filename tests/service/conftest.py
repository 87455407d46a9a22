from __future__ import annotations

import numpy as np
import pytest

from rarefind.service.asking import patience
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store
from tests.waiting import PATIENCE


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Let a few people together get the best question, however busy the machine is.

    Otherwise they take an earlier choice after a quarter of a second, and tests that ask for the
    question that follows from every answer would depend on who else is at work.
    """
    monkeypatch.setattr(patience, "TOGETHER_SECONDS", PATIENCE)
    monkeypatch.setattr(patience, "STAND_IN_SECONDS", PATIENCE)


def write_payments(path, rows=150, rare=6, seed=0):
    """A table with a rare class that lies apart; returns its truth."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(rows, 2)), rng.normal(8, 0.1, size=(rare, 2))])
    kinds = ["ordinary"] * rows + ["fraud"] * rare
    countries = [("se", "no", "dk")[row % 3] for row in range(rows)] + ["lt"] * rare
    order = rng.permutation(rows + rare)
    lines = [f"{X[row, 0]:.4f},{X[row, 1]:.4f},{countries[row]},{kinds[row]}" for row in order]
    path.write_text("\n".join(["amount,hour,country,kind", *lines]) + "\n")
    return [kinds[row] for row in order]


class Payments:
    """A hunt in payments, kept in memory, in a file, or on a server."""

    def __init__(self, folder, store, **settings):
        self.folder = folder
        self.path = folder / "payments.csv"
        if not self.path.exists():
            write_payments(self.path)
        self.store = store
        self.settings = {"label_column": "kind", "strategy": "farthest-first", **settings}
        self.service = None
        self.open()

    def open(self):
        self.service = Service(open_store(self.store))
        view = self.service.open_hunt(self.path, settings=HuntSettings(**self.settings))
        self.id = view.id
        self.service.prepare(self.id)
        self.truth = self.service.truth(self.id)
        return self.service

    def answer(self, who="anna"):
        """Ask and tell the truth once; returns the row."""
        row = self.service.ask(self.id, who)[0].row
        self.service.tell(self.id, row, self.truth[row], who)
        return row

    def close(self):
        self.service.close()


@pytest.fixture
def payments(tmp_path):
    """Begin hunts with any settings; all are closed in the end."""
    begun = []

    def begin(store="memory:", **settings):
        begun.append(Payments(tmp_path, store, **settings))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One hunt with some labels, for tests that only look."""
    hunt = Payments(tmp_path_factory.mktemp("payments"), "memory:", background=("ordinary",))
    for _ in range(12):
        hunt.answer()
    yield hunt
    hunt.close()
