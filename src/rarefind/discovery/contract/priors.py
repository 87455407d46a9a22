"""What is believed about the rare classes before anyone has looked."""

from __future__ import annotations

import numbers
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from rarefind.core.errors import ParameterError


@dataclass(frozen=True)
class Priors:
    """Expected sizes of the rare classes, smallest first; ``names`` only where they are known."""

    sizes: tuple[int, ...]
    names: tuple[Hashable, ...] | None


def read_priors(priors: object, n: int) -> Priors | None:
    """Turn ``{label: share}`` or a list of shares into sizes among ``n`` records.

    >>> read_priors({"fraud": 0.02, "abuse": 0.01}, 1000)
    Priors(sizes=(10, 20), names=('abuse', 'fraud'))
    >>> read_priors([0.5, 0.01], 300)
    Priors(sizes=(3, 150), names=None)
    """
    if priors is None:
        return None
    named = isinstance(priors, Mapping)
    if not named and (isinstance(priors, str | bytes) or not isinstance(priors, Sequence)):
        raise ParameterError(
            "The 'priors' parameter must be a mapping of class to share, a list of shares or None. "
            f"Got {priors!r} instead."
        )
    pairs = list(priors.items()) if isinstance(priors, Mapping) else list(enumerate(priors))  # type: ignore[arg-type]
    if not pairs:
        raise ParameterError(
            "The 'priors' parameter holds no class. Leave it out if none is known."
        )
    for name, share in pairs:
        whose = f"class {name!r}" if named else f"entry {name}"
        number = isinstance(share, numbers.Real) and not isinstance(share, bool)
        if not number or not 0 < float(share) < 1:
            raise ParameterError(
                f"The prior of {whose} must be a share between 0 and 1. Got {share!r} instead."
            )
        if round(n * float(share)) < 1:
            raise ParameterError(
                f"The prior of {whose}, {share:g}, expects less than one of the {n} records. "
                f"Give at least {1 / n:.2g}, or leave it out."
            )
    total = sum(float(share) for _, share in pairs)
    if total >= 1:
        raise ParameterError(
            f"The priors of the rare classes must sum to less than 1, since the ordinary records "
            f"are the rest. They sum to {total:g}."
        )
    pairs.sort(key=lambda pair: float(pair[1]))
    sizes = tuple(min(round(n * float(share)), n - 1) for _, share in pairs)
    return Priors(sizes, tuple(name for name, _ in pairs) if named else None)
