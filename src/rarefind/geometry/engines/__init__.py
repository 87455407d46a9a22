"""Engines answer the questions discovery asks of the data."""

from __future__ import annotations
