"""What a column holds, told from its cells."""

from __future__ import annotations
