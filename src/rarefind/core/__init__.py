"""Common ground of all layers: errors, parameters, randomness, progress and names."""

from __future__ import annotations
