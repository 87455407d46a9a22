"""The detector that chooses among models, or averages them, by what they achieve."""

from __future__ import annotations
