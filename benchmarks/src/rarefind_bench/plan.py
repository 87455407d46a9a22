"""What the person running a benchmark may choose."""

from __future__ import annotations

from dataclasses import dataclass, field

from rarefind_bench.journal import Journal


@dataclass(frozen=True)
class Plan:
    """Choices for one run; None or nothing means as the benchmark proposes.

    Attributes
    ----------
    seeds
        How many draws or splits.
    budget
        Labels, or seconds, for each part.
    strategies, sets
        Only these.
    peers
        Whether other people's tools run beside ours.
    large
        Whether the parts that take long run too.
    journal
        Where finished parts are kept.
    """

    seeds: int | None = None
    budget: int | None = None
    strategies: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    peers: bool = True
    large: bool = False
    journal: Journal = field(default_factory=Journal)
