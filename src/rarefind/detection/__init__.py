"""Which records look like the class found? Learners that rank them all."""

from __future__ import annotations

from rarefind.detection.kernel_machine import KernelMachine

__all__ = ["KernelMachine"]
