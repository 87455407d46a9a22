"""CatBoost's trees, kept as plain numbers: they judge, and are saved, without CatBoost."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from rarefind.core.arrays import BoolArray, FloatArray


class ObliviousTrees(ClassifierMixin, BaseEstimator):
    """Gradient boosting by CatBoost, which has to be installed for fitting only.

    A tree asks the same few questions of every record, whether a column exceeds a border; the
    answers are the binary digits of the leaf's number.

    Parameters
    ----------
    iterations
        How many trees.
    random_state
        Seed.

    Attributes
    ----------
    columns_, borders_
        The questions of all trees, one after the other.
    places_
        The digit that a question stands for: one, two, four, ... and its tree.
    leaves_, starts_
        Values of all leaves, and where those of a tree begin.
    bias_
        What every score begins with.
    """

    def __init__(self, iterations: int = 200, *, random_state: int | None = 0) -> None:
        self.iterations = iterations
        self.random_state = random_state

    def fit(self, X: FloatArray, y: BoolArray) -> ObliviousTrees:
        """Let CatBoost grow the trees, and copy them."""
        from catboost import CatBoostClassifier

        model = CatBoostClassifier(
            iterations=self.iterations, verbose=0, thread_count=1, allow_writing_files=False,
            random_seed=self.random_state,
        )  # fmt: skip
        model.fit(X, y)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.json"
            model.save_model(str(path), format="json")
            grown = json.loads(path.read_text())
        self._copy(grown)
        self.classes_ = np.array([False, True])
        return self

    def _copy(self, grown: dict[str, Any]) -> None:
        trees = grown["oblivious_trees"]
        splits = [(number, tree["splits"] or ()) for number, tree in enumerate(trees)]
        asked = [
            (split["float_feature_index"], split["border"], number, 1 << digit)
            for number, questions in splits
            for digit, split in enumerate(questions)
        ]
        columns, borders, tree, digit = zip(*asked, strict=True) if asked else ((),) * 4
        self.columns_ = np.array(columns, dtype=np.int64)
        self.borders_ = np.array(borders, dtype=np.float32)
        self.places_ = np.array([tree, digit], dtype=np.int64)
        self.leaves_ = np.concatenate([np.asarray(tree["leaf_values"], float) for tree in trees])
        sizes = [len(tree["leaf_values"]) for tree in trees]
        self.starts_ = np.cumsum([0, *sizes[:-1]])
        scale, bias = grown["scale_and_bias"]
        self.leaves_ *= scale
        self.bias_ = float(np.ravel(bias)[0])

    def decision_function(self, X: FloatArray) -> FloatArray:
        """Add up the values of the leaves that records fall into: log odds."""
        records = np.asarray(X, dtype=np.float32)  # CatBoost compares in single precision
        scores = np.full(len(records), self.bias_)
        tree, digit = self.places_
        ends = np.searchsorted(tree, np.arange(len(self.starts_) + 1))
        for number, start in enumerate(self.starts_):
            asked = slice(ends[number], ends[number + 1])
            answers = records[:, self.columns_[asked]] > self.borders_[asked]
            scores += self.leaves_[start + answers @ digit[asked]]
        return scores
