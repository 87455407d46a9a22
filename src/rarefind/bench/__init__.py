"""Labelled data and the contests that measure discovery on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.bench.contest import Contest, Entry, run_contest
    from rarefind.bench.data import data_file, data_folder, open_set
    from rarefind.bench.labelled import LabelledSet

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Contest": "rarefind.bench.contest",
        "Entry": "rarefind.bench.contest",
        "LabelledSet": "rarefind.bench.labelled",
        "data_file": "rarefind.bench.data",
        "data_folder": "rarefind.bench.data",
        "open_set": "rarefind.bench.data",
        "run_contest": "rarefind.bench.contest",
    },
)

__all__ = ["Contest", "Entry", "LabelledSet", "data_file", "data_folder", "open_set", "run_contest"]
