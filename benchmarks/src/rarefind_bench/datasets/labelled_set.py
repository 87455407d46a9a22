"""Records whose classes are known, and which of these are rare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from rarefind.core.arrays import Records
from rarefind.geometry import Space
from rarefind.geometry.any_records import make_space
from rarefind.kernels.contract import Kernel

RARE_SHARE = 0.05
"""A class below this share of all records is rare."""


@dataclass(frozen=True)
class LabelledSet:
    """Records with their true classes.

    Attributes
    ----------
    name
        What the set is called.
    records
        The records, in random order.
    labels
        The class of each.
    kernel
        How they are compared; None for distances between vectors.
    scale
        How vectors are scaled: ``"auto"`` as suits the strategy, ``"none"`` if done already.
    """

    name: str
    records: Records
    labels: tuple[str, ...]
    kernel: Kernel | None = None
    scale: Literal["auto", "none"] = "auto"

    @property
    def sizes(self) -> dict[str, int]:
        """How many records each class has, largest first."""
        return dict(Counter(self.labels).most_common())

    @property
    def background(self) -> str:
        """The largest class."""
        return next(iter(self.sizes))

    @property
    def rare(self) -> tuple[str, ...]:
        """The classes that hold less than a twentieth of all records."""
        limit = RARE_SHARE * len(self.labels)
        return tuple(name for name, size in self.sizes.items() if size < limit)

    @property
    def sought(self) -> tuple[str, ...]:
        """The rare classes; where none is that rare, all but the largest."""
        return self.rare or tuple(name for name in self.sizes if name != self.background)

    @property
    def priors(self) -> dict[Hashable, float]:
        """The true shares of all classes but the largest."""
        n = len(self.labels)
        return {name: size / n for name, size in self.sizes.items() if name != self.background}

    def space(self, scale: str) -> Space:
        """Make the space of the records for a strategy that wants features scaled like this."""
        wanted = scale if self.scale == "auto" else self.scale
        return make_space(self.records, self.kernel, wanted)
