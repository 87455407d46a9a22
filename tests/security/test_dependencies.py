"""What we depend on: no copyleft in the core, and no version with a hole that we know of."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))[
    "project"
]
COPYLEFT = re.compile(r"GPL|EUPL|SSPL|CDDL|General Public", re.IGNORECASE)
MENDED = {
    "pyarrow": "14.0.1",  # CVE-2023-47248: reading a file ran code
    "scikit-learn": "1.5.0",  # CVE-2024-5206
    "scipy": "1.10.0",  # CVE-2023-25399
    "distributed": "2021.10.0",  # CVE-2021-42343: workers listened to everybody
    "pillow": "10.3.0",  # CVE-2024-28219; later ones are in kinds of pictures we do not open
    "h11": "0.16.0",  # CVE-2025-43859: requests smuggled past a proxy
    "fastapi": "0.109.1",  # CVE-2024-24762
}


def needed(name, extras=frozenset()):
    """Every distribution that this one brings along, by name."""
    found, wanted = {}, [(name, frozenset(extras))]
    while wanted:
        name, extras = wanted.pop()
        if name in found and not extras:
            continue
        found[name] = distribution(name)
        for text in found[name].requires or []:
            need = Requirement(text)
            applies = need.marker is None or any(
                need.marker.evaluate({"extra": extra}) for extra in {"", *extras}
            )
            if applies and (need.name not in found or need.extras):
                wanted.append((need.name, frozenset(need.extras)))
    return found


def licence(told):
    """What a distribution says of its licence; classifiers where it says it at length."""
    classifiers = [text for text in told.get_all("Classifier") or [] if text.startswith("License")]
    short = told.get("License-Expression") or "; ".join(classifiers) or told.get("License") or ""
    return short[:200]


def test_the_core_needs_nothing_with_copyleft():
    core = needed("rarefind")
    assert len(core) >= 8
    told = {name: licence(each.metadata) for name, each in core.items()}
    assert {name: text for name, text in told.items() if not text} == {}
    assert {name: text for name, text in told.items() if COPYLEFT.search(text)} == {}


def test_copyleft_comes_with_postgresql_alone():
    told = {
        name: licence(each.metadata) for name, each in needed("rarefind", {"workbench"}).items()
    }
    assert {name for name, text in told.items() if COPYLEFT.search(text)} == set()


@pytest.mark.parametrize("name", MENDED)
def test_no_version_with_a_hole_that_we_know_of_is_allowed(name):
    extras = PROJECT["optional-dependencies"]
    needs = [
        Requirement(text) for each in (PROJECT["dependencies"], *extras.values()) for text in each
    ]
    bounds = [
        Version(each.version)
        for need in needs
        if need.name == name
        for each in need.specifier
        if each.operator == ">="
    ]
    assert bounds, "not among what we need"
    assert min(bounds) >= Version(MENDED[name])
