"""Who asked a question: the part of a strategy that gets the credit for what the answer brings.

Between a question and its answer other questions are asked and answered, programs end and start
again. So whoever asked travels with the question, into the store and back with the answer. It is
plain data: a name and a few numbers that mean something to the strategy alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from rarefind.core.errors import ParameterError
from rarefind.core.params import Number

_LONGEST_NAME = 40
"""Characters of a name: a word or two. It is kept with every answer, so it must stay small."""

_MOST_NOTES = 16
"""Numbers kept with a question; a strategy needs a few, and every answer carries them."""


@dataclass(frozen=True, slots=True)
class AskedBy:
    """The member of a strategy that asked, and what it wants to be told again with the answer.

    Attributes
    ----------
    member
        A short name, such as ``"reach"``.
    notes
        A few numbers by name: the chance it saw when it asked, say.

    Examples
    --------
    >>> asked_by = AskedBy("knot", {"chance": 0.25})
    >>> AskedBy.read(asked_by.written()) == asked_by
    True
    """

    member: str
    notes: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        _check_name("member", self.member)
        if not isinstance(self.notes, Mapping) or len(self.notes) > _MOST_NOTES:
            raise ParameterError(
                f"The notes of AskedBy must be at most {_MOST_NOTES} numbers by name. "
                f"Got {self.notes!r} instead."
            )
        for name, number in self.notes.items():
            _check_name("name of a note", name)
            if not Number().allows(number):
                raise ParameterError(
                    f"The note {name!r} of AskedBy must be a finite number. Got {number!r} instead."
                )
        plain = {name: float(number) for name, number in self.notes.items()}
        object.__setattr__(self, "notes", plain)

    def written(self) -> str:
        """Write it as JSON, the same text for the same contents."""
        return json.dumps({"member": self.member, "notes": dict(self.notes)}, sort_keys=True)

    @staticmethod
    @lru_cache(1024)
    def read(text: str) -> AskedBy:
        """Read what ``written`` wrote; many answers have the same text, and share what it says."""
        document = json.loads(text)
        return AskedBy(document["member"], document["notes"])


def _check_name(what: str, name: object) -> None:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        raise ParameterError(
            f"The {what} of AskedBy must be a text of 1 to {_LONGEST_NAME} characters. "
            f"Got {name!r} instead."
        )


UNKNOWN: Final = AskedBy("unknown")
"""Some member asked; which one was not kept."""

HARVEST: Final = "harvest"
"""The member that asks about records because they are likely of a class known already."""


def by_harvest(asked_by: AskedBy | None) -> bool:
    """Whether the harvest asked."""
    return asked_by is not None and asked_by.member == HARVEST


def outside_search(asked_by: AskedBy | None) -> bool:
    """Whether a record was told without a search for new classes having asked about it.

    It was brought along, or met in a harvest. A harvest looks where one class is: that class soon
    has more labels than any other without being the ordinary one, and that nothing new turns up
    says nothing about what is unseen.
    """
    return asked_by is None or by_harvest(asked_by)
