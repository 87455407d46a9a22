"""Newton's method on the kernel weights (Chapelle and Rakotomamonjy's second-order idea).

At the optimum of the machine the free support vectors say how the coefficients move when the
weights do, which gives the Hessian of the objective for one small linear solve. A quadratic
programme on the simplex then proposes new weights.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg, optimize

from rarefind.core.arrays import FloatArray
from rarefind.core.progress import announce
from rarefind.detection.kernel.mkl.inner_svm import InnerSvm, Solution

_HALVINGS = 30
"""2**-30 of a step changes weights by less than the 1e-8 below which they count as zero."""


def newton(machine: InnerSvm, start: FloatArray, tol: float, max_iter: int) -> Solution:
    """Minimise the objective over the simplex until the gap is below ``tol``."""
    now = machine.solve(start)
    for done in range(max_iter):
        announce("weighing kernels", done, max_iter)
        machine.n_steps = done + 1
        if now.gap <= tol:
            break
        target = minimise_on_simplex(hessian_at(machine, now), now.gradient, now.weights)
        there = _search(machine, now, target - now.weights)
        stuck = there is None or there.gap >= now.gap
        if there is not None:
            now = there
        if stuck and (machine.certifies(now, tol) or there is None):
            break
    return now


def _search(machine: InnerSvm, now: Solution, step: FloatArray) -> Solution | None:
    """Go along the step, half as far each time that does not lower the objective enough."""
    slope = float(now.gradient @ step)
    size = 1.0
    for _ in range(_HALVINGS):
        there = machine.solve(cleaned(now.weights + size * step))
        if there.objective <= now.objective + 1e-4 * size * slope or _no_worse(there, now):
            return there
        size /= 2
    return None


def _no_worse(there: Solution, now: Solution) -> bool:
    """Whether the objective is the same to rounding, and the certificate much better."""
    same = there.objective <= now.objective + 1e-9 * abs(now.objective)
    return same and there.gap < now.gap / 2


def cleaned(weights: FloatArray) -> FloatArray:
    """Set weights below 1e-8 to zero and let the others sum to one."""
    kept = np.where(weights < 1e-8, 0.0, weights)
    return kept / kept.sum()


def hessian_at(machine: InnerSvm, now: Solution) -> FloatArray:
    """Second derivatives of the objective by the weights."""
    hessian = np.zeros((len(now.weights),) * 2)
    for function in range(now.coef.shape[1]):
        size = np.abs(now.coef[:, function])
        free = np.flatnonzero((size > 1e-8 * machine.bounds) & (size < machine.bounds * (1 - 1e-8)))
        if len(free) < 2:
            continue
        active = np.flatnonzero(now.weights)
        gram = np.tensordot(now.weights[active], machine.stack[np.ix_(active, free, free)], axes=1)
        gram[np.diag_indices(len(free))] += 1e-10 * max(float(np.trace(gram)) / len(free), 1e-300)
        lower = linalg.cholesky(gram, lower=True, check_finite=False)
        moved = linalg.solve_triangular(lower, now.images[:, free, function].T, lower=True)
        level = linalg.solve_triangular(lower, np.ones(len(free)), lower=True)
        level /= np.linalg.norm(level)
        # The intercept lets the coefficients only move so that their sum stays zero.
        moved -= np.outer(level, level @ moved)
        hessian += moved.T @ moved
    return hessian


def minimise_on_simplex(hessian: FloatArray, gradient: FloatArray, at: FloatArray) -> FloatArray:
    """Minimise ``g'(d - at) + ½ (d - at)'H(d - at)`` over ``d >= 0`` with sum one.

    With ``R'R = H`` this is the shortest vector ``(R - c 1')d`` of a convex hull, and that is one
    non-negative least squares problem, because minimising ``‖B d‖² + s² (Σd - 1)²`` over ``d >= 0``
    scales the shortest vector but does not turn it.
    """
    size = len(at)
    # On the simplex a constant added to the gradient changes nothing; this one keeps it small.
    gradient = gradient - gradient @ at
    ridge = 1e-8 * float(np.trace(hessian)) / size + 1e-6 * float(np.abs(gradient).max()) + 1e-300
    upper = linalg.cholesky(hessian + ridge * np.eye(size), lower=False)
    centre = upper @ at - linalg.solve_triangular(upper.T, gradient, lower=True)
    points = upper - centre[:, None]
    scale = float(np.sqrt((points**2).sum() / size)) or 1.0
    system = np.vstack([points / scale, np.ones((1, size))])
    target = np.append(np.zeros(size), 1.0)
    weights, _ = optimize.nnls(system, target, maxiter=30 * size)
    return weights / weights.sum()
