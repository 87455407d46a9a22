"""Files of every kind of model, written once by every version, are read for ever."""

from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

from rarefind.detection import load
from tests.detection.saved.models import all_cases
from tests.detection.saved.write import HERE, arithmetic, judge

VERSIONS = sorted(path.stem for path in HERE.glob("v*.json"))
KEPT = {version: json.loads((HERE / f"{version}.json").read_text()) for version in VERSIONS}
CASES = all_cases()


def test_the_first_version_is_kept():
    assert VERSIONS[0] == "v1"
    assert len(KEPT["v1"]["scores"]) > 200


@pytest.mark.parametrize("version", VERSIONS)
def test_every_file_says_its_version(version):
    with zipfile.ZipFile(HERE / f"{version}.zip") as archive:
        assert sorted(archive.namelist()) == sorted(KEPT[version]["scores"])
        for name in archive.namelist():
            with zipfile.ZipFile(io.BytesIO(archive.read(name))) as parts:
                assert f"v{json.loads(parts.read('model.json'))['version']}" == version


@pytest.mark.filterwarnings("ignore:(The model was saved with scikit|Sigmoid is not positive)")
@pytest.mark.parametrize(
    ("version", "name"),
    [(version, name) for version in VERSIONS for name in KEPT[version]["scores"]],
)
def test_a_kept_model_scores_as_it_did(version, name, tmp_path):
    """To the last digit, where numbers are reckoned as they were when the file was written."""
    path = tmp_path / "model.rarefind"
    with zipfile.ZipFile(HERE / f"{version}.zip") as archive:
        path.write_bytes(archive.read(name))
    scores = judge(load(path), CASES[name].queries)
    expected = np.array(KEPT[version]["scores"][name])
    if arithmetic() == KEPT[version]["arithmetic"]:
        np.testing.assert_array_equal(scores, expected)
    else:  # another processor or library rounds otherwise
        np.testing.assert_allclose(scores, expected, rtol=1e-7, atol=1e-9)
