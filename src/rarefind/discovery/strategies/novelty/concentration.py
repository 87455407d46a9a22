"""How ready a Dirichlet process is for new classes, judged by the classes seen so far."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import gammaln


@lru_cache(maxsize=4096)
def posterior_concentration(labels: int, classes: int) -> float:
    """Mean of the concentration given how many labels showed how many classes.

    Escobar and West (1995) sample it: for a Gamma(1, 1) prior the density is proportional to
    ``exp(-a) a^classes G(a) / G(a + labels)`` with G the gamma function. One number needs no
    sampling: it is integrated here over a fine grid of logarithms, so that the same answers give
    the same questions.

    >>> round(posterior_concentration(0, 0), 6)
    1.0
    >>> round(posterior_concentration(10, 2), 2) < round(posterior_concentration(10, 8), 2)
    True
    """
    logarithm = np.linspace(-25.0, 8.0, 4001)
    alpha = np.exp(logarithm)
    # One more power of alpha, as the grid is even in its logarithm.
    weight = -alpha + (classes + 1) * logarithm + gammaln(alpha) - gammaln(alpha + labels)
    density = np.exp(weight - weight.max())
    return float((density * alpha).sum() / density.sum())
