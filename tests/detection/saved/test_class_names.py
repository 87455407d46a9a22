"""The names in model files are promises."""

from __future__ import annotations

import io
import json
import pkgutil
import re
import zipfile
from importlib import import_module

import pytest
from sklearn.base import BaseEstimator

import rarefind.detection
import rarefind.geometry
import rarefind.kernels
from rarefind.core.errors import DataError
from rarefind.detection import make
from rarefind.detection import registry as models
from rarefind.detection.files import version_1
from rarefind.detection.files.class_names import class_of, name_of, saved_classes
from rarefind.detection.files.layout import VERSION
from tests.detection.saved.kernels import CASES
from tests.detection.saved.write import HERE

NAMES = saved_classes.names()
HOLDS_A_FUNCTION = "rarefind.kernels.RecordWeighted"
"""Saved only with a function that is an object of a registered class, and we have none."""


def names_in(version):
    """Collect the class names in all kept files of a version."""
    found = set()
    with zipfile.ZipFile(HERE / f"v{version}.zip") as archive:
        for name in archive.namelist():
            with zipfile.ZipFile(io.BytesIO(archive.read(name))) as parts:
                text = parts.read("model.json").decode()
            found |= {json.loads(word) for word in re.findall(r'"class": ("[^"]*")', text)}
    return found


def estimators():
    """Walk through all modules for the estimators that nothing else derives from."""
    found = set()
    for package in (rarefind.kernels, rarefind.geometry, rarefind.detection):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            found |= {
                value
                for value in vars(import_module(module.name)).values()
                if isinstance(value, type)
                and issubclass(value, BaseEstimator)
                and value.__module__.startswith("rarefind.")
            }
    bases = {base for cls in found for base in cls.__mro__[1:]}
    return found - bases


def test_every_estimator_has_a_name_and_none_is_shared():
    classes = estimators()
    assert len(classes) > 60
    names = {name_of(cls) for cls in classes}
    assert len(names) == len(classes)
    assert len({class_of(name) for name in NAMES}) == len(NAMES)
    assert all(name_of(class_of(name)) == name for name in NAMES)


@pytest.mark.parametrize("version", range(2, VERSION + 1))
def test_no_name_that_a_file_may_hold_has_gone(version):
    assert names_in(version) <= set(NAMES)


def test_every_name_occurs_in_a_kept_file():
    """After naming a class, add a case and run ``python -m tests.detection.saved.write``."""
    assert set(NAMES) - names_in(VERSION) == {HOLDS_A_FUNCTION}


def test_every_kernel_and_model_by_name_has_a_case():
    assert set(CASES) == set(rarefind.kernels.registry.names()) - {"record-weighted"}
    for name in models.names():
        assert name_of(type(make(name))) in NAMES


def test_all_places_of_the_first_version_are_known():
    own = {name for name in names_in(1) if name.startswith("rarefind.")}
    places = {f"rarefind.{place}" for place in version_1.LASTING_NAMES}
    assert own == places - {"rarefind.kernels.algebra.scaling:RecordWeighted"}
    assert {version_1.class_of(place) for place in places} <= {class_of(name) for name in NAMES}


@pytest.mark.parametrize("name", ["rarefind.Lago", "rarefind.kernels.formulas.reading:_Parser"])
def test_the_first_version_knows_its_own_places_only(name):
    with pytest.raises(DataError, match="which rarefind does not know"):
        version_1.class_of(name)


def test_names_of_the_present_are_no_places():
    with pytest.raises(DataError, match="which rarefind does not know"):
        class_of("rarefind.detection.lago:Lago")
