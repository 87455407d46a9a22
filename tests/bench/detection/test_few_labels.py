from __future__ import annotations

import numpy as np

from rarefind.core.precision import average_precision
from rarefind_bench.detection.few_label_peers import peers_for
from rarefind_bench.detection.few_labels import grids, measured
from rarefind_bench.journal import Journal
from rarefind_bench.plan import Plan


def row(regime, auto, trees, told=None):
    return {
        "set": "made", "group": "tables", "regime": regime, "reached": {"auto": auto, "ET": trees},
        "seconds": {"auto": 2.0, "ET": 1.0}, "examples": 9, "held_out": 0.5, "told": told,
        "low": 0.1, "high": 0.5, "true": auto,
    }  # fmt: skip


def test_means_are_geometric_and_what_was_told_stands_beside_what_is_true():
    rows = [row("hunt 30", 0.1, 0.2), row("hunt 30", 0.4, 0.2), row("random 300", 0.6, 0.3, 0.4)]
    means, seconds, told = grids(rows)
    assert means.header == ("model", "hunt 30", "random 300")
    assert means.rows == [
        ("auto", "0.200", "0.600"),
        ("ET", "0.200", "0.300"),
        ("problems", "2", "1"),
    ]
    assert seconds.rows == [("auto", "2.00"), ("ET", "1.00")]
    assert told.rows[0] == ("random 300", "1", "0.400", "0.600", "0.200", "0.00")


def test_a_spent_budget_shows_what_the_journal_holds():
    journal = Journal()
    key = ["detection", "from few labels", "glass", 0, "hunt 30"]
    assert key not in journal
    journal.result(key, lambda: row("hunt 30", 0.1, 0.2))
    assert key in journal
    found = measured(Plan(seeds=1, budget=0, journal=journal))
    assert [each["regime"] for each in found] == ["hunt 30"]


def test_peers_of_every_kind_of_record_rank():
    graphs = [{"nodes": ["C", "O"] * (n % 3 + 1), "edges": [(0, 1)]} for n in range(12)]
    graphs += [{"nodes": ["N", "O"], "edges": [(0, 1)]} for _ in range(4)]
    records = {
        "strings": ["abc"] * 12 + ["xyz"] * 4,
        "texts": ["plain words"] * 12 + ["odd words"] * 4,
        "graphs": graphs,
        "molecules": ["CCO"] * 12 + ["c1ccccc1"] * 4,
    }
    wanted = np.arange(16) >= 12
    for group, X in records.items():
        for make_peer in peers_for(group).values():
            model = make_peer().fit(X, wanted)
            decide = getattr(model, "decision_function", None)
            scores = decide(X) if decide else model.predict_proba(X)[:, 1]
            assert average_precision(wanted, scores) == 1.0
