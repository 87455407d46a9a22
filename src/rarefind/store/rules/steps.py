"""Events that belong together: many records labelled at once are one step, taken back as one.

Each part is an event of its own. Its id is that of the step with the number of the part behind a
point, so that every store keeps steps without knowing of them, and a step sent again counts once.
"""

from __future__ import annotations

import re

_PART = re.compile(r"([0-9A-Za-z_-]{1,64})\.(\d{1,7})")
"""The id of a step, and the number of one of its parts."""


def part_id(step: str, number: int) -> str:
    """Return the id of one part of a step.

    >>> part_id("5e0c", 7)
    '5e0c.7'
    """
    return f"{step}.{number}"


def step_of(event_id: str) -> str | None:
    """Return the id of the step an event is part of; None for one that stands alone.

    >>> step_of("5e0c.7"), step_of("5e0c")
    ('5e0c', None)
    """
    found = _PART.fullmatch(event_id)
    return None if found is None else found.group(1)


def part_number(event_id: str) -> int:
    """Return the number of an event in its step; 0 for one that stands alone.

    >>> part_number("5e0c.7"), part_number("5e0c")
    (7, 0)
    """
    found = _PART.fullmatch(event_id)
    return 0 if found is None else int(found.group(2))
