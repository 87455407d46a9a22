"""Kernels for records of any kind."""

from __future__ import annotations
