"""The Gaussian and the Laplacian kernel through randomly drawn waves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.memory_guard import ensure_fits
from rarefind.core.params import Constraint, Integer, Is, Number, OneOf
from rarefind.kernels.contract import Features
from rarefind.kernels.reference import dense
from rarefind.kernels.vectors.shared import VectorKernel

_OPEN_UNIT = Number(0, 1, closed="neither")
"""A share that is neither nothing nor all."""


class RandomFourier(VectorKernel):
    """An approximate Gaussian with finitely many features: waves of random direction and length.

    The similarity is the mean of ``cos(<w, x - z>)`` over drawn ``w``, whose expectation is the
    Gaussian, or the Laplacian. The same seed draws the same waves, so it is a kernel in its own
    right.

    Parameters
    ----------
    width
        Width of the Gaussian or the Laplacian.
    of
        ``"gaussian"`` (waves are drawn from a normal distribution) or ``"laplacian"`` (from
        Cauchy's).
    n_waves
        How many waves to draw, two features each; or "bound" for as many as make the error of a
        pair exceed ``error`` with a probability of at most ``risk`` (Hoeffding's bound).
    error, risk
        What "bound" guarantees.
    random_state
        Seed of the draws.

    Examples
    --------
    >>> kernel = RandomFourier(width=2.0, n_waves=2000)
    >>> abs(float(kernel([[0.0]], [[2.0]])[0, 0]) - 0.607) < 0.05
    True
    >>> waves_needed(error=0.1, risk=0.05)
    738
    """

    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "width": [Number(0, closed="neither")],
        "of": [OneOf("gaussian", "laplacian")],
        "n_waves": [Integer(1), Is("'bound'", lambda value: value == "bound")],
        "error": [_OPEN_UNIT],
        "risk": [_OPEN_UNIT],
        "random_state": [Integer(0)],
    }

    def __init__(
        self,
        width: float = 1.0,
        *,
        of: str = "gaussian",
        n_waves: int | str = "bound",
        error: float = 0.1,
        risk: float = 0.05,
        random_state: int = 0,
    ) -> None:
        self.width = width
        self.of = of
        self.n_waves = n_waves
        self.error = error
        self.risk = risk
        self.random_state = random_state

    def _features(self, A: Records) -> Features:
        return self._waves(self._read(A))

    def _similarities(self, left: Any, right: Any) -> FloatArray:
        waves = self._waves(left)
        return waves @ (waves if right is left else self._waves(right)).T

    def _diag(self, left: Any) -> FloatArray:
        return np.ones(left.shape[0])

    def _waves(self, read: Any) -> FloatArray:
        if isinstance(self.n_waves, str):
            number = waves_needed(error=self.error, risk=self.risk)
        else:
            number = int(self.n_waves)
        ensure_fits(
            16 * read.shape[0] * number,
            f"A matrix of {read.shape[0]} x {2 * number} random features",
            "Draw fewer waves (n_waves, or a larger error), or take fewer records at a time.",
        )
        draws = np.random.default_rng(self.random_state)
        shape = (read.shape[1], number)
        if self.of == "laplacian":
            directions = draws.standard_cauchy(shape) / self.width
        else:
            directions = draws.normal(scale=1.0 / self.width, size=shape)
        angles = dense(read @ directions)
        return np.hstack([np.cos(angles), np.sin(angles)]) / math.sqrt(number)


def waves_needed(*, error: float, risk: float) -> int:
    """Return the number of draws after which a mean of cosines errs by more at most at that risk.

    Cosines lie in [-1, 1], an interval of length two, so Hoeffding's bound is
    ``2 exp(-number error² / 2)``.
    """
    return math.ceil(2.0 * math.log(2.0 / risk) / error**2)
