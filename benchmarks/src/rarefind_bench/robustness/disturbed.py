"""What wrong answers, columns of noise and other units cost auto on tables of numbers.

Each disturbance stands beside the same draw undisturbed, so that only it makes a difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.core.progress import announce
from rarefind.discovery import Auto
from rarefind.evaluation.simulation import simulate
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.datasets.families import MADE, draw_made
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.every_set import FIRST_FRESH, ROWS
from rarefind_bench.discovery.group_tables import groups_of, interval
from rarefind_bench.discovery.random_sampling import ratio_to_random
from rarefind_bench.plan import Plan
from rarefind_bench.robustness.erring_people import wrong_answers
from rarefind_bench.tables_and_charts import Findings, Grid

TABLES = (
    "shuttle",
    "ecoli",
    "glass",
    "page_blocks",
    "abalone",
    "mammography",
    "pendigits",
    "optdigits",
    "satellite",
    "segment",
)
"""Tables of numbers alone, in most of which every rare class is soon seen."""

_BUDGET, _DRAWS = 250, 5
"""Labels at most and draws of each set, as for the discovery benchmark."""

_WRONG, _NOISE, _TIMES = 0.1, 20, 1000.0
"""The share of wrong answers, how many columns of noise, and the factor of another unit."""

UNDISTURBED = "undisturbed"
"""What the others are measured against."""

DISTURBED = (
    f"{_WRONG:.0%} of answers wrong",
    f"{_WRONG:.0%} wrong, by first sight",
    f"{_NOISE} columns of noise",
    f"a column times {_TIMES:g}",
)
"""The ways to disturb a hunt. By first sight a class counts when one of its records is asked about,
whatever is answered: so far are questions led astray, apart from names that are wrong."""

Shares = Mapping[str, Mapping[str, float]]
"""Labels over those of random sampling, by set and way."""


def disturbed(plan: Plan) -> Findings:
    """Disturb hunts of auto on tables in every way."""
    names = plan.sets or (*TABLES, *(name for name in MADE if name != "categories only"))
    draws, budget = plan.seeds or _DRAWS, plan.budget or _BUDGET
    shares: dict[str, dict[str, float]] = {}
    for place, name in enumerate(names):
        announce(f"disturbed, {name}", place, len(names))
        draw = partial(draw_made, name) if name in MADE else partial(open_set(name).draw, rows=ROWS)
        played: dict[str, list[float]] = {way: [] for way in (UNDISTURBED, *DISTURBED)}
        for seed in range(FIRST_FRESH, FIRST_FRESH + draws):
            drawn = draw(seed)
            for way, found in played.items():
                key = ["disturbed", name, way, seed, ROWS, budget]
                work = partial(labels_disturbed, way, drawn, seed, budget)
                found.append(plan.journal.result(key, work))
        shares[name] = {way: float(np.mean(found)) for way, found in played.items()}
    title = "By group, geometric means and 90 % intervals when sets are drawn anew"
    return Findings(
        "Disturbed hunts",
        "Labels of auto until a rare class is seen and called by its name, over those of random "
        f"sampling: the mean over rare classes and {draws} draws of at most {ROWS} rows, {budget} "
        "labels for each hunt; and how many times as many it takes when disturbed.",
        [
            Grid("By set", ("set", UNDISTURBED, *DISTURBED), _sets(shares)),
            Grid(title, ("group", "sets", *DISTURBED), _groups(shares)),
        ],
        data=dict(shares),
    )


def labels_disturbed(way: str, drawn: LabelledSet, seed: int, budget: int) -> float:
    """Hunt in a draw disturbed in this way; return labels over those of random sampling."""
    if drawn.kernel is not None or drawn.scale != "auto":
        raise DataError(f"{drawn.name} is no table of numbers alone. Choose other sets.")
    rng = np.random.default_rng(seed)
    wrong, sighted, noise, unit = DISTURBED
    said = wrong_answers(drawn.labels, _WRONG, seed) if way in (wrong, sighted) else None
    vectors = np.array(drawn.records, dtype=np.float64)
    if way == noise:
        vectors = np.hstack([vectors, rng.normal(size=(len(vectors), _NOISE))])
    if way == unit:
        vectors[:, rng.integers(vectors.shape[1])] *= _TIMES
    space = replace(drawn, records=vectors).space(Auto.scale)
    options: dict[str, Any] = {"budget": budget, "tell_background": False, "answers": said}
    played = simulate(space, drawn.labels, "auto", [seed], **options)
    seen = {str(name): labels for name, labels in played.seen[0].items()}
    if way == sighted:
        asked = [drawn.labels[row] for row in played.rows[0]]
        seen = {name: asked.index(name) + 1 for name in set(asked)}
    return ratio_to_random(seen, drawn.sizes, drawn.sought, budget)


def _sets(shares: Shares) -> list[tuple[object, ...]]:
    return [
        (name, f"{row[UNDISTURBED]:.3f}", *(f"{_times(row, way):.2f}" for way in DISTURBED))
        for name, row in shares.items()
    ]


def _groups(shares: Shares) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for title, members in groups_of(list(shares)).items():
        cells = []
        for way in DISTURBED:
            logs = np.log([_times(shares[name], way) for name in members])
            low, high = interval(logs)
            cells.append(f"{np.exp(logs.mean()):.2f} [{low:.2f}, {high:.2f}]")
        rows.append((title, len(members), *cells))
    return rows


def _times(row: Mapping[str, float], way: str) -> float:
    return row[way] / row[UNDISTURBED]
