"""LAGO written out as in the text, one pair at a time."""

from __future__ import annotations

import numpy as np


def profile_value(name, z):
    if name == "gaussian":
        return float(np.exp(-z * z / 2))
    if name == "triangular":
        return max(0.0, 1.0 - z)
    if name == "uniform":
        return float(z <= 1.0)
    return float(np.cos(z)) if z < np.pi / 2 else 0.0


def angle(x, z):
    if not np.any(x) or not np.any(z):
        return np.pi / 2
    u, v = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return float(2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v)))


def distance(x, z):
    return float(np.linalg.norm(np.asarray(x) - np.asarray(z)))


def floored(radii):
    return np.maximum(radii, 1e-3 * np.median(radii))


def slow_lago(X1, X0, queries, *, k, alpha, profile, measure=distance):
    """Scores with one radius per example."""
    radii = floored(np.array([np.mean(sorted(measure(x, w) for w in X0)[:k]) for x in X1]))
    return np.array(
        [
            np.mean(
                [
                    profile_value(profile, measure(q, x) / (alpha * r))
                    for x, r in zip(X1, radii, strict=True)
                ]
            )
            for q in queries
        ]
    )


def slow_elementwise_lago(X1, X0, queries, *, k, alpha, profile):
    """Scores with one radius per example and feature."""
    radii = []
    for x in X1:
        nearest = sorted(X0, key=lambda w: distance(x, w))[:k]
        radii.append(np.mean([np.abs(x - w) for w in nearest], axis=0))
    radii = np.apply_along_axis(floored, 0, np.array(radii))
    return np.array(
        [
            np.mean(
                [
                    np.prod([profile_value(profile, abs(z)) for z in (q - x) / (alpha * r)])
                    for x, r in zip(X1, radii, strict=True)
                ]
            )
            for q in queries
        ]
    )


def slow_leave_one_out(X1, X0, *, k, alpha, profile, measure=distance):
    """Scores of the rare records without their own vote, and of the background.

    A background record is scored as if it had not been known when the radii were measured.
    """
    own, others = [], []
    for i, x in enumerate(X1):
        rest = np.delete(X1, i, axis=0)
        radii = [np.mean(sorted(measure(c, w) for w in X0)[:k]) for c in rest]
        own.append(
            np.mean(
                [
                    profile_value(profile, measure(x, c) / (alpha * r))
                    for c, r in zip(rest, radii, strict=True)
                ]
            )
        )
    for i, w in enumerate(X0):
        rest = np.delete(X0, i, axis=0)
        radii = [np.mean(sorted(measure(c, v) for v in rest)[:k]) for c in X1]
        others.append(
            np.mean(
                [
                    profile_value(profile, measure(w, c) / (alpha * r))
                    for c, r in zip(X1, radii, strict=True)
                ]
            )
        )
    return np.array(own), np.array(others)
