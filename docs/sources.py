"""Write sources.md from sources.json: ``python docs/sources.py``."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

HERE = Path(__file__).parent
HEAD = """# What the sources describe, and where it is

Every item of the five texts that rarefind is built from: its name in Python, a command, the page
where it can be tried and the test that checks it. The tables are made from `sources.json`, and a
test walks through every line: the name is imported, the command is known with its options, the page
tells of the item, the test is there. What stands in for something that was never published is
called a **stand-in**.
"""
TABLE = """
## {source}

| item | Python | command | page | test |
|---|---|---|---|---|
"""


def page() -> str:
    """Write the tables, one for each source."""
    rows = json.loads((HERE / "sources.json").read_text(encoding="utf-8"))
    parts = [HEAD]
    for source, items in groupby(rows, key=lambda row: row["source"]):
        parts.append(TABLE.format(source=source[0].upper() + source[1:]))
        parts += [_line(row) for row in items]
    return "".join(parts)


def _line(row: dict[str, str]) -> str:
    item, name, command = (row[key].replace("|", "\\|") for key in ("item", "python", "command"))
    link = f"[{row['page']}]({row['page']})"
    return f"| {item} | `{name}` | `{command}` | {link} | `{row['test']}` |\n"


if __name__ == "__main__":
    (HERE / "sources.md").write_text(page(), encoding="utf-8")
