"""How the documentation is built: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import reference
from sphinx.application import Sphinx
from sphinx_gallery.sorting import FileNameSortKey

from rarefind import __version__
from rarefind.evaluation.plots import STYLE

project = "rarefind"
author = "The rarefind developers"
copyright = author
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery", "**/GALLERY_HEADER.rst"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented_params"  # attributes are not parameters again
napoleon_numpy_docstring = True
napoleon_use_ivar = True  # attributes are told once, in the list of the class
strip_signature_backslash = True  # the underscore behind what was learnt is no link
# Inherited docstrings of scikit-learn point into its own pages.
suppress_warnings = ["config.cache", "ref.ref", "ref.term", "ref.python"]
nitpicky = False

html_theme = "furo"
html_title = "rarefind"
html_static_path = ["static"]
html_css_files = ["house.css"]


def _house_style(gallery_conf: object, fname: object) -> None:
    import matplotlib as mpl

    mpl.rcParams.update({**STYLE, "figure.constrained_layout.use": True, "figure.dpi": 110})


def _one_by_one(
    app: object, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Mend what would be misread: several attributes told together, and colons in properties."""
    if what == "property" and lines:
        lines[0] = lines[0].replace(": ", "; ")
    told: list[str] = []
    section = ""
    for place, line in enumerate(lines):
        if place + 1 < len(lines) and set(lines[place + 1]) == {"-"}:
            section = line
        names = line.split(", ")
        together = section == "Attributes" and all(each.isidentifier() for each in names)
        if not together or len(names) == 1:
            told.append(line)
            continue
        below = lines[place + 1 :]
        end = next((at for at, each in enumerate(below) if each[:1].strip()), len(below))
        about = [each for each in below[:end] if each]
        for each in names[:-1]:
            told += [each, *about]
        told.append(names[-1])
    lines[:] = told


def setup(app: Sphinx) -> None:
    """Take part in the build."""
    app.connect("autodoc-process-docstring", _one_by_one, priority=400)  # before napoleon


sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "filename_pattern": r"/plot_",
    "within_subsection_order": FileNameSortKey,
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 1,
    "show_signature": False,
    "reset_modules": (_house_style,),
}

reference.write(Path(__file__).parent / "api")
