"""Looking at many records at once: lists, maps, what was said, and answers for many."""

from __future__ import annotations
