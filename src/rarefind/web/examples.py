"""Examples that come along, written as files so that they are opened like anybody's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rarefind.core.names import unknown_name
from rarefind.records.examples import Example, buried_disc, rare_digits
from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table
from rarefind.web.uploads import Uploads

LABELS = "label"
"""The column with the answers."""


@dataclass(frozen=True)
class Shipped:
    """An example by name."""

    name: str
    about: str
    make: Callable[[], Example]


EXAMPLES = {
    each.name: each
    for each in (
        Shipped(
            "digits",
            "Handwritten digits: five kinds are ordinary, of five others only a few are left.",
            rare_digits,
        ),
        Shipped(
            "buried-disc",
            "1,010 points in the plane: a disc of ten hides in the middle of the crowd.",
            buried_disc,
        ),
    )
}
"""By the names the interface takes."""


def write_example(uploads: Uploads, name: str) -> tuple[Path, list[str]]:
    """Write an example as a file; return it with the names of its ordinary classes.

    The same example is written once, however often it is asked for.
    """
    if name not in EXAMPLES:
        raise unknown_name("example", name, EXAMPLES)
    example = EXAMPLES[name].make()
    path = uploads.of_our_own(f"{name}.csv")
    if not path.exists():
        places = ["x", "y"] if example.X.shape[1] == 2 else None
        columns = {
            places[place] if places else f"pixel{place}": np.asarray(values, dtype=float)
            for place, values in enumerate(example.X.T)
        }
        columns[LABELS] = np.array(example.labels, dtype=object)
        write_table(Table(columns, path.name), path)
    return path, list(example.background)
