"""What was told is judged by what other sets taught, and the figures about it are right."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.detection.auto.quality import calibrated
from rarefind_bench.detection.few_labels import measured
from rarefind_bench.detection.told_and_true import (
    chances_grid,
    difference_grid,
    learn,
    left_out_in_turn,
)
from rarefind_bench.detection.told_of_noise import noise_grid, told_of_noise
from rarefind_bench.journal import Journal
from rarefind_bench.plan import Plan

LEARNT = {"centre": -0.5, "examples": 20.0, "spread": 4.0, "growth": 0.5}


def drawn(sets, problems, seed=0):
    """Problems whose true figures are spread around the one told as LEARNT says."""
    rng = np.random.default_rng(seed)
    rows = []
    for name in range(sets):
        for _ in range(problems):
            examples, held_out = int(rng.integers(8, 80)), float(rng.uniform(0.05, 0.95))
            told, low, high = calibrated(held_out, examples, LEARNT)
            sureness = LEARNT["spread"] * examples ** LEARNT["growth"]
            true = float(rng.beta(told * sureness, (1 - told) * sureness))
            rows.append({
                "set": str(name), "regime": "hunt 100", "examples": examples, "held_out": held_out,
                "told": told, "low": low, "high": high, "true": true,
            })  # fmt: skip
    return rows


def test_learning_finds_what_figures_were_drawn_with():
    learnt = learn(drawn(20, 60))
    for examples in (10, 60):
        for held_out in (0.2, 0.8):
            expected = calibrated(held_out, examples, LEARNT)
            assert calibrated(held_out, examples, learnt) == pytest.approx(expected, abs=0.05)


def test_a_set_is_told_what_the_others_taught():
    rows = drawn(3, 8)
    strange = [{**row, "set": "strange", "true": 0.01} for row in drawn(1, 8, seed=1)]
    silent = {**rows[0], "told": None}
    told = left_out_in_turn([*rows, *strange, silent])
    assert len(told) == 32
    learnt = learn(rows)
    for before, after in zip(strange, told[-8:], strict=True):
        figures = calibrated(before["held_out"], before["examples"], learnt)
        assert (after["told"], after["low"], after["high"]) == pytest.approx(figures)
        assert after["true"] == 0.01


def test_differences_count_problems_or_sets_alike():
    row = {"told": 0.5, "low": 0.3, "high": 0.6}
    told = [
        *({**row, "set": "many", "true": 0.4} for _ in range(3)),
        {**row, "set": "one", "true": 0.76},
    ]
    problems, sets = difference_grid(told).rows
    assert problems[1::2] == ("+0.010", "0.75")
    assert sets[1::2] == ("-0.080", "0.50")


def test_chances_are_compared_with_what_was_of_the_class():
    rows = [
        {
            "regime": "hunt 100",
            "chances": [0.91, 0.5, 0.5, 0.05],
            "hits": [True, True, False, True],
        },
        {"regime": "hunt 30", "chances": [1.0] * 4, "hits": [False] * 4},
    ]
    grid = chances_grid(rows)
    assert grid.rows == [
        ("0 to 0.1", "1", "0.05", "1.00"),
        ("0.4 to 0.6", "2", "0.50", "0.50"),
        ("0.8 to 1", "1", "0.91", "1.00"),
    ]
    assert grid.title.endswith(f"{(0.95 + 0.09) / 4:.3f}")


def test_of_noise_is_counted_what_was_told_and_what_was_far_too_much():
    journal = Journal()
    for seed, told in enumerate((None, 0.05, 0.4)):
        row = {"labels": 300, "examples": 8, "told": told, "held_out": 0.1, "chance": 0.04}
        journal.result(["detection", "told of noise", 300, 8, seed], row.copy)
    noise = told_of_noise(Plan(seeds=3, budget=0, journal=journal))
    assert ("8 of 300", 3, 2, 1) in noise_grid(noise).rows
    assert ("8 of 100", 0, 0, 0) in noise_grid(noise).rows


def test_without_peers_only_what_was_measured_without_them_counts():
    journal = Journal()
    row = {"set": "glass", "regime": "hunt 100"}
    journal.result(["detection", "auto from few labels", "glass", 0, "hunt 100"], row.copy)
    journal.result(["detection", "from few labels", "ecoli", 0, "hunt 100"], dict)
    assert measured(Plan(seeds=1, budget=0, peers=False, journal=journal)) == [row]
