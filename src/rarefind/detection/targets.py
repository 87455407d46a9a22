"""Which classes are looked for, and which is the background."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.names import unknown_name


@dataclass(frozen=True)
class Targets:
    """The classes of some labels, split into those looked for and the background.

    ``classes`` are sorted, except that of two classes the one looked for comes last: scikit-learn
    reads a positive decision as the last class.
    """

    classes: NDArray[Any]
    wanted: NDArray[Any]
    background: Any


class RanksTargets(ClassifierMixin, ABC):
    """What rankers share: which classes they rank for, and predictions from one score for each."""

    target: Any
    classes_: NDArray[Any]
    targets_: NDArray[Any]
    background_class_: Any

    @abstractmethod
    def decision_function(self, X: Records) -> FloatArray:
        """Score records; higher is more like the target, above zero is predicted to be it."""

    def predict(self, X: Records) -> NDArray[Any]:
        """Name the class of every record; the background's largest where no target is likely."""
        decisions = self.decision_function(X)
        if self._has_a_column_per_class():
            named: NDArray[Any] = self.classes_[np.argmax(decisions, axis=1)]
            return named
        columns = decisions.reshape(len(decisions), -1)
        best = np.argmax(columns, axis=1)
        found = columns[np.arange(len(best)), best] > 0
        choices = np.concatenate([[self.background_class_], self.targets_])
        chosen: NDArray[Any] = choices[np.where(found, best + 1, 0)].astype(self.classes_.dtype)
        return chosen

    def _rank_for(self, targets: Targets) -> None:
        """Remember the classes, once the ranker is fitted to them."""
        self.classes_, self.targets_ = targets.classes, targets.wanted
        self.background_class_ = targets.background

    def _decisions(self, scores: FloatArray) -> FloatArray:
        """Give scores of the targets the shape scikit-learn expects of a decision function."""
        if self._has_a_column_per_class():
            decisions = np.zeros((len(scores), len(self.classes_)))
            decisions[:, np.searchsorted(self.classes_, self.targets_)] = scores
            return decisions
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def _has_a_column_per_class(self) -> bool:
        return self.target is None and len(self.classes_) > 2


def choose_targets(y: NDArray[Any], target: Any, weight: FloatArray, owner: str) -> Targets:
    """Find the classes looked for: those named, or else all but the largest.

    Of two classes of equal size the one that comes first when sorted is the background.
    """
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        only = f"only one class, {classes.tolist()[0]!r}" if len(classes) else "no record"
        raise DataError(
            f"{owner} needs records of two classes or more, the rare one and the rest. Got {only}; "
            "label some ordinary records too."
        )
    sizes = np.bincount(codes, weights=weight, minlength=len(classes))
    if target is None:
        largest = int(np.argmax(sizes))
        wanted = np.delete(classes, largest)
    else:
        wanted = _named(target, classes, owner)
        rest = ~np.isin(classes, wanted)
        if not rest.any():
            raise DataError(
                f"The 'target' parameter of {owner} names every class there is, so nothing is left "
                "as background. Name the rare classes only."
            )
        largest = int(np.flatnonzero(rest)[np.argmax(sizes[rest])])
    if len(classes) == 2:
        classes = np.concatenate([classes[largest : largest + 1], wanted])
        return Targets(classes, wanted, classes[0])
    return Targets(classes, wanted, classes[largest])


def _named(target: Any, classes: NDArray[Any], owner: str) -> NDArray[Any]:
    names = (
        list(target)
        if isinstance(target, Sequence | np.ndarray) and not isinstance(target, str)
        else [target]
    )
    if not names:
        raise DataError(f"The 'target' parameter of {owner} is an empty list. Name a class.")
    options = classes.tolist()
    for name in names:
        if name not in options:
            raise unknown_name(f"record of class (the 'target' of {owner})", name, options)
    return np.asarray([classes[options.index(name)] for name in names])


def place_of_target(target: Any, names: list[Any], owner: str) -> int:
    """Find the class somebody names among those ranked for; it need not be named if alone."""
    if target is None and len(names) > 1:
        raise ParameterError(
            f"The 'target' of {owner} must name one of {names}: several are ranked for."
        )
    if target is not None and target not in names:
        raise ParameterError(
            f"The 'target' of {owner} must be one of {names}. Got {target!r} instead."
        )
    return 0 if target is None else names.index(target)
