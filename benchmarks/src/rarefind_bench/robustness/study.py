"""What MALICE needs when its priors are wrong, and what everybody needs when answers are.

The paper tells MALICE the true share of every class. Here the shares are wrong by a factor,
classes are forgotten or made up, or the person errs; each case stands beside auto, which is told
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from rarefind.core.progress import announce
from rarefind.discovery import make_strategy
from rarefind.evaluation.simulation import simulate
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.synthetic import SYNTHETIC, draw_synthetic
from rarefind_bench.discovery.labels_needed import finite, number
from rarefind_bench.discovery.shared_spaces import Spaces
from rarefind_bench.journal import Journal
from rarefind_bench.plan import Plan
from rarefind_bench.robustness.cases import Case, cases
from rarefind_bench.robustness.erring_people import answers
from rarefind_bench.robustness.outcomes import Outcome, draw_outcomes
from rarefind_bench.robustness.ranked_looks import look_at_rankings
from rarefind_bench.tables_and_charts import Chart, Findings, Grid

_HEADER = ("case", "labels", "best - worst")
"""Columns of the table."""


def robustness(plan: Plan) -> Findings:
    """Give MALICE wrong priors, and everybody wrong answers."""
    seeds, budget = range(plan.seeds or 10), plan.budget or 400
    found = Findings(
        "When the priors are wrong, or the answers",
        "Labels until every rare class is seen and called by its name, median over draws. MALICE "
        "as published is told the true share of every class; auto is told nothing.",
    )
    for name in plan.sets or ("shuttle", "set 2", "six balls"):
        draw = partial(draw_synthetic, name) if name in SYNTHETIC else open_set(name).draw
        outcomes = run_robustness(draw, seeds, budget, plan.journal)
        rows = [
            (
                outcome.case.name,
                number(outcome.median, budget),
                f"{number(min(outcome.labels), budget)} - {number(max(outcome.labels), budget)}",
            )
            for outcome in outcomes
        ]
        found.grids.append(Grid(f"{name}: {len(seeds)} draws", _HEADER, rows))
        found.charts.append(
            Chart(
                f"{name}: the median, best to worst; hollow beyond the budget",
                partial(draw_outcomes, outcomes, budget),
                height=6.0,
            )
        )
        found.data[name] = {
            outcome.case.name: [finite(labels) for labels in outcome.labels] for outcome in outcomes
        }
    return found


def run_robustness(
    draw: Callable[[int], LabelledSet],
    seeds: Sequence[int],
    budget: int,
    journal: Journal | None = None,
) -> list[Outcome]:
    """Play every case on every draw."""
    kept = Journal() if journal is None else journal
    labels: dict[str, list[float]] = {case.name: [] for case in cases()}
    for turn, seed in enumerate(seeds):
        drawn = draw(seed)
        spaces = Spaces(drawn)
        for place, case in enumerate(cases()):
            announce(
                f"{drawn.name}, {case.name}", turn * len(labels) + place, len(seeds) * len(labels)
            )
            key = ["robustness", drawn.name, case.name, seed, budget]
            needed = kept.result(key, partial(_play, drawn, spaces, case, seed, budget))
            labels[case.name].append(np.inf if needed is None else needed)
    return [Outcome(case, tuple(labels[case.name])) for case in cases()]


def _play(drawn: LabelledSet, spaces: Spaces, case: Case, seed: int, budget: int) -> float | None:
    n = len(drawn.labels)
    shares = {str(name): share for name, share in drawn.priors.items()}
    believed = case.believe(shares, n)
    space = spaces.scaled(make_strategy(case.strategy).scale)
    said = answers(drawn, case, seed) if case.noise else None
    played = simulate(
        space,
        drawn.labels,
        case.strategy,
        [seed],
        budget=budget // case.people,
        priors=believed,  # type: ignore[arg-type]
        background=drawn.background,
        answers=said,
    )
    needed = played.labels_needed()[0]
    if case.rank_after is not None and needed > case.rank_after and said is not None:
        told = played.rows[0][: case.rank_after]
        return look_at_rankings(space, drawn, said, told, budget)
    return finite(case.people * needed)
