"""Which classes a model file may name.

Everything defined in rarefind's own kernels, geometry and detection, a list of scikit-learn's
estimators that hold nothing but numbers, and what installed packages register in the entry-point
group ``rarefind.models``. Nothing else is ever imported or made because a file says so.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rarefind.core.errors import DataError, NotAvailableError
from rarefind.core.names import Registry

_OWN = ("rarefind.kernels.", "rarefind.geometry.", "rarefind.detection.")

registry = Registry(
    "model class",
    "rarefind.models",
    {
        "sklearn.ColumnTransformer": "sklearn.compose:ColumnTransformer",
        "sklearn.CountVectorizer": "sklearn.feature_extraction.text:CountVectorizer",
        "sklearn.DecisionTreeClassifier": "sklearn.tree:DecisionTreeClassifier",
        "sklearn.ExtraTreeClassifier": "sklearn.tree:ExtraTreeClassifier",
        "sklearn.ExtraTreesClassifier": "sklearn.ensemble:ExtraTreesClassifier",
        "sklearn.GaussianNB": "sklearn.naive_bayes:GaussianNB",
        "sklearn.HistGradientBoostingClassifier": (
            "sklearn.ensemble:HistGradientBoostingClassifier"
        ),
        "sklearn.KNeighborsClassifier": "sklearn.neighbors:KNeighborsClassifier",
        "sklearn.KernelCenterer": "sklearn.preprocessing:KernelCenterer",
        "sklearn.KernelPCA": "sklearn.decomposition:KernelPCA",
        "sklearn.LabelBinarizer": "sklearn.preprocessing:LabelBinarizer",
        "sklearn.LinearDiscriminantAnalysis": (
            "sklearn.discriminant_analysis:LinearDiscriminantAnalysis"
        ),
        "sklearn.LinearSVC": "sklearn.svm:LinearSVC",
        "sklearn.LogisticRegression": "sklearn.linear_model:LogisticRegression",
        "sklearn.MaxAbsScaler": "sklearn.preprocessing:MaxAbsScaler",
        "sklearn.MinMaxScaler": "sklearn.preprocessing:MinMaxScaler",
        "sklearn.Normalizer": "sklearn.preprocessing:Normalizer",
        "sklearn.OneHotEncoder": "sklearn.preprocessing:OneHotEncoder",
        "sklearn.OrdinalEncoder": "sklearn.preprocessing:OrdinalEncoder",
        "sklearn.PCA": "sklearn.decomposition:PCA",
        "sklearn.Perceptron": "sklearn.linear_model:Perceptron",
        "sklearn.Pipeline": "sklearn.pipeline:Pipeline",
        "sklearn.RandomForestClassifier": "sklearn.ensemble:RandomForestClassifier",
        "sklearn.RidgeClassifier": "sklearn.linear_model:RidgeClassifier",
        "sklearn.RobustScaler": "sklearn.preprocessing:RobustScaler",
        "sklearn.SGDClassifier": "sklearn.linear_model:SGDClassifier",
        "sklearn.SVC": "sklearn.svm:SVC",
        "sklearn.SimpleImputer": "sklearn.impute:SimpleImputer",
        "sklearn.StandardScaler": "sklearn.preprocessing:StandardScaler",
        "sklearn.TfidfTransformer": "sklearn.feature_extraction.text:TfidfTransformer",
        "sklearn.TfidfVectorizer": "sklearn.feature_extraction.text:TfidfVectorizer",
        "sklearn.TruncatedSVD": "sklearn.decomposition:TruncatedSVD",
    },
)


def name_of(cls: type) -> str:
    """Give the name under which a class is written to a file."""
    path = f"{cls.__module__}:{cls.__qualname__}"
    if cls.__module__.startswith(_OWN):
        return path
    for name in registry.names():
        package = name.partition(".")[0]
        if cls.__name__ in name and cls.__module__.partition(".")[0] == package:
            if registry.get(name) is cls:
                return name
        elif package != "sklearn" and registry.get(name) is cls:
            return name
    raise NotAvailableError(
        f"A {cls.__name__} cannot be saved: its insides are not plain numbers and words, or "
        "rarefind does not know the class. Keep the training records and fit it again."
    )


def class_of(name: Any) -> type:
    """Find the class of a name in a file, or refuse."""
    if not isinstance(name, str):
        raise DataError(f"it names a model class by {type(name).__name__}, not by a word")
    if name.startswith(_OWN) and name.count(":") == 1:
        return _own_class(name)
    if name in registry.names():
        found: type = registry.get(name)
        return found
    raise DataError(f"it holds an object of class {name[:100]!r}, which rarefind does not know")


def _own_class(name: str) -> type:
    module, _, attribute = name.partition(":")
    plain = all(part.isidentifier() for part in module.split("."))
    if plain and attribute.isidentifier() and _exists(module):
        found = getattr(import_module(module), attribute, None)
        if isinstance(found, type) and found.__module__ == module:
            return found
    raise DataError(f"it holds an object of class {name[:100]!r}, which rarefind does not know")


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
