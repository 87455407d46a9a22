"""The workbench: label in the browser."""

from __future__ import annotations
