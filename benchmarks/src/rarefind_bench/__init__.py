"""Labelled data, and contests of strategies on them; the command ``rarefind bench``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind_bench.datasets.catalogue import open_set
    from rarefind_bench.datasets.labelled_set import LabelledSet
    from rarefind_bench.datasets.location import data_file, data_folder
    from rarefind_bench.discovery.labels_needed import Contest, Entry, run_contest

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Contest": "rarefind_bench.discovery.labels_needed",
        "Entry": "rarefind_bench.discovery.labels_needed",
        "LabelledSet": "rarefind_bench.datasets.labelled_set",
        "data_file": "rarefind_bench.datasets.location",
        "data_folder": "rarefind_bench.datasets.location",
        "open_set": "rarefind_bench.datasets.catalogue",
        "run_contest": "rarefind_bench.discovery.labels_needed",
    },
)

__all__ = ["Contest", "Entry", "LabelledSet", "data_file", "data_folder", "open_set", "run_contest"]
