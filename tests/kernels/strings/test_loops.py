"""The loops as plain Python, which RAREFIND_NO_JIT=1 runs, give what the compiled ones give."""

from __future__ import annotations

import os
import subprocess
import sys
from math import comb, log

import numpy as np
import pytest

from rarefind.kernels.strings import loops
from rarefind.kernels.strings.letters import read_strings

STRINGS = read_strings(["abcab", "", "bca", "cabba", "a"], "test")
LEFT, RIGHT = (index.ravel() for index in np.indices((5, 5)))
DECAYS = np.linspace(0.2, 0.9, STRINGS.codes.size)


@pytest.mark.parametrize(
    ("loop", "rest"),
    [
        (loops.gap_weighted, (3, DECAYS, np.zeros((1, 1)), False)),
        (loops.gap_weighted, (2, DECAYS, np.eye(3) + 0.5, True)),
        (loops.gap_number_weighted, (2, 0.5)),
        (loops.all_subsequences, ()),
        (loops.log_all_subsequences, ()),
        (loops.compared_windows, (2, np.array([3.0, 1.0, 0.5]))),
    ],
)
def test_plain_python_equals_the_compiled_loop(loop, rest):
    plain = getattr(loop, "py_func", loop)
    arguments = (STRINGS.codes, STRINGS.starts, LEFT, RIGHT, *rest)
    np.testing.assert_allclose(plain(*arguments), loop(*arguments), rtol=1e-12)


def test_logarithms_of_counts_are_those_of_the_counts():
    arguments = (STRINGS.codes, STRINGS.starts, LEFT, RIGHT)
    counts = loops.all_subsequences(*arguments)
    np.testing.assert_allclose(np.exp(loops.log_all_subsequences(*arguments)), counts, rtol=1e-12)


def test_logarithms_hold_counts_that_start_small_and_grow_late():
    # The y's come first in one string and last in the other: counts that look negligible beside
    # the x's grow as large as theirs. Python's whole numbers give the truth.
    n = 700
    pair = read_strings(["x" * n + "y" * n, "y" * n + "x" * n], "test")
    found = loops.log_all_subsequences(pair.codes, pair.starts, np.array([0]), np.array([1]))
    assert abs(found[0] - log(2 * comb(2 * n, n) - 1)) < 1e-9


def test_kernels_run_without_numba():
    code = (
        "import sys; from rarefind.kernels.strings import *;"
        "print(AllSubsequences()(['gatt'], ['cata'])[0, 0],"
        "GapWeighted(2, 0.5, route='recursion')(['cat'], ['car'])[0, 0], 'numba' in sys.modules)"
    )
    environment = {**os.environ, "RAREFIND_NO_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["7.0", "0.0625", "False"]


def test_features_need_no_compiler():
    code = (
        "import sys; from rarefind.kernels.strings import *;"
        "[k(['gatt', 'cata']) for k in (Spectrum(2), GapWeighted(2), Mismatch(2, 1))];"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
