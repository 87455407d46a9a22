"""Strategies that explain the records by a mixture of crowds."""

from __future__ import annotations
