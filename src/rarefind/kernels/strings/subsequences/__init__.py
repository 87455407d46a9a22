"""Kernels that count subsequences, gaps allowed."""

from __future__ import annotations
