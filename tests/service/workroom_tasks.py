"""What the workroom's process is asked to do in tests; it imports this, and little besides."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.core.progress import announce
from tests.waiting import wait_until


def count_slowly(numbers, steps, pause):
    for done in range(steps):
        announce("counting", done, steps)
        time.sleep(pause)
    return len(numbers)


def hold(numbers, folder):
    """Say that the work has begun, and end it when told to."""
    Path(folder, "begun").touch()
    wait_until(Path(folder, "go").exists)
    return len(numbers)


def refuse(numbers):
    raise DataError(f"There are {len(numbers)} numbers.")


def miss_a_package(_):
    raise MissingPackageError("Counting", "abacus", "count")


def fail(_):
    return 1 / 0


def describe(numbers):
    return {
        "process": os.getpid(),
        "priority": os.nice(0),
        "threads": os.environ["OMP_NUM_THREADS"],
        "mapped": isinstance(numbers.base, np.memmap) if hasattr(numbers, "base") else False,
        "place": id(numbers),
    }


def give_back_a_function(_):
    return lambda: None
