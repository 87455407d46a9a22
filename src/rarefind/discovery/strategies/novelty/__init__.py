"""Strategies that ask for what is most probably new."""

from __future__ import annotations
