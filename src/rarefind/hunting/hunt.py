"""The hunt as people use it: questions first, then the ranking."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind import discovery
from rarefind.core.arrays import IntArray, Records
from rarefind.discovery.contract.strategy import Label, Strategy
from rarefind.discovery.oracle_hunt import ask_oracle
from rarefind.hunting.fit_and_score import explainer_for, rank_records, trained_rows
from rarefind.hunting.harvest import ENOUGH, Harvest
from rarefind.hunting.progress_line import progress_line
from rarefind.hunting.ranking import Examples, Ranking
from rarefind.hunting.sharing.kept_hunt import PARAMETERS, SharedHunt
from rarefind.kernels.contract import Kernel


class Hunt(SharedHunt):  # noqa: D101 - the words are those of the hunt it adds to
    __doc__ = (discovery.Hunt.__doc__ or "").replace(
        "    Attributes\n", f"{PARAMETERS}    Attributes\n", 1
    )

    def rank(self, target: Label, model: str = "auto") -> Ranking:
        """Rank the records without a label: those most like a class first.

        They are compared as the hunt compares them, by the same vectors or the same kernel. If
        all have a label, each is ranked by a model that has not seen it.

        Parameters
        ----------
        target
            The class to rank for, one of those told.
        model
            The name of a model, as for :func:`rarefind.detection.make`.

        Examples
        --------
        >>> hunt = Hunt([[0.0], [0.1], [0.2], [0.3], [9.0], [9.1]], strategy="random")
        >>> for row, label in {0: "even", 1: "even", 4: "odd"}.items():
        ...     hunt.tell(row, label)
        >>> hunt.rank("odd").top(1).tolist()
        [5]
        """
        records, kernel = self.compared()
        labels = self.labels
        with progress_line(self._progress):
            ranking = rank_records(records, kernel, labels, target, model)
        trained = trained_rows(labels)
        explainer = cache(partial(explainer_for, ranking.fitted, records, kernel, labels, target))
        names = tuple(self.space.names)
        examples = Examples(records, explainer, trained, names, self._records)
        return replace(ranking, examples=examples)

    def harvest(self, target: Label, model: str = "auto", *, enough: float = ENOUGH) -> Harvest:
        """Bring home the records of a class: look at ten, say yes or no, and it ranks again.

        Parameters
        ----------
        target
            The class to find, one of those told.
        model
            The name of a model, as for :func:`rarefind.detection.make`.
        enough
            The share of the class to find before the harvest says that it has ended.
        """
        return Harvest(self, target, model, enough=enough, progress=self._progress)

    def labels_array(self) -> tuple[IntArray, NDArray[Any]]:
        """Return the rows told and their labels, for those who go on by themselves.

        >>> hunt = Hunt([[0.0], [1.0], [9.0]], strategy="random")
        >>> hunt.tell(2, "odd")
        >>> rows, labels = hunt.labels_array()
        >>> rows.tolist(), labels.tolist()
        ([2], ['odd'])
        """
        labels = self.labels
        rows = np.fromiter(labels, dtype=np.int64, count=len(labels))
        kinds = {type(label) for label in labels.values()}
        return rows, np.array(list(labels.values()), dtype=object if len(kinds) > 1 else None)


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

    As :func:`rarefind.discovery.discover`, and the hunt it returns can rank.

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
