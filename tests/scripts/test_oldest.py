from __future__ import annotations

import tomllib

import pytest
from scripts.changelog import ROOT
from scripts.oldest import oldest


def test_every_lower_bound_becomes_a_constraint_and_upper_ones_do_not():
    project = {
        "name": "rarefind",
        "dependencies": ["numpy>=2.0", "scikit-learn>=1.6,<1.10"],
        "optional-dependencies": {"a": ["rarefind[b]", "x[y,z]>=3.2.1"], "b": ["numpy>=2.0"]},
    }
    assert oldest(project) == ["numpy==2.0", "scikit-learn==1.6", "x==3.2.1"]


def test_a_package_without_a_lower_bound_is_named():
    project = {"name": "rarefind", "dependencies": ["numpy"], "optional-dependencies": {}}
    with pytest.raises(SystemExit, match="no lower bound for numpy"):
        oldest(project)


def test_every_package_we_need_has_a_lower_bound():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(oldest(project)) > 20
