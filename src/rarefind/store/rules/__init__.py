"""The rules of the store that hold whichever engine keeps it."""

from __future__ import annotations
