"""From a table to records that can be compared."""

from __future__ import annotations
