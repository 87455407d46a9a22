"""What may be told: names of classes, one for a record or several for the ordinary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from rarefind.core.asked_by import outside_search
from rarefind.core.errors import ParameterError
from rarefind.discovery.contract.event import Event

if TYPE_CHECKING:
    from rarefind.discovery.contract.strategy import Label


def clean_label(row: int, label: Any) -> Label:
    """Return the label of a row as a plain value; refuse in a sentence what names no class."""
    if label is None or not isinstance(label, Hashable):
        raise ParameterError(
            f"The label of row {row} must be a name or number. Got {label!r} instead; "
            "use skip to leave a record undecided."
        )
    if isinstance(label, np.generic):
        label = label.item()
    if label != label or (isinstance(label, str) and not label.strip()):
        raise ParameterError(
            f"The label of row {row} is empty. Give it a name, or use skip to leave the record "
            "undecided."
        )
    return label


def class_names(background: Any) -> frozenset[Label] | None:
    """Return the names of the ordinary classes, given one or several; None if none is given."""
    if background is None:
        return None
    if isinstance(background, list | tuple | set | frozenset):
        return frozenset(background)
    if not isinstance(background, Hashable):
        raise ParameterError(
            "The 'background' parameter of Hunt must be the name of a class or a list of names. "
            f"Got {background!r} instead."
        )
    return frozenset([background])


class Often:
    """How often each class was told in answer to the questions of a strategy.

    What somebody told unasked may be all the fraud they know, and the harvest looks where one
    class is; neither says which class is the ordinary one.
    """

    def __init__(self, said: Iterable[Event] = ()) -> None:
        self._answered: Counter[Label] = Counter()
        for event in said:
            self.add(event)

    def add(self, event: Event) -> None:
        """Count what was said of one more record."""
        if event.label is not None and not outside_search(event.asked_by):
            self._answered[event.label] += 1

    def most_common(self, count: int) -> list[tuple[Label, int]]:
        """Return the classes answered most often; among equals, the one answered first."""
        return self._answered.most_common(count)
