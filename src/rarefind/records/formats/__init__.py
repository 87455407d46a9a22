"""Files in and out, one module for each format."""

from __future__ import annotations
