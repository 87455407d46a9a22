"""Write sources.md from sources.json: ``python docs/sources.py``."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
HEAD = """# What the sources describe, and where it is

Items of the papers and lectures with their name in Python, a command, the page where they can be
tried and the test that checks them. The table is made from `sources.json`, and does not hold every
item yet.

| source | item | Python | command | page | test |
|---|---|---|---|---|---|
"""


def page() -> str:
    """Write the table."""
    rows = json.loads((HERE / "sources.json").read_text())
    lines = [
        f"| {row['source']} | {row['item']} | `{row['python']}` | `{row['command']}` "
        f"| [{row['page']}]({row['page']}) | `{row['test']}` |"
        for row in rows
    ]
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    (HERE / "sources.md").write_text(page())
