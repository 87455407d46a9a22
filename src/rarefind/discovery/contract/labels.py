"""What may be told: names of classes, one for a record or several for the ordinary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from rarefind.core.asked_by import by_harvest
from rarefind.core.errors import ParameterError
from rarefind.discovery.contract.event import Event
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


def often_told(said: Iterable[Event]) -> Counter[Label]:
    """Count the labels of each class, without those the harvest asked for."""
    often: Counter[Label] = Counter()
    for event in said:
        if event.label is not None:
            often[event.label] += not by_harvest(event.asked_by)
    return often
