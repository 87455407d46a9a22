"""Randomness that repeats: the same seed gives the same questions."""

from __future__ import annotations

import numbers

import numpy as np

from rarefind.core.errors import ParameterError


def generator(random_state: object, owner: str) -> np.random.Generator:
    """Turn a seed, a Generator or None into a Generator; None draws a fresh seed."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    whole = isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool)
    if random_state is None or (whole and random_state >= 0):  # type: ignore[operator]
        return np.random.default_rng(random_state)  # type: ignore[arg-type]
    raise ParameterError(
        f"The 'random_state' parameter of {owner} must be a whole number in [0, inf), "
        f"a numpy Generator or None. Got {random_state!r} instead."
    )
