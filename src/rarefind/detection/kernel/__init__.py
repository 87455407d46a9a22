"""Learners that need nothing but similarities."""

from __future__ import annotations
