"""Newton's method for logistic regression in coordinates, with two classes or several."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import linalg
from scipy.special import expit, logsumexp, softmax

from rarefind.core.arrays import FloatArray, IntArray

_HALVINGS = 40
"""2**-40 of a Newton step is below what the loss can tell apart: then it is at its end."""


def fit_two_classes(
    Z: FloatArray,
    members: FloatArray,
    weights: FloatArray,
    regularization: float,
    *,
    intercept: bool,
    tol: float,
    max_iter: int,
    start: FloatArray | None = None,
) -> tuple[FloatArray, float, int, bool]:
    """Minimise ``Σ w log(1 + exp(-(2c - 1) f)) + λ/2 ‖b‖²`` for ``f = Z b + b0``, c 0 or 1.

    ``start`` holds coefficients and intercept to begin with. Returns the coefficients, the
    intercept (never penalised), the number of steps, and whether
    the loss could still fall by less than ``tol`` of itself at the end.
    """
    sign = 2.0 * members - 1.0
    ridge = np.full(Z.shape[1] + 1, regularization)
    ridge[-1] = 0.0

    def function(b: FloatArray) -> FloatArray:
        return Z @ b[:-1] + b[-1]

    def loss(b: FloatArray) -> float:
        return float(weights @ np.logaddexp(0.0, -sign * function(b)) + ridge @ b**2 / 2)

    b = np.zeros(Z.shape[1] + 1)
    if intercept:
        share = float(weights @ members / weights.sum())
        b[-1] = np.log(share / (1.0 - share))
    if start is not None and loss(start) < loss(b):
        b = start
    now, step = loss(b), 0
    for step in range(1, max_iter + 1):
        p = expit(function(b))
        residual = weights * (members - p)
        gradient = np.append(Z.T @ residual, residual.sum()) - ridge * b
        curvature = weights * p * (1.0 - p)
        scaled = Z * np.sqrt(curvature)[:, None]
        hessian = np.zeros((len(b), len(b)))
        hessian[:-1, :-1] = scaled.T @ scaled
        hessian[-1, :-1] = hessian[:-1, -1] = Z.T @ curvature
        hessian[-1, -1] = curvature.sum()
        hessian[np.diag_indices(len(b))] += ridge
        if not intercept:
            gradient[-1], hessian[-1, :], hessian[:, -1] = 0.0, 0.0, 0.0
        # Keeps the matrix invertible when all probabilities are as good as zero or one.
        hessian[-1, -1] += 1e-12 * max(1.0, hessian[-1, -1])
        direction = linalg.solve(hessian, gradient, assume_a="pos")
        fall = float(direction @ gradient) / 2
        b, now, moved = _halve(loss, b, direction, now)
        if fall <= tol * max(now, 1e-300) or not moved:
            return b[:-1], float(b[-1]), step, fall <= max(tol, 1e-12) * max(now, 1e-300)
    return b[:-1], float(b[-1]), step, False


def begin_on_a_part(
    Z: FloatArray,
    members: FloatArray,
    weights: FloatArray,
    regularization: float,
    *,
    intercept: bool,
    step: int,
) -> FloatArray:
    """Solve roughly with every ``step``-th record of the larger class, each counted that often.

    From there a few steps with all records reach the optimum.
    """
    larger = float(weights @ members) * 2 > float(weights.sum())
    common = np.flatnonzero(members == larger)
    counts = np.where(members == larger, 0.0, 1.0)
    counts[common[::step]] = len(common) / len(common[::step])
    rows = np.flatnonzero(counts)
    coef, offset, _, _ = fit_two_classes(
        Z[rows],
        members[rows],
        (weights * counts)[rows],
        regularization,
        intercept=intercept,
        tol=1e-4,
        max_iter=50,
    )
    return np.append(coef, offset)


def fit_classes(
    Z: FloatArray,
    numbers: IntArray,
    weights: FloatArray,
    regularization: float,
    *,
    intercept: bool,
    tol: float,
    max_iter: int,
) -> tuple[FloatArray, FloatArray, int, bool]:
    """Minimise ``Σ w (log Σ_c exp f_c - f_y) + λ/2 ‖B‖²`` for ``f = Z B + b0``.

    The Hessian of all classes together is too large to factor; Newton's equations are solved by
    conjugate gradients, which need it only times a vector.
    """
    n, r = Z.shape
    classes = int(numbers.max()) + 1
    augmented = np.hstack([Z, np.full((n, 1), 1.0 if intercept else 0.0)])
    ridge = np.full((r + 1, 1), regularization)
    ridge[-1] = 0.0
    target = np.eye(classes)[numbers]

    def loss(B: FloatArray) -> float:
        f = augmented @ B
        fit = logsumexp(f, axis=1) - f[np.arange(n), numbers]
        return float(weights @ fit + (ridge * B**2).sum() / 2)

    B = np.zeros((r + 1, classes))
    if intercept:
        B[-1] = np.log(weights @ target / weights.sum())
        B[-1] -= B[-1].mean()
    now, step = loss(B), 0
    for step in range(1, max_iter + 1):
        P = softmax(augmented @ B, axis=1)
        gradient = _centred(augmented.T @ (weights[:, None] * (target - P)) - ridge * B)
        WP = weights[:, None] * P

        def product(V: FloatArray, P: FloatArray = P, WP: FloatArray = WP) -> FloatArray:
            moved = augmented @ V
            mean = (P * moved).sum(axis=1, keepdims=True)
            return _centred(augmented.T @ (WP * (moved - mean)) + ridge * V)

        diagonal = (augmented**2).T @ (WP * (1.0 - P)) + ridge
        diagonal[-1] = diagonal[-1].mean()
        direction = _conjugate_gradients(product, gradient, np.maximum(diagonal, 1e-12))
        fall = float((direction * gradient).sum()) / 2
        B, now, moved = _halve(loss, B, direction, now)
        B = _centred(B)
        if fall <= tol * max(now, 1e-300) or not moved:
            return B[:-1], B[-1], step, fall <= max(tol, 1e-12) * max(now, 1e-300)
    return B[:-1], B[-1], step, False


def _centred(B: FloatArray) -> FloatArray:
    """Take out what changes nothing: the same number added to the intercepts of all classes."""
    B[-1] -= B[-1].mean()
    return B


def _halve(
    loss: Callable[[FloatArray], float], at: FloatArray, direction: FloatArray, now: float
) -> tuple[FloatArray, float, bool]:
    """Go along the direction, half as far each time the loss does not fall."""
    size = 1.0
    # At the optimum the loss no longer tells steps apart that still make it more exact.
    limit = now + 1e-13 * abs(now)
    for _ in range(_HALVINGS):
        there = at + size * direction
        value = loss(there)
        if value <= limit:
            return there, value, True
        size /= 2
    return at, now, False


def _conjugate_gradients(
    product: Callable[[FloatArray], FloatArray], right: FloatArray, diagonal: FloatArray
) -> FloatArray:
    """Solve ``H x = right`` for a positive semidefinite ``H`` known by its products."""
    x = np.zeros_like(right)
    residual = right.copy()
    z = residual / diagonal
    direction = z.copy()
    size = float((residual * z).sum())
    goal = 1e-20 * size
    for _ in range(max(50, min(2 * right.size, 2000))):
        if size <= goal:
            break
        image = product(direction)
        curvature = float((direction * image).sum())
        if curvature <= 0.0:
            break
        x += size / curvature * direction
        residual -= size / curvature * image
        z = residual / diagonal
        before, size = size, float((residual * z).sum())
        direction = z + size / before * direction
    return x
