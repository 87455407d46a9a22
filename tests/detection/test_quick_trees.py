"""Trees grown without a forest's checks are those of the forest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier

from rarefind.core.errors import DataError
from rarefind.detection import load, save
from rarefind.detection.auto.quick_trees import QuickTrees

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 5)).astype(np.float32)
QUERIES = RNG.normal(size=(300, 5)).astype(np.float32)
TWO = X[:, 0] + X[:, 1] > 2.0
FOUR = np.array(["a", "b", "c", "d"])[np.digitize(X[:, 2], [-1.0, 0.0, 1.5])]


@pytest.mark.parametrize("y", [TWO, FOUR], ids=["two classes", "four classes"])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_array])
def test_the_same_seed_gives_the_trees_of_a_forest(y, kind):
    quick = QuickTrees(12, random_state=3).fit(kind(X), y)
    forest = ExtraTreesClassifier(12, random_state=3).fit(X, y)
    assert quick.classes_.tolist() == forest.classes_.tolist()
    np.testing.assert_allclose(
        quick.predict_proba(kind(QUERIES)), forest.predict_proba(QUERIES), atol=1e-9
    )


def test_balanced_classes_weigh_the_same():
    same, y = [[0.0], [0.0], [0.0], [0.0], [1.0]], np.array([False, False, False, True, False])
    quick = QuickTrees(5, balanced=True).fit(same, y)
    forest = ExtraTreesClassifier(5, class_weight="balanced", random_state=0).fit(same, y)
    np.testing.assert_allclose(quick.predict_proba(same), forest.predict_proba(same))
    assert quick.predict_proba([[0.0]])[0, 1] > QuickTrees(5).fit(same, y).predict_proba(same)[0, 1]


def test_one_class_alone_is_certain():
    assert QuickTrees(2).fit(X, np.zeros(200)).predict_proba(X[:3]).tolist() == [[1.0]] * 3


def test_records_of_another_width_are_refused():
    with pytest.raises(ValueError, match="grown on 5 columns, and these records have 4"):
        QuickTrees(2).fit(X, TWO).predict_proba(X[:, :4])


def test_numbers_beyond_single_precision_are_refused():
    with pytest.raises(ValueError, match="float32"):
        QuickTrees(2).fit(X.astype(np.float64) * 1e39, TWO)


@pytest.mark.parametrize("y", [TWO, FOUR], ids=["two classes", "four classes"])
def test_a_file_keeps_them_and_refuses_trees_of_another_width(y, tmp_path):
    path = tmp_path / "trees.rarefind"
    model = QuickTrees(3).fit(X, y)
    save(model, path)
    kept = load(path)
    assert np.array_equal(kept.predict_proba(QUERIES), model.predict_proba(QUERIES))
    model.n_features_in_ = 4
    save(model, path)
    with pytest.raises(DataError, match="decision tree"):
        load(path)
