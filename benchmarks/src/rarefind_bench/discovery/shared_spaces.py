"""The spaces of one draw, made once for all who play on it."""

from __future__ import annotations

from rarefind.evaluation.known_answers import remembering
from rarefind.geometry import Space
from rarefind_bench.datasets.labelled_set import LabelledSet


class Spaces:
    """The spaces of one draw by scale, made once and remembering what they were asked."""

    def __init__(self, drawn: LabelledSet) -> None:
        self._drawn = drawn
        self._made: dict[str, Space] = {}

    def scaled(self, scale: str) -> Space:
        """Return the space with features scaled like this."""
        # Where a kernel or the table decides, all scales are the same.
        key = scale if self._drawn.kernel is None and self._drawn.scale == "auto" else "own"
        if key not in self._made:
            self._made[key] = remembering(self._drawn.space(scale))
        return self._made[key]
