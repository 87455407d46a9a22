"""Files out of a hunt and labels into it."""

from __future__ import annotations
