"""The whole hunt in one call, for an oracle that is a function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

import numpy as np

from rarefind.core.arrays import Records
from rarefind.core.params import CALLABLE, NOTHING, Integer, check_param
from rarefind.core.progress import announce
from rarefind.discovery.contract.strategy import Label, Strategy
from rarefind.discovery.hunt import Hunt
from rarefind.kernels.contract import Kernel


def discover(
    X: Records,
    oracle: Callable[[int], Label],
    strategy: str | Strategy = "auto",
    budget: int = 100,
    *,
    kernel: str | Kernel | None = None,
    priors: Mapping[Hashable, float] | Sequence[float] | None = None,
    background: Hashable | Collection[Hashable] | None = None,
    classes: int | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Hunt:
    """Ask the oracle, a function from row to label, until the budget is spent.

    Parameters
    ----------
    X, strategy, kernel, priors, background, random_state
        As for :class:`Hunt`.
    oracle
        Tells the label of a row.
    budget
        How many labels may be asked for.
    classes
        Stop as soon as this many classes besides the ordinary one are found.

    Returns
    -------
    Hunt
        With everything that was told.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> hunt = discover(X, lambda row: "odd" if row == 4 else "even", "random", budget=5)
    >>> hunt.found
    {'odd': 4}
    """
    hunt = Hunt(X, strategy, kernel, priors, background, random_state)
    ask_oracle(hunt, oracle, budget, classes)
    return hunt


def ask_oracle(
    hunt: Hunt, oracle: Callable[[int], Label], budget: int, classes: int | None = None
) -> None:
    """Let an oracle answer a hunt's questions until the budget is spent, or so many are found."""
    check_param("discover", "oracle", oracle, CALLABLE)
    check_param("discover", "budget", budget, Integer(1))
    check_param("discover", "classes", classes, NOTHING, Integer(1))
    for asked in range(min(budget, hunt.n_records)):
        question = hunt.ask()
        hunt.tell(question.row, oracle(question.row))
        announce("asking", asked + 1, budget)
        if classes is not None and len(hunt.found) >= classes and hunt.background_is_sure:
            break
