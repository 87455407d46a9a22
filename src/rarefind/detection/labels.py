"""Reading labels: one per record, all words or all numbers."""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import DataConversionWarning

from rarefind.core.arrays import Records, count
from rarefind.core.errors import DataError


def read_labels(estimator: BaseEstimator, X: Records, y: Any) -> NDArray[Any]:
    """Check that every record has a label; words stay words and numbers stay numbers."""
    owner = type(estimator).__name__
    if y is None:
        raise DataError(
            f"{owner} requires y to be passed, but the target y is None: give one label per record."
        )
    labels = _column(_as_array(y, owner), owner)
    if count(X) != len(labels):
        raise DataError(
            f"{owner} needs one label per record. Got {count(X)} records and {len(labels)} labels."
        )
    if len(labels) == 0:
        raise DataError(f"{owner} needs records to learn from. Got none.")
    if labels.dtype.kind in "fc":
        _check_whole(labels, owner)
    return labels


def _as_array(y: Any, owner: str) -> NDArray[Any]:
    given = np.asarray(y) if hasattr(y, "__array__") else None
    if given is not None and given.dtype != object:
        return given
    try:
        listed = list(y)
    except TypeError:
        raise DataError(
            f"{owner} needs a list of labels: y should be a 1d array. Got {type(y).__name__}."
        ) from None
    if isinstance(y, str):
        raise DataError(f"{owner} needs a list of labels, one per record. Got the text {y[:40]!r}.")
    if any(isinstance(label, list | tuple | np.ndarray) for label in listed):
        try:
            return np.asarray(y)
        except ValueError:
            raise DataError(
                f"{owner} needs one label per record: y should be a 1d array. Got lists of "
                "different lengths."
            ) from None
    _check_one_kind(listed, owner)
    return given if given is not None and _words(listed) else np.asarray(listed)


def _words(labels: list[Any]) -> bool:
    return len(labels) > 0 and isinstance(labels[0], str)


def _check_one_kind(labels: list[Any], owner: str) -> None:
    """Refuse words among numbers: an array would silently turn the numbers into words."""
    first: dict[str, int] = {}
    for row, label in enumerate(labels):
        first.setdefault(_kind(label), row)
    if "missing" in first:
        row = first["missing"]
        raise DataError(
            f"{owner} needs a label for every record. That of record {row} is missing "
            f"({_shown(labels[row])}); leave the record out or label it."
        )
    if len(first) > 1 or "other" in first:
        row, other = min(first.values()), max(first.values())
        raise DataError(
            f"The labels y of {owner} must be all words or all numbers. Label {row} is "
            f"{_shown(labels[row])} and label {other} is {_shown(labels[other])}; "
            "write all of them in the same way."
        )


def _kind(label: Any) -> str:
    if isinstance(label, str | bytes):
        return type(label).__name__
    if isinstance(label, numbers.Number | np.bool_):
        return "missing" if label != label else "number"
    return "missing" if label is None or type(label).__name__ in ("NAType", "NaTType") else "other"


def _shown(label: Any) -> str:
    return f"{str(label)[:40]!r} ({type(label).__name__})"


def _column(labels: NDArray[Any], owner: str) -> NDArray[Any]:
    if labels.ndim == 2 and labels.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape "
            "of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        labels = labels.ravel()
    if labels.ndim != 1:
        raise DataError(
            f"{owner} needs one label per record: y should be a 1d array. Got an array of shape "
            f"{labels.shape}."
        )
    return labels


def _check_whole(labels: NDArray[Any], owner: str) -> None:
    """Refuse numbers that measure something instead of naming a class."""
    wrong = np.flatnonzero(~np.isfinite(labels))
    if len(wrong):
        value = labels[wrong[0]]
        raise DataError(
            f"{owner} needs a label for every record. Label {wrong[0]} of y is "
            f"{'NaN' if np.isnan(value) else value}; leave the record out or label it."
        )
    if labels.dtype.kind == "c" or (labels != np.round(labels)).any():
        row = int(np.flatnonzero(labels != np.round(labels.real))[0])
        raise DataError(
            f"{owner} needs labels that name classes: words or whole numbers. Unknown label type: "
            f"continuous (label {row} is {labels[row]:g}); say which values form a class."
        )
