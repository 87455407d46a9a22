"""Interleave: the parts of a mixture take turns to name their oddest member.

Pelleg and Moore (2004): a mixture model is fitted, with labelled records held in the component of
their class. Every component in turn nominates the record it owns that is least likely under that
component alone; after each round the mixture is fitted again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.asked_by import AskedBy
from rarefind.core.params import Constraint, Integer, Number, OneOf, check_params
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.strategy import Answer, Label, Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.mixtures.gaussian import Mixture
from rarefind.discovery.strategies.varying_features import varying_vectors

_COMPONENTS = 7
"""A guess where nothing is known: as many as the papers' main example, Shuttle, has classes."""

_MEMBER = "component"
"""By this its questions are known among the answers."""

_FIRST_STEPS, _LATER_STEPS = 100, 10
"""Steps of fitting at most: in full once, then a little after each answer, from where it was."""


class Interleave(Strategy):
    """Ask the oddest record of each component of a Gaussian mixture in turn; needs features.

    Parameters
    ----------
    components
        How many components to begin with; ``"auto"`` for one more than there are priors, seven
        if there are none. A class seen for the first time brings a component of its own.
    floor
        Least variance of a component, as a share of each feature's own.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> Hunt([[0.0], [0.1], [0.2], [9.0]], Interleave(components=1)).ask().row
    3
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "components": [Integer(1), OneOf("auto")],
        "floor": [Number(0, closed="neither")],
    }

    def __init__(self, components: int | str = "auto", floor: float = 1e-3) -> None:
        self.components = components
        self.floor = floor

    def prepare(self, problem: Problem) -> Search:
        """Fit the first mixture."""
        check_params(self, self._params)
        vectors = varying_vectors(problem.space, "interleave")
        number = self.components
        if isinstance(number, str):
            known = problem.priors
            number = _COMPONENTS if known is None else len(known.sizes) + 1
        return _InterleaveSearch(problem, vectors, number, self.floor)


class _InterleaveSearch(PointSearch):
    def __init__(
        self, problem: Problem, vectors: FloatArray, components: int, floor: float
    ) -> None:
        super().__init__(problem)
        # The random order of the problem is the only source of chance.
        rng = np.random.default_rng(problem.priority[:8])
        weights = problem.space.engine.weights
        self._mixture = Mixture(vectors, weights, components, floor, rng)
        self._first_view = self._fit(_FIRST_STEPS, {})
        self._first = (self._mixture.means, self._mixture.variances, self._mixture.shares)
        self.reset()

    def forget(self) -> None:
        mixture = self._mixture
        mixture.means, mixture.variances, mixture.shares = (part.copy() for part in self._first)
        self._component_of: dict[Label, int] = {}
        self._owner: dict[int, int] = {}
        self._turn, self._round = 0, len(mixture.means)
        self._waiting = 0
        self._likelihoods, self._owners = self._first_view

    def hold(self, held: Mapping[int, AskedBy]) -> None:
        self._waiting = sum(by.member == _MEMBER for by in held.values())

    def choose(self, points: OpenPoints) -> Proposal:
        for step in range(self._likelihoods.shape[1]):
            component = (self._turn + self._waiting + step) % self._likelihoods.shape[1]
            own = points.allowed & (self._owners == component)
            if own.any():
                break
        likelihood = self._likelihoods[:, component]
        point = points.best(-likelihood, own)
        members = int(self.space.engine.weights[self._owners == component].sum())
        parts = self._likelihoods.shape[1]
        part = "the data" if parts == 1 else f"part {component + 1} of {parts} of the data"
        return Proposal(
            int(points.row[point]),
            f"It is the only record in {part}."
            if members == 1
            else f"Of the {members} records in {part}, it fits least with the others.",
            {
                "component": component + 1,
                "components": parts,
                "records_in_component": members,
                "log_likelihood": float(likelihood[point]),
            },
            AskedBy(_MEMBER),
        )

    def learn(self, point: int, answer: Answer) -> None:
        if answer.label not in self._component_of:
            self._component_of[answer.label] = self._mixture.add(point)
        # Copies that were told apart go with the first of them.
        self._owner.setdefault(point, self._component_of[answer.label])
        if not answer.asked:
            return
        self._turn += 1
        if self._turn >= self._round:
            self._likelihoods, self._owners = self._fit(_LATER_STEPS, self._owner)
            self._turn, self._round = 0, len(self._mixture.means)

    def _fit(self, steps: int, owner: Mapping[int, int]) -> tuple[FloatArray, IntArray]:
        """Fit the mixture; return how likely points are under each component, and who owns them."""
        points = np.array(list(owner), dtype=np.int64)
        self._mixture.fit(points, np.array(list(owner.values()), dtype=np.int64), steps)
        likelihoods = self._mixture.log_likelihoods()
        owners = np.argmax(likelihoods + np.log(self._mixture.shares), axis=1)
        return likelihoods, owners.astype(np.int64)
