"""Write the pages of the API reference from the public names themselves."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

PACKAGES = {
    "rarefind": "The short names",
    "rarefind.kernels": "How similar are two records?",
    "rarefind.features": "What does a record look like in numbers?",
    "rarefind.geometry": "How far apart are they?",
    "rarefind.discovery": "Which record to ask about next?",
    "rarefind.detection": "Rank all records for a class",
    "rarefind.hunting": "From the first question to the ranking",
    "rarefind.evaluation": "How well did it go?",
    "rarefind.records": "Files in and out",
    "rarefind.store": "What must never be lost",
    "rarefind.cluster": "The same work on a Dask cluster",
    "rarefind.service": "The use cases",
    "rarefind.testing": "Conformance suites",
    "rarefind_bench": "Labelled data, and contests on them",
}

_CLASS_OPTIONS = """:members:
:inherited-members: BaseEstimator
:exclude-members: set_fit_request, set_score_request, set_predict_request, set_output,
 set_transform_request, set_partial_fit_request, set_decision_function_request,
 get_metadata_routing, score
"""


def public_names(package: str) -> list[str]:
    """List what a package offers."""
    return sorted(getattr(import_module(package), "__all__", []))


def write(folder: Path) -> None:
    """Write one page for every package, and one that lists them."""
    folder.mkdir(exist_ok=True)
    pages = []
    for package, words in PACKAGES.items():
        names = public_names(package)
        if not names:
            continue
        pages.append(package)
        parts = [f"# {package}", f"{words}.".replace("?.", "?")]
        module = import_module(package)
        for name in names:
            thing = getattr(module, name)
            kind = "autoclass" if inspect.isclass(thing) else "autofunction"
            if inspect.ismodule(thing):
                continue
            kind = kind if callable(thing) else "autodata"
            members = _CLASS_OPTIONS if kind == "autoclass" else ""
            if package == "rarefind":
                members = ":no-index:\n"  # told in full where it lives
            parts.append(f"```{{eval-rst}}\n.. {kind}:: {package}.{name}\n{_indented(members)}```")
        _replace(folder / f"{package}.md", "\n\n".join(parts) + "\n")
    listed = "\n".join(pages)
    _replace(
        folder / "index.md", f"# API reference\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"
    )


def _indented(text: str) -> str:
    return "".join(f"   {line}\n" for line in text.splitlines())


def _replace(path: Path, text: str) -> None:
    """Write only what changed, so that an unchanged page is not built again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
