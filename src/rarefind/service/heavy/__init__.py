"""Long work, in a process of its own, watched and stopped at will."""

from __future__ import annotations
