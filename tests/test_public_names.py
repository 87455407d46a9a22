"""Every public name is what it says, whatever was imported before."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

LOOK = """
import importlib, json, pkgutil, sys, types
import rarefind

if sys.argv[1] == "all":
    for found in pkgutil.walk_packages(rarefind.__path__, "rarefind."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
packages = [rarefind] + [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages(rarefind.__path__, "rarefind.")
    if found.ispkg
]
told = []
for package in packages:
    for name in getattr(package, "__all__", ()):
        value = getattr(package, name)
        told.append([package.__name__, name, isinstance(value, types.ModuleType)])
print(json.dumps(told))
"""


@pytest.mark.parametrize("imported", ["nothing", "all"])
def test_no_module_hides_a_public_name(imported):
    done = subprocess.run(
        [sys.executable, "-c", LOOK, imported], capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert len(told) > 150
    assert ["rarefind.detection", "enclosing_ball", False] in told
    modules = {f"{package}.{name}" for package, name, is_module in told if is_module}
    # Chapters are modules, and nothing else is.
    chapters = {"kernels", "discovery", "detection", "evaluation", "geometry", "records"}
    assert modules <= {f"rarefind.{name}" for name in chapters | {"testing", "features", "hunting"}}
