"""Answers that get lost and requests that come twice: every label counts exactly once."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter

from rarefind.store import open_store, replay
from rarefind.testing.stores.examples import label, with_hunt

LABELS = 20 * int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50"))
CLIENTS = 10


def insist(store, events, rng, told):
    """Send each event until an answer arrives; some answers are lost, some requests doubled."""
    for event in events:
        answered = False
        while not answered:
            futures = [store.submit(event) for _ in range(1 + (rng.random() < 0.2))]
            answered = rng.random() > 0.3
            if answered:
                told[event.id] = futures[0].result().event.seq


def test_every_label_counts_exactly_once(address):
    with open_store(address) as store:
        with_hunt(store)
        events = [label(row, annotator=f"a{row % CLIENTS}") for row in range(LABELS)]
        told = {}
        threads = [
            threading.Thread(
                target=insist, args=(store, events[i::CLIENTS], random.Random(i), told)
            )
            for i in range(CLIENTS)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = store.events("hunt")
        assert Counter(event.id for event in kept) == Counter(event.id for event in events)
        assert told == {event.id: event.seq for event in kept}
        assert store.standing("hunt") == replay(kept).statements
        assert len(store.standing("hunt")) == LABELS
