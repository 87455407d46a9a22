"""Discovery with wrong priors and wrong answers."""

from __future__ import annotations
