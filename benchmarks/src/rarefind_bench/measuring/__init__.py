"""Clocks, turns beside a reference, and processes of their own for heavy work."""

from __future__ import annotations
