"""Strategies by name: each decides in its own way which record to look at next."""

from __future__ import annotations
