"""Gather the fragments of changelog.d into CHANGELOG.md.

    python scripts/changelog.py --check                say which fragment is not well-formed
    python scripts/changelog.py VERSION [DATE]         move all of them under that version

A fragment is a file ``changelog.d/topic.md`` of one to three bullets, each a sentence or more for
people who use rarefind; the lines of a long bullet after its first are indented. One file a change
means that two changes never edit the same line.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.md")
MOST = 3


def faults(folder: Path) -> list[str]:
    """Say what is not as it should be, one sentence each."""
    return [f"{path.name}: {why}" for path in fragments(folder) if (why := fault(path))]


def fragments(folder: Path) -> list[Path]:
    """List the fragments there are, by topic."""
    return sorted(folder.iterdir()) if folder.exists() else []


def fault(path: Path) -> str:
    """Say what is wrong with a fragment; nothing if it is well-formed."""
    if not NAME.fullmatch(path.name):
        return "name it after its topic, like saved-models.md."
    found = bullets(path)
    if not 1 <= len(found) <= MOST:
        return f"it must hold one to {MOST} bullets that begin with '- '. Got {len(found)}."
    if not all(bullet.startswith("- ") and bullet.endswith(".") for bullet in found):
        return "every bullet must begin with '- ' and end with a full stop; indent its other lines."
    if re.search(r"#\d+", path.read_text(encoding="utf-8")):
        return "say what changed instead of the number of an issue."
    return ""


def bullets(path: Path) -> list[str]:
    """Split a fragment where a line is not indented."""
    text = path.read_text(encoding="utf-8").strip()
    return re.split(r"\n(?=\S)", text) if text else []


def gathered(log: str, news: list[str], version: str, date: str) -> str:
    """Put bullets at the end of a version's section; a new section comes before the others."""
    sections = re.split(r"(?m)^(?=## )", log)
    place = next((n for n, s in enumerate(sections) if s.startswith(f"## {version} (")), None)
    if place is None:
        sections.insert(1, f"## {version} ({date})\n\n")
        place = 1
    heading, _, body = sections[place].partition("\n")
    told = "\n\n".join(part for part in (body.strip(), "\n".join(news)) if part)
    heading = heading if date == "unreleased" else f"## {version} ({date})"
    last = place == len(sections) - 1
    sections[place] = f"{heading}\n\n{told}\n" + ("" if last else "\n")
    return "".join(sections)


def main(arguments: list[str]) -> int:
    """Check, or check and gather; returns the exit code."""
    folder, log = ROOT / "changelog.d", ROOT / "CHANGELOG.md"
    wrong = faults(folder)
    if wrong or not arguments:
        sys.stderr.write("\n".join(wrong) + "\n" if wrong else __doc__)
        return 1
    if arguments != ["--check"]:
        version, date = [*arguments, "unreleased"][:2]
        files = fragments(folder)
        news = [bullet for path in files for bullet in bullets(path)]
        log.write_text(gathered(log.read_text(encoding="utf-8"), news, version, date), "utf-8")
        for path in files:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
