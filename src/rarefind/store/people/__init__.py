"""Who may come in, under which name, and what they may do."""

from __future__ import annotations
