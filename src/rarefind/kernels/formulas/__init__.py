"""Kernels written as short formulas, and read again."""

from __future__ import annotations
