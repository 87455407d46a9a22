"""Average precision of every model on rare classes, and SimpleMKL's published table."""

from __future__ import annotations
