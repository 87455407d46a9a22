"""What passes between a hunt and its strategy."""

from __future__ import annotations
