"""Speed of the kernels of strings and graphs beside what one can install."""

from __future__ import annotations
