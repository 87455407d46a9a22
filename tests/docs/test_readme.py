from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).parents[2]


def test_the_python_in_the_readme_runs_as_printed(monkeypatch, capsys):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(200, 3)), rng.normal(6, 0.2, size=(6, 3))])
    table = pd.DataFrame(
        {"name": ["anna", "arne", "xyzxyz"] * 10, "amount": rng.normal(50, 20, size=30)}
    )
    names = {"X": X, "table": table}

    def answer(prompt):
        return "fraud" if X[names["question"].row, 0] > 4 else "ordinary"

    monkeypatch.setattr("builtins.input", answer)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    assert set(names["ranking"][:6]) == set(range(200, 206))
    assert "30 labels showed 2 classes" in capsys.readouterr().out
