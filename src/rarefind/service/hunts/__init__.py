"""Data sets and hunts: found, begun, opened, let go."""

from __future__ import annotations
