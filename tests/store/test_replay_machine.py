"""Whatever people do and wherever it breaks off: what stands is the replay, in every store."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import psycopg
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rarefind.core.errors import RarefindError
from rarefind.store import Event, open_store, replay
from rarefind.store.rules.renames import rename_value
from rarefind.testing.stores.examples import candidates, data_set, hunt_entry, new_id
from tests.store.example import create_schema

PEOPLE = st.sampled_from(["ann", "bob", "cem"])
ROWS = st.integers(0, 5)
LABELS = st.sampled_from(["fraud", "error", "theft"])
HUNTS = itertools.count()
MANY = int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50"))


class Place:
    """Where a store lives, and how it dies."""

    def __init__(self, address):
        self.address = address
        self.store = open_store(address)
        self.store.put_dataset(data_set())
        self.store.put_dataset(data_set("more", sha256="00"))

    def reopen(self):
        self.store.close()
        self.store = open_store(self.address)

    def crash(self):
        """Nothing: a store in memory is gone when its process is."""

    def close(self):
        self.store.close()


class MemoryPlace(Place):
    def reopen(self):
        """Nothing: a store in memory is not opened again."""


class FilePlace(Place):
    def __init__(self):
        self.folder = Path(tempfile.mkdtemp())
        super().__init__(str(self.folder / "0.db"))

    def crash(self):
        # What a killed process leaves: the file and its log as they are, nothing tidied up.
        old = Path(self.address)
        new = self.folder / f"{int(old.stem) + 1}.db"
        for suffix in ("", "-wal"):
            if Path(f"{old}{suffix}").exists():
                shutil.copy(f"{old}{suffix}", f"{new}{suffix}")
        self.store.close()
        self.address = str(new)
        self.store = open_store(new)

    def close(self):
        super().close()
        shutil.rmtree(self.folder)


class ServerPlace(Place):
    def crash(self):
        # The server loses all our connections; the store must find its way back by itself.
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE application_name = 'rarefind'"
            )


def without_time(event):
    return replace(event, at=0.0, seq=0)


def outcome(call):
    try:
        return call()
    except RarefindError as problem:
        return (type(problem), str(problem))


def test_projection_equals_replay_in_all_stores(postgres):
    places = [
        MemoryPlace("memory:"),
        FilePlace(),
        ServerPlace(create_schema(postgres, f"machine_{new_id()[:8]}")),
    ]

    class Machine(RuleBasedStateMachine):
        def __init__(self):
            super().__init__()
            self.hunt = f"hunt {next(HUNTS)}"
            self.sent = []
            self.now = 1000.0
            for place in places:
                place.store.create_hunt(hunt_entry(self.hunt))

        def send(self, event):
            outcomes = []
            for place in places:
                kept = outcome(lambda place=place: place.store.keep(event))
                if not isinstance(kept, tuple):
                    kept = (without_time(kept.event), kept.repeated)
                outcomes.append(kept)
            assert outcomes[0] == outcomes[1] == outcomes[2]
            if isinstance(outcomes[0][0], Event) and not outcomes[0][1]:
                self.sent.append(event)

        def event(self, kind, row, value, annotator):
            return Event(new_id(), self.hunt, kind, row, value, annotator, at=0.0)

        @rule(annotator=PEOPLE, rows=st.lists(ROWS, max_size=4), count=st.integers(1, 2))
        def ask(self, annotator, rows, count):
            answers = [
                [
                    (lease.candidate, lease.expires_at)
                    for lease in place.store.take_leases(
                        self.hunt,
                        annotator,
                        candidates(*rows),
                        count=count,
                        seconds=60,
                        now=self.now,
                        overlap=2,
                    )
                ]
                for place in places
            ]
            assert answers[0] == answers[1] == answers[2]

        @rule(annotator=PEOPLE, row=ROWS, label=LABELS)
        def tell(self, annotator, row, label):
            self.send(self.event("label", row, label, annotator))

        @rule(annotator=PEOPLE, row=ROWS)
        def skip(self, annotator, row):
            self.send(self.event("skip", row, None, annotator))

        @precondition(lambda self: self.sent)
        @rule(data=st.data())
        def retell(self, data):
            self.send(data.draw(st.sampled_from(self.sent)))

        @precondition(lambda self: self.sent)
        @rule(data=st.data(), annotator=PEOPLE)
        def undo(self, data, annotator):
            target = data.draw(st.sampled_from(self.sent))
            self.send(self.event("undo", None, target.id, annotator))

        @rule(old=LABELS, new=LABELS, annotator=PEOPLE)
        def rename(self, old, new, annotator):
            self.send(self.event("rename", None, rename_value(old, new), annotator))

        @rule(known=st.booleans())
        def append(self, known):
            self.send(self.event("append", None, "more" if known else "none", "ann"))

        @rule(seconds=st.sampled_from([10.0, 61.0]))
        def expire(self, seconds):
            self.now += seconds

        @rule()
        def crash(self):
            for place in places:
                place.crash()

        @rule()
        def reopen(self):
            for place in places:
                place.reopen()

        @invariant()
        def what_stands_is_the_replay(self):
            events = [place.store.events(self.hunt) for place in places]
            for place, mine in zip(places, events, strict=True):
                assert place.store.standing(self.hunt) == replay(mine).statements
                assert [without_time(event) for event in mine] == self.sent
            leases = [
                [
                    (lease.annotator, lease.candidate, lease.expires_at)
                    for lease in place.store.leases(self.hunt, self.now)
                ]
                for place in places
            ]
            assert leases[0] == leases[1] == leases[2]

        def teardown(self):
            if next(HUNTS) % 7 == 0:
                assert all(place.store.check().ok for place in places)

    machine = Machine.TestCase
    machine.settings = settings(
        max_examples=max(8, MANY // 5),
        stateful_step_count=20 if MANY <= 50 else 50,
        deadline=None,
        derandomize=True,
    )
    try:
        machine().runTest()
    finally:
        for place in places:
            place.close()
