"""Kernels that count contiguous pieces of strings."""

from __future__ import annotations
