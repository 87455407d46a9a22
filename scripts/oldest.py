"""Print a constraint for pip for every lower bound in pyproject.toml: the oldest versions allowed.

``make oldest`` installs those and runs the tests with them, so that no bound is a mere claim.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

BOUND = re.compile(r"(?P<name>[\w.-]+)(\[[\w,-]+\])?\s*>=\s*(?P<version>[\w.]+)")


def oldest(project: dict) -> list[str]:
    """Every package with its lower bound, for pip's ``--constraint``."""
    name, extras = project["name"], project["optional-dependencies"]
    needed = [need for extra in (project["dependencies"], *extras.values()) for need in extra]
    found = {need: BOUND.match(need) for need in needed if not need.startswith(f"{name}[")}
    unbound = [need for need, bound in found.items() if bound is None]
    if unbound:
        raise SystemExit(f"pyproject.toml gives no lower bound for {', '.join(unbound)}: add one.")
    return sorted({f"{bound['name']}=={bound['version']}" for bound in found.values()})


if __name__ == "__main__":
    text = Path(__file__).parents[1].joinpath("pyproject.toml").read_text(encoding="utf-8")
    sys.stdout.write("\n".join(oldest(tomllib.loads(text)["project"])) + "\n")
