"""Files of every kind of model, written once by every version, are read for ever."""

from __future__ import annotations

import io
import json
import zipfile
from contextlib import suppress

import numpy as np
import pytest

from rarefind.core.errors import DataError, RarefindWarning
from rarefind.detection import load
from rarefind.detection.files.layout import VERSION
from tests.detection.saved.models import all_cases
from tests.detection.saved.write import HERE, arithmetic, judge, kept

VERSIONS = range(1, VERSION + 1)
SCORES = {
    (version, name): (scores, batch["arithmetic"])
    for version in VERSIONS
    for batch in kept(version)
    for name, scores in batch["scores"].items()
}
CASES = all_cases()


@pytest.fixture(scope="module")
def here():
    return arithmetic()


@pytest.mark.parametrize("version", VERSIONS)
def test_all_files_of_a_version_are_there_and_say_so(version):
    names = [name for number, name in SCORES if number == version]
    assert len(names) > 200
    with zipfile.ZipFile(HERE / f"v{version}.zip") as archive:
        assert sorted(archive.namelist()) == sorted(names)
        for name in names:
            with zipfile.ZipFile(io.BytesIO(archive.read(name))) as parts:
                assert json.loads(parts.read("model.json"))["version"] == version


def test_every_case_is_kept_in_the_present_version():
    """After adding a case, run ``python -m tests.detection.saved.write``."""
    assert {name for version, name in SCORES if version == VERSION} == set(CASES)


@pytest.mark.filterwarnings("ignore:Sigmoid is not positive")
@pytest.mark.parametrize(("version", "name"), SCORES, ids=lambda value: str(value))
def test_a_kept_model_scores_as_it_did(version, name, here, tmp_path):
    """To the last digit, where numbers are worked out as they were when the file was written."""
    path = tmp_path / "model.rarefind"
    with zipfile.ZipFile(HERE / f"v{version}.zip") as archive:
        path.write_bytes(archive.read(name))
    expected, there = SCORES[version, name]
    if b'"sklearn.' in path.read_bytes() and release(here) != release(there):
        # What scikit-learn's models hold is its own affair, and may be refused after a change.
        with pytest.warns(RarefindWarning, match="saved with scikit-learn"), suppress(DataError):
            load(path)
        return
    scores = judge(load(path), CASES[name].queries)
    if here == there:
        np.testing.assert_array_equal(scores, expected)
    else:  # another processor or library rounds otherwise
        np.testing.assert_allclose(scores, expected, rtol=1e-7, atol=1e-9)


def release(versions):
    return versions["scikit-learn"].split(".")[:2]
