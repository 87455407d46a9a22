"""The default strategy: outside the crowd and inside it, wherever questions pay."""

from __future__ import annotations
