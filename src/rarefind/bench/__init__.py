"""Labelled data and the contests that measure discovery on them."""

from __future__ import annotations

from rarefind.bench.contest import Contest, Entry, run_contest
from rarefind.bench.data import data_file, data_folder, open_set
from rarefind.bench.labelled import LabelledSet

__all__ = ["Contest", "Entry", "LabelledSet", "data_file", "data_folder", "open_set", "run_contest"]
