"""Ask about the record most probably of a class not seen yet (after Haines and Xiang, 2011).

A Dirichlet process says how ready to be for a new class, a kernel density what each class looks
like: known classes look like their labelled records, a new one like the data as a whole. With some
records labelled,

    P(new | x) = alpha b(x) / (alpha b(x) + sum of k(x, l) over labelled l),

where k is a Gaussian similarity and b(x) its mean over all records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.params import Constraint, Number, OneOf, check_params
from rarefind.discovery.contract.open_points import OpenPoints
from rarefind.discovery.contract.point_search import PointSearch
from rarefind.discovery.contract.strategy import Answer, Label, Problem, Proposal, Search, Strategy
from rarefind.discovery.strategies.centrality import eccentricity
from rarefind.discovery.strategies.novelty.concentration import posterior_concentration
from rarefind.discovery.strategies.novelty.kernel_density import KernelDensity

_CERTAIN = 1e-9
"""Probabilities this close to one are all the same: certain."""


class NewClassProbability(Strategy):
    """Ask about the record most probably of an unseen class; needs neither priors nor scale.

    The first question is the record in the middle. Wherever nothing has been labelled, a new
    class is certain, so that many records are equal at first; ``ties`` says which of them to ask.

    Parameters
    ----------
    bandwidth_factor
        Width of the similarity, in median distances to the tenth neighbour.
    criterion
        ``"new"`` for the probability of an unseen class; ``"wrong"`` for that of any class but
        the one the record looks most like, which also asks where known classes meet.
    alpha
        How ready to be for a new class; ``"estimated"`` from the classes seen so far. It matters
        to ``"wrong"`` only: the order by P(new) is the same for all.
    ties
        Among records for which the probability is one, all but a billionth: ``"random"`` asks any,
        ``"far"`` the one least like all labelled records.

    Examples
    --------
    >>> from rarefind.discovery import Hunt
    >>> hunt = Hunt([[0.0], [0.1], [0.2], [9.0]], "p-new")
    >>> hunt.tell(1, "ordinary")
    >>> hunt.ask().row
    3
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "bandwidth_factor": [Number(0, closed="neither")],
        "criterion": [OneOf("new", "wrong")],
        "alpha": [Number(0, closed="neither"), OneOf("estimated")],
        "ties": [OneOf("random", "far")],
    }

    def __init__(
        self,
        bandwidth_factor: float = 1.0,
        criterion: str = "new",
        alpha: float | str = "estimated",
        ties: str = "random",
    ) -> None:
        self.bandwidth_factor = bandwidth_factor
        self.criterion = criterion
        self.alpha = alpha
        self.ties = ties

    def prepare(self, problem: Problem) -> Search:
        """Measure the density at every record."""
        check_params(self, self._params)
        return _ProbabilitySearch(problem, self)


class _ProbabilitySearch(PointSearch):
    def __init__(self, problem: Problem, chosen: NewClassProbability) -> None:
        super().__init__(problem)
        self._density = KernelDensity(problem, chosen.bandwidth_factor)
        self._log_density = np.log(self._density.values)
        self._start = -eccentricity(problem)
        self._wrong = chosen.criterion == "wrong"
        self._far = chosen.ties == "far"
        self._fixed = None if isinstance(chosen.alpha, str) else float(chosen.alpha)
        self.reset()

    def forget(self) -> None:
        self._likeness: dict[Label, FloatArray] = {}
        self._labels: dict[Label, int] = {}

    def learn(self, point: int, answer: Answer) -> None:
        similar = self._density.log_similarity(point)
        known = self._likeness.get(answer.label)
        self._likeness[answer.label] = similar if known is None else np.logaddexp(known, similar)
        self._labels[answer.label] = self._labels.get(answer.label, 0) + 1

    def choose(self, points: OpenPoints) -> Proposal:
        if not self._likeness:
            point = points.best(self._start)
            return Proposal(
                int(points.row[point]),
                "It is the record nearest the middle of all: the search starts here.",
                {"records_asked": 0},
            )
        odds, probability = self._probabilities()
        doubt = np.maximum(1.0 - probability, _CERTAIN)
        best = points.allowed & (doubt == doubt[points.allowed].min())
        point = points.best(odds if self._far else np.zeros_like(odds), best)
        equal = int(np.count_nonzero(best))
        chance = float(probability[point])
        return Proposal(
            int(points.row[point]),
            self._sentence(chance, equal),
            {
                "probability": chance,
                "log_odds_of_new": float(odds[point]),
                "relative_density": float(self._density.values[point]),
                "bandwidth": self._density.bandwidth,
                "alpha": self._alpha(),
                "records_equally_good": equal,
            },
        )

    def _sentence(self, chance: float, equal: int) -> str:
        what = "another class than it looks like" if self._wrong else "a class not seen yet"
        if chance > 1.0 - _CERTAIN:
            among = f": one of {equal} such records" if equal > 1 else ""
            return f"Nothing like it has been labelled so far{among}."
        return f"It is of {what} with a probability of {chance:.3g}, higher than any other."

    def _probabilities(self) -> tuple[FloatArray, FloatArray]:
        """Log odds of a new class, and the probability by which records are ranked."""
        alpha = self._alpha()
        new = self._log_density + np.log(alpha)
        likeness = np.array(list(self._likeness.values()))
        known = np.logaddexp.reduce(likeness, axis=0)
        every = np.logaddexp(new, known)
        if not self._wrong:
            return new - known, np.exp(new - every)
        counts = np.array(list(self._labels.values()), dtype=np.float64)
        # Guess the class that fits best when all are equally common, then weigh by how common.
        guess = np.argmax(likeness - np.log(counts)[:, None], axis=0)
        right = likeness[guess, np.arange(likeness.shape[1])]
        return new - known, -np.expm1(right - every)

    def _alpha(self) -> float:
        if self._fixed is not None:
            return self._fixed
        return posterior_concentration(sum(self._labels.values()), len(self._labels))
