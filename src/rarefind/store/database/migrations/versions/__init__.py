"""One module for each version of the tables, run in order."""

from __future__ import annotations
