from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[2]


FRAUDS = 20


def badly_scaled_payments():
    """Twenty frauds among a thousand payments: numbers of every size, words, dates and gaps."""
    rng = np.random.default_rng(0)
    ordinary = 1000 - FRAUDS
    table = pd.DataFrame(
        {
            "amount": np.r_[rng.lognormal(10, 1, ordinary), rng.lognormal(13.5, 0.1, FRAUDS)],
            "rate": np.r_[rng.normal(1e-4, 1e-5, ordinary), rng.normal(1.6e-4, 1e-6, FRAUDS)],
            "hour": np.r_[rng.uniform(7, 22, ordinary), rng.normal(3.0, 0.3, FRAUDS)],
            "account": rng.integers(0, 10**9, 1000) * 1000.0,
            "country": rng.choice(["se", "no", "fi", None], size=1000, p=[0.6, 0.3, 0.05, 0.05]),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 365, 1000), "D"),
            "online": rng.random(1000) < 0.7,
        }
    )
    table.loc[rng.random(1000) < 0.05, ["hour", "day"]] = None
    return table


def test_the_python_in_the_readme_runs_as_printed_on_raw_and_badly_scaled_data(monkeypatch, capsys):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"name": ["anna", "arne", "xyzxyz"] * 10, "amount": rng.normal(50, 20, size=30)}
    )
    names = {"X": badly_scaled_payments(), "table": table}
    first = 1000 - FRAUDS

    def answer(prompt):
        return "fraud" if names["question"].row >= first else "ordinary"

    monkeypatch.setattr("builtins.input", answer)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    exec(compile(blocks[0], "README.md", "exec"), names)
    hunt = names["hunt"]
    told = {row for row, label in hunt.labels.items() if label == "fraud"}
    top = hunt.rank("fraud").top(FRAUDS - len(told))
    assert told | set(top.tolist()) == set(range(first, 1000))
    assert "30 labels showed 2 classes" in capsys.readouterr().out
    exec(compile(blocks[1], "README.md", "exec"), names)
