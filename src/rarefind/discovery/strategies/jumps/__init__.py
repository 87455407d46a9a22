"""Strategies that ask where the density of records jumps."""

from __future__ import annotations
