"""The forward recursion of pair hidden Markov models, cell after cell."""

from __future__ import annotations

import math

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.jit import jit

SMALL = 1e-60
"""Entries smaller than this are scaled up."""


@jit
def log_joint(
    s: IntArray, t: IntArray, transition: FloatArray, emission: FloatArray, inserted: FloatArray
) -> float:
    """Logarithm of the probability of everything before the end of two strings.

    The last state is the start, which emits nothing. ``transition`` includes the probability of
    leaving a state, ``inserted`` that of each symbol in an insertion. Every cell (i, j) of the
    recursion holds two vectors over states and the logarithm of a factor that belongs to them,
    renewed when entries become small: cells differ by more than floating-point numbers can.
    """
    n_states = transition.shape[0]
    width = len(t) + 1
    # Last pair emitted and only s continued (some), then t continued as well (done).
    some = np.zeros((2, width, n_states))
    done = np.zeros((2, width, n_states))
    logs = np.full((2, width), -np.inf)
    pair = np.zeros(n_states)
    for i in range(len(s) + 1):
        now, before = i % 2, 1 - i % 2
        for j in range(width):
            diagonal = logs[before, j - 1] if i > 0 and j > 0 else -np.inf
            above = logs[before, j] if i > 0 else -np.inf
            beside = logs[now, j - 1] if j > 0 else -np.inf
            base = max(diagonal, above, beside)
            pair[:] = 0.0
            some[now, j, :] = 0.0
            done[now, j, :] = 0.0
            logs[now, j] = -np.inf
            if i == 0 and j == 0:
                base = 0.0
                pair[n_states - 1] = 1.0
            if base == -np.inf:
                continue
            if diagonal > -np.inf:
                share = math.exp(diagonal - base) if diagonal < base else 1.0
                for a in range(n_states):
                    come = done[before, j - 1, a] * share
                    if come > 0.0:
                        for b in range(n_states):
                            pair[b] += come * transition[a, b]
                for b in range(n_states):
                    pair[b] *= emission[b, s[i - 1]] * emission[b, t[j - 1]]
            down, right = 0.0, 0.0
            if above > -np.inf:
                down = inserted[s[i - 1]] * (math.exp(above - base) if above < base else 1.0)
            if beside > -np.inf:
                right = inserted[t[j - 1]] * (math.exp(beside - base) if beside < base else 1.0)
            largest = 0.0
            for b in range(n_states):
                value = pair[b]
                if down > 0.0:
                    value += down * some[before, j, b]
                some[now, j, b] = value
                if right > 0.0:
                    value += right * done[now, j - 1, b]
                done[now, j, b] = value
                largest = max(largest, value)
            if largest > SMALL:
                logs[now, j] = base
            elif largest > 0.0:
                for b in range(n_states):
                    some[now, j, b] /= largest
                    done[now, j, b] /= largest
                logs[now, j] = base + math.log(largest)
    last = len(s) % 2
    total = 0.0
    for b in range(n_states):
        total += done[last, width - 1, b]
    return logs[last, width - 1] + math.log(total) if total > 0.0 else -np.inf


@jit
def log_joint_block(
    left: IntArray,
    left_starts: IntArray,
    right: IntArray,
    right_starts: IntArray,
    transition: FloatArray,
    emission: FloatArray,
    inserted: FloatArray,
    diagonal: bool,
) -> FloatArray:
    """Logarithms for all strings on the left with all on the right, or only with their partners.

    Strings lie end to end; string i is ``left[left_starts[i]:left_starts[i + 1]]``.
    """
    rows = len(left_starts) - 1
    columns = 1 if diagonal else len(right_starts) - 1
    logs = np.empty((rows, columns))
    for i in range(rows):
        s = left[left_starts[i] : left_starts[i + 1]]
        for k in range(columns):
            j = i if diagonal else k
            t = right[right_starts[j] : right_starts[j + 1]]
            logs[i, k] = log_joint(s, t, transition, emission, inserted)
    return logs
