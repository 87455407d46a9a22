"""Talking with a person at a terminal: what is shown, and what is heard."""

from __future__ import annotations
