"""Strategies that ask where the density is steepest."""

from __future__ import annotations
