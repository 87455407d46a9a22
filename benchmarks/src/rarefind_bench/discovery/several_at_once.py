"""What it costs to ask for several records at a time, and several people at once.

The answers to questions that are out are not known when the next one is chosen. One at a time is
the measure; beside it stand two and ten at a time, and three people in the service, each with a
question of their own under a lease, of whom none needs more than three times as long for an answer
as any other.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rarefind.core.progress import announce
from rarefind.discovery.hunt import Hunt
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.datasets.families import MADE, draw_made
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.synthetic import SYNTHETIC
from rarefind_bench.discovery.every_set import FIRST_FRESH
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid

ROWS = 1500
"""Rows of each table at most."""

TABLES = (
    "shuttle",
    "ecoli",
    "glass",
    "page_blocks",
    "abalone",
    "winequality",
    "mammography",
    "pendigits",
    "optdigits",
    "kdd99_10",
)
"""Labelled tables that most strategies can hunt in."""

_BUDGET, _DRAWS = 300, 5
"""Labels at most, and draws of each set. A choice."""


KNOTTED = ("heavy tails", "curved sheet")
"""Made so that classes hide in knots, where asking several at once costs most."""


def at_a_time(count: int, drawn: LabelledSet, seed: int, budget: int) -> float:
    """Hunt with so many questions at a time; return the labels that a rare class takes."""
    scale: Any = drawn.scale
    hunt = Hunt(drawn.records, kernel=drawn.kernel, random_state=seed, scale=scale)
    first: dict[str, int] = {}
    told = 0
    while told < budget and not _all_seen(drawn, first):
        for question in hunt.ask(count):
            told += 1
            first.setdefault(drawn.labels[question.row], told)
            hunt.tell(question.row, drawn.labels[question.row])
    return _labels(drawn, first, budget)


def people_at_once(people: int, drawn: LabelledSet, seed: int, budget: int) -> float:
    """Let so many people hunt in the service, each with a lease; return as ``at_a_time`` does."""
    names = [f"person {number}" for number in range(people)]
    rng = np.random.default_rng(seed)
    first: dict[str, int] = {}
    with TemporaryDirectory() as folder:
        table = Path(folder) / "records.csv"
        columns = _write(drawn, table)
        settings = HuntSettings(seed=seed, kinds=columns, label_column="class")
        with Service(open_store(str(Path(folder) / "rarefind.db"))) as service:
            hunt = service.open_hunt(table, settings=settings).id
            service.prepare(hunt)
            held = {name: service.ask(hunt, name)[0].row for name in names}
            ready = {name: rng.uniform(0.5, 1.5) for name in names}
            for told in range(1, budget + 1):
                name = min(names, key=ready.__getitem__)
                label = drawn.labels[held[name]]
                first.setdefault(label, told)
                service.tell(hunt, held[name], label, name)
                if _all_seen(drawn, first):
                    break
                held[name] = service.ask(hunt, name)[0].row
                ready[name] += rng.uniform(0.5, 1.5)
    return _labels(drawn, first, budget)


WAYS: dict[str, tuple[str | None, Callable[[LabelledSet, int, int], float]]] = {
    "one": (None, partial(at_a_time, 1)),
    "2 at a time": ("one", partial(at_a_time, 2)),
    "10 at a time": ("one", partial(at_a_time, 10)),
    "one person": (None, partial(people_at_once, 1)),
    "three people": ("one person", partial(people_at_once, 3)),
}
"""Each way to ask, and the one it is measured against."""


def several_at_once(plan: Plan) -> Findings:
    """Hunt in every way on every set."""
    names = plan.sets or (*KNOTTED, *SYNTHETIC, *TABLES)
    draws, budget = plan.seeds or _DRAWS, plan.budget or _BUDGET
    medians: dict[str, dict[str, float]] = {}
    for place, name in enumerate(names):
        announce(f"several at once, {name}", place, len(names))
        draw = _draws_of(name)
        labels: dict[str, list[float]] = {way: [] for way in WAYS}
        for seed in range(FIRST_FRESH, FIRST_FRESH + draws):
            drawn = draw(seed)
            for way, (_, play) in WAYS.items():
                key = ["several", name, way, seed, ROWS, budget]
                labels[way].append(plan.journal.result(key, partial(play, drawn, seed, budget)))
        medians[name] = {way: float(np.median(values)) for way, values in labels.items()}
    found = Findings(
        "Several questions at a time, and several people at once",
        f"Labels until a rare class is seen, the mean over the rare classes of a set and the "
        f"median over {draws} draws of at most {ROWS} rows (from number {FIRST_FRESH} on, which "
        f"served for no choice); {budget} labels for each hunt. The last row is the geometric mean "
        "of the ratios to one at a time, or one person.",
    )
    rows: list[tuple[object, ...]] = [
        (name, *(f"{medians[name][way]:.1f}" for way in WAYS)) for name in names
    ]
    ratios = {way: _ratio(medians, way, base) for way, (base, _) in WAYS.items()}
    rows.append(("against one", *(f"{ratio:.2f}" for ratio in ratios.values())))
    found.grids.append(Grid("Labels", ("set", *WAYS), rows))
    found.data = {"labels": medians, "ratios": ratios}
    return found


def _draws_of(name: str) -> Callable[[int], LabelledSet]:
    if name in MADE:
        return partial(draw_made, name)
    source = open_set(name)
    return lambda seed: source.draw(seed, ROWS)


def _ratio(medians: dict[str, dict[str, float]], way: str, base: str | None) -> float:
    logs = [np.log(row[way] / row[base or way]) for row in medians.values()]
    return float(np.exp(np.mean(logs)))


def _all_seen(drawn: LabelledSet, first: dict[str, int]) -> bool:
    return all(name in first for name in drawn.sought)


def _labels(drawn: LabelledSet, first: dict[str, int], budget: int) -> float:
    """Average over the rare classes; one not seen takes what random sampling needs beyond."""
    beyond = max(len(drawn.labels) - budget, 0) + 1
    return float(
        np.mean(
            [first.get(name, budget + beyond / (drawn.sizes[name] + 1)) for name in drawn.sought]
        )
    )


def _write(drawn: LabelledSet, path: Path) -> dict[str, str]:
    """Write vectors as a table with their classes; return the kinds of its columns."""
    vectors = np.asarray(drawn.records, dtype=np.float64)
    names = [f"x{number}" for number in range(vectors.shape[1])]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "class"])
        for row, label in zip(vectors.tolist(), drawn.labels, strict=True):
            writer.writerow([*row, label])
    return dict.fromkeys(names, "number")
