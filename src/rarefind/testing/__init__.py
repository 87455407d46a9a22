"""Conformance suites: what every kernel, strategy and model must satisfy, yours included."""

from __future__ import annotations
