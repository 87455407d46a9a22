"""Ranking a hunt costs what loading and ranking its records costs: no strategy is set up."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from rarefind.hunting.fit_and_score import rank_records
from rarefind.records import detect_kinds, prepare, read_table, write_table
from rarefind.records.table import Table
from rarefind.service import HuntSettings, Service
from rarefind.store import open_store
from rarefind_bench.measuring.turns import cpu_seconds, in_turns, verdict
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid

_ROWS, _COLUMNS, _RARE = 20_000, 6, 40
"""A file as people bring them, for which setting a strategy up takes seconds."""

_LABELS = 60
"""So many records are labelled, half of them of the rare class."""

_GOAL = 1.5
"""Times loading and ranking that ranking a hunt may cost."""


def rank_a_hunt(plan: Plan) -> Findings:
    """Rank a hunt as ``rarefind rank FILE --hunt NAME`` does, and the same records by themselves.

    ``budget`` is the number of turns.
    """
    with tempfile.TemporaryDirectory() as folder:
        file, where = Path(folder) / "records.csv", str(Path(folder) / "hunts.db")
        labels = _written(file)
        with Service(open_store(where)) as service:
            hunt = service.open_hunt(file, settings=HuntSettings(leave_out=("number",))).id
            for row, label in labels.items():
                service.tell(hunt, row, label, "anna", asked=False)

        def ours() -> None:
            with Service(open_store(where, create=False)) as service:
                view = service.open_hunt(file, create=False)
                made = service.rank(view.id, "odd")
                service.ranked(view.id, made.id, 0, 10)

        def alone() -> None:
            table = read_table(file)
            prepared = prepare(table, detect_kinds(table, {"number": "id"}))
            rank_records(prepared.records, prepared.kernel, labels, "odd")

        def set_up() -> None:
            with Service(open_store(where, create=False)) as service:
                service.prepare(service.open_hunt(file, create=False).id)

        alone()  # what is imported and compiled once is not measured
        timed = in_turns(ours, alone, plan.budget or 3)
        asked = cpu_seconds(set_up)
    rows = [
        ("ranking the hunt", round(timed.ours, 3), round(timed.ratio, 2)),
        ("loading and ranking", round(timed.theirs, 3), 1.0),
        ("setting a strategy up, for the first question", round(asked, 3), None),
    ]
    header = ("work", "CPU s", "ratio")
    return Findings(
        "Ranking a hunt",
        f"{_ROWS:,} records of {_COLUMNS} numbers, {_LABELS} labels. Goal: at most {_GOAL:g} times "
        f"loading and ranking: {verdict(timed.ratio, _GOAL)}.",
        [Grid("Least processor seconds", header, rows)],
        data={name: {"cpu_seconds": seconds, "ratio": ratio} for name, seconds, ratio in rows},
    )


def _written(file: Path) -> dict[int, str]:
    """Write a table with a rare class that lies apart; return some labels."""
    random = np.random.default_rng(0)
    X = random.normal(size=(_ROWS, _COLUMNS))
    X[:_RARE] += 5.0
    columns = {f"x{place}": X[:, place] for place in range(_COLUMNS)}
    write_table(Table({"number": np.arange(_ROWS, dtype=float), **columns}, file.name), file)
    half = _LABELS // 2
    rare = dict.fromkeys(range(half), "odd")
    return rare | dict.fromkeys(range(_RARE, _RARE + half), "ordinary")
