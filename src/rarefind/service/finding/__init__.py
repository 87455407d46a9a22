"""Records and answers looked for: a small language of queries, and what it finds."""

from __future__ import annotations
