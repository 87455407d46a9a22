"""The theorem behind ALICE, worked out for a labelled set (He and Carbonell, 2007 and 2008).

A rare class fills a ball of radius r evenly, and the ordinary records around it are about as dense
everywhere: within ``kappa_1`` and ``kappa_2`` times as dense as the class itself. Then, if the
ordinary density changes slowly and there are enough records, the search meets a record that comes
from the rare class with a chance of at least one in three after so many rounds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import pairwise_distances_chunked

from rarefind.core.arrays import BoolArray, FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.core.params import Number, check_param
from rarefind.discovery.theory.balls import log_overlap, log_volume
from rarefind.geometry import vector_space

CHANCE = 1 / 3
"""What the theorem promises of the record it speaks of."""

_LARGEST_LOG = 700.0
"""Larger numbers than e to this are infinite."""


@dataclass(frozen=True)
class Guarantee:
    """What the theorem promises for one rare class.

    Attributes
    ----------
    label, size, share
        The class, how many records it has, and what share of all.
    radius
        r: of the ball around the class's mean that holds it.
    kappa_1, kappa_2
        How dense the other records are, at the sparsest and the densest place within the class,
        in units of the class's own density.
    r2
        ``r / (1 + kappa_2) ** (1 / d)``: half of it is the least that the search's radius can be.
    search_radius
        The radius that ALICE and MALICE use for a class of this size, between ``r2 / 2`` and ``r``
        if the theorem applies.
    gap
        alpha: how near a record within ``2 r`` of the centre, and beyond, comes to the class.
    overlap
        Volume that a ball of radius ``r2 / 2`` on the surface of the class's ball shares with it.
    roughness
        beta: how much the ordinary density may change over the gap at most.
    least_n
        Records that the theorem needs; infinite where it does not apply at all.
    rounds
        After so many rounds the promised record has been asked about.
    last_round
        Until this round such records go on being asked about.
    chance
        That the promised record is one of the rare class, at least.
    n
        Records there are.
    """

    label: Hashable
    size: int
    share: float
    radius: float
    kappa_1: float
    kappa_2: float
    r2: float
    search_radius: float
    gap: float
    overlap: float
    roughness: float
    least_n: float
    rounds: int
    last_round: float
    chance: float
    n: int

    @property
    def applies(self) -> bool:
        """Whether there are as many records as the theorem needs."""
        return self.n >= self.least_n


def guarantee(
    X: Records,
    y: Sequence[Hashable],
    *,
    background: Hashable | Iterable[Hashable] | None = None,
    risk: float = 0.05,
    scale: str = "standard",
) -> list[Guarantee]:
    """Work out what the theorem behind ALICE promises for every rare class of a labelled set.

    The theorem is sufficient and far from necessary: ``least_n`` is beyond any set at hand as a
    rule, and the search does well long before. What it says of radii and rounds can be checked.

    Parameters
    ----------
    X
        Rows of numbers, or a table.
    y
        The label of every row.
    background
        The ordinary class or classes; None for the largest.
    risk
        delta: chance that the promise may fail.
    scale
        How features are scaled, as hunts do it: ``"standard"``, ``"squash"`` or ``"none"``.

    Returns
    -------
    list
        A :class:`Guarantee` for each rare class, smallest first.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> crowd, knot = rng.uniform(-1, 1, size=(2000, 2)), rng.uniform(-0.1, 0.1, size=(40, 2))
    >>> promised = guarantee(np.vstack([crowd, knot]), ["crowd"] * 2000 + ["knot"] * 40)[0]
    >>> promised.label, promised.rounds, promised.applies
    ('knot', 3, False)
    >>> promised.r2 / 2 <= promised.search_radius <= promised.radius
    True
    """
    check_param("guarantee", "risk", risk, Number(0, 1, closed="neither"))
    space = vector_space(X, scale=scale)
    if space.vectors is None:
        raise DataError(
            "The theorem speaks of volumes, so guarantee needs rows of numbers. Got sparse ones."
        )
    vectors = space.vectors[space.folded.point_of]
    labels = list(y)
    if len(labels) != len(vectors):
        raise DataError(
            f"guarantee needs a label for each of the {len(vectors)} rows in y. Got {len(labels)}."
        )
    sizes = Counter(labels)
    ordinary = _ordinary(background, sizes)
    rare = sorted(
        (size, str(label), label) for label, size in sizes.items() if label not in ordinary
    )
    if not rare:
        raise DataError("guarantee needs a class besides the ordinary one in y. There is none.")
    promised = []
    for size, _, label in rare:
        members = np.fromiter((one == label for one in labels), dtype=bool, count=len(labels))
        within = float(space.engine.least_kth_distance(min(size, len(labels) - 1)))
        promised.append(_promise(vectors, members, label, within, risk))
    return promised


def _ordinary(
    background: Hashable | Iterable[Hashable] | None, sizes: Counter[Hashable]
) -> set[Hashable]:
    if background is None:
        return {sizes.most_common(1)[0][0]} if sizes else set()
    if isinstance(background, Iterable) and not isinstance(background, str):
        named = set(background)
    else:
        named = {background}
    for label in named:
        if label not in sizes:
            raise unknown_name("class in y called", str(label), sorted(map(str, sizes)))
    return named


def _promise(
    vectors: FloatArray, members: BoolArray, label: Hashable, within: float, risk: float
) -> Guarantee:
    n, dimensions = vectors.shape
    size = int(members.sum())
    share = size / n
    centre = vectors[members].mean(axis=0)
    away = np.linalg.norm(vectors - centre, axis=1)
    radius = float(away[members].max())
    if radius == 0:
        # All records of the class are one: any ball holds it, the smallest with a neighbour in it.
        radius = float(away[~members & (away > 0)].min())
    inside, beyond = away <= radius, away > 2 * radius
    near, gap = _around(vectors, members, inside, beyond, radius)
    kappa_1, kappa_2 = float(near.min()) / size, float(near.max()) / size
    r2 = radius / (1 + kappa_2) ** (1 / dimensions)
    log_ball, log_shared = log_volume(dimensions, radius), log_overlap(dimensions, r2 / 2, radius)
    log_beta = 2 * math.log(share) + log_shared - (2 * dimensions + 1) * math.log(2) - 2 * log_ball
    log_mass = math.log1p(-share) + log_beta + log_volume(dimensions, r2 / 2)
    return Guarantee(
        label=label,
        size=size,
        share=share,
        radius=radius,
        kappa_1=kappa_1,
        kappa_2=kappa_2,
        r2=r2,
        search_radius=within,
        gap=gap,
        overlap=math.exp(log_shared),
        roughness=math.exp(log_beta),
        least_n=least_records(share, kappa_1, dimensions, log_mass, risk),
        rounds=math.ceil(2 * gap / r2) if math.isfinite(gap) else 0,
        last_round=_last_round(dimensions, share, gap, within),
        chance=CHANCE,
        n=n,
    )


def _around(
    vectors: FloatArray, members: BoolArray, inside: BoolArray, beyond: BoolArray, radius: float
) -> tuple[FloatArray, float]:
    """Count the others within the radius of each member; how near those beyond come to the ball."""
    counts = [
        (block[:, ~members] <= radius).sum(axis=1)
        for block in pairwise_distances_chunked(vectors[members], vectors)
    ]
    gap = math.inf
    if beyond.any():
        for block in pairwise_distances_chunked(vectors[inside], vectors[beyond]):
            gap = min(gap, float(block.min()))
    return np.concatenate(counts).astype(np.float64), gap


def least_records(
    share: float, kappa_1: float, dimensions: int, log_mass: float, risk: float
) -> float:
    """Return the number of records from which on the promise holds with chance ``1 - risk``.

    The first part makes the search's radius at most r, the second at least ``r2 / 2``, both by
    Hoeffding's inequality; the third makes counts near their expectations. ``log_mass`` is the
    logarithm of ``(1 - share) * beta * volume of a ball of radius r2 / 2``.
    """
    if kappa_1 == 0:
        return math.inf
    needed = math.log(3 / risk)
    upper = needed / (2 * kappa_1**2 * share**2)
    lower = needed / (2 * (1 - 2.0**-dimensions) ** 2 * share**2)
    log_counts = math.log(needed) - 4 * log_mass
    return max(upper, lower, math.exp(log_counts) if log_counts < _LARGEST_LOG else math.inf)


def _last_round(dimensions: int, share: float, gap: float, within: float) -> float:
    log_first = dimensions * math.log(2) - math.log(share) - math.log1p(-share)
    if within == 0 or not math.isfinite(gap) or log_first > _LARGEST_LOG:
        return math.inf
    return float(math.floor((math.exp(log_first) - 2) * gap / within))
