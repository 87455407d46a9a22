"""What a person is shown of a hunt."""

from __future__ import annotations
