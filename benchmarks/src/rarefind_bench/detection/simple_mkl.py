"""SimpleMKL: the stored problem of twenty kernels, and the published table again.

The published table (Rakotomamonjy et al. 2008) takes Gaussians of ten widths and polynomials of
three degrees on all features and on each alone, unit trace, C = 100, 70 % for training, gap 0.01.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.precision import average_precision
from rarefind.core.progress import announce
from rarefind.detection.kernel.mkl import SimpleMKL
from rarefind.records.formats.by_ending import read_table
from rarefind_bench.datasets.location import VARIABLE, named_folder
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid

PUBLISHED = {
    "liver": (65.9, 11.2, 522),
    "pima": (76.5, 14.7, 314),
    "ionosphere": (91.5, 23.6, 1170),
    "wpbc": (76.7, 15.8, 618),
    "sonar": (80.6, 36.7, 2770),
}
"""Accuracy in percent, kernels kept and SVM solves, as printed."""

_SHIPPED = ("iris", "wine", "breast_cancer")
"""Sets that come with scikit-learn."""

_WIDTHS = (0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20)
"""Those of the paper, for all features and for each."""

_STORED_WIDTHS = (0.5, 1, 2, 3, 5, 7, 10, 12, 15, 17, 20, 25, 30)
"""Those of the stored problem."""


def mkl(plan: Plan) -> Findings:
    """Solve the stored problem with both solvers, and repeat the published table."""
    found = Findings(
        "SimpleMKL",
        "J is the objective, gap the certificate of how far it is from the best. The original "
        "toolbox needs 321 solves for gap .01 (J 38.29873) and 904 for .001 (J 38.16405).",
    )
    found.grids.append(_stored(plan))
    solvers = ["newton", *(["reduced-gradient"] if plan.large else [])]
    rows, notes = [], []
    names = plan.sets or (*_SHIPPED, *PUBLISHED)
    for place, name in enumerate(names):
        announce(f"published table, {name}", place, len(names))
        data = _load(name)
        if data is None:
            notes.append(f"{name} is left out: put {name}.parquet into the folder {VARIABLE} names")
            continue
        rows += [
            _table_row(name, *data, solver, plan.seeds or 5, plan.journal) for solver in solvers
        ]
    found.grids.append(
        Grid(
            "13 (d + 1) kernels, C = 100, gap 0.01",
            ("set", "solver", "accuracy %", "kernels", "solves", "CPU s", "as printed"),
            rows,
        )
    )
    found.notes = notes
    found.data = {
        grid.title: [dict(zip(grid.header, row, strict=True)) for row in grid.rows]
        for grid in found.grids
    }
    return found


def _stored(plan: Plan) -> Grid:
    from sklearn.datasets import load_breast_cancer
    from sklearn.svm import SVC

    X, y = load_breast_cancer(return_X_y=True)
    A, B, y, z = _split(X, y, 0)
    stack, new = _stored_stack(A, A), _stored_stack(B, A)
    begun = time.process_time()
    plain = SVC(kernel="precomputed", C=10.0).fit(stack.mean(axis=0), y)
    seconds = time.process_time() - begun
    a = plain.dual_coef_[0]
    inside = stack.mean(axis=0)[np.ix_(plain.support_, plain.support_)]
    objective = float(np.abs(a).sum() - a @ inside @ a / 2)
    scores = plain.decision_function(new.mean(axis=0))
    rows: list[tuple[object, ...]] = [
        ("SVC, equal weights", seconds, 1, f"{objective:.4f}", "", 20, *_quality(scores, z))
    ]
    solvers = [("newton", 1e-2), ("newton", 1e-3), ("reduced-gradient", 1e-2)]
    if plan.large:
        solvers.append(("reduced-gradient", 1e-3))
    for place, (solver, tol) in enumerate(solvers):
        announce(f"stored problem, {solver}", place, len(solvers))
        model = SimpleMKL(
            "precomputed", C=10.0, tol=tol, solver=solver, normalize=None, max_iter=1000
        )
        begun = time.process_time()
        model.fit(stack, y)
        rows.append(
            (
                f"{solver}, gap {tol:g}",
                time.process_time() - begun,
                model.n_svm_solves_,
                f"{model.objective_:.4f}",
                f"{model.duality_gap_:.1e}",
                int((model.weights_ > 0).sum()),
                *_quality(model.decision_function(new), z),
            )
        )
    return Grid(
        "Stored problem: breast_cancer, 398 records, 20 kernels, C = 10",
        ("method", "CPU s", "SVM solves", "J", "gap", "kernels", "accuracy", "AP"),
        rows,
    )


def _quality(scores: FloatArray, z: Any) -> tuple[str, str]:
    return f"{np.mean((scores > 0) == z):.4f}", f"{average_precision(z == 1, scores):.5f}"


def _table_row(
    name: str, X: FloatArray, y: Any, solver: str, splits: int, journal: Any
) -> tuple[object, ...]:
    played = np.array(
        [
            journal.result(["mkl", name, solver, seed], lambda seed=seed: _one(X, y, seed, solver))
            for seed in range(splits)
        ]
    )
    (accuracy, kept, solves, seconds), spread = played.mean(axis=0), played.std(axis=0)
    printed = PUBLISHED.get(name)
    return (
        name,
        solver,
        f"{accuracy:.1f} ± {spread[0]:.1f}",
        f"{kept:.1f} ± {spread[1]:.1f}",
        f"{solves:.0f}",
        f"{seconds:.1f}",
        "" if printed is None else " / ".join(map(str, printed)),
    )


def _one(X: FloatArray, y: Any, seed: int, solver: str) -> list[float]:
    A, B, y, z = _split(X, y, seed)
    stack = _published_stack(A, A)
    model = SimpleMKL(
        "precomputed", C=100.0, tol=0.01, solver=solver, normalize="trace", max_iter=500
    )
    begun = time.process_time()
    model.fit(stack, y)
    seconds = time.process_time() - begun
    accuracy = 100 * float(np.mean(model.predict(_published_stack(B, A)) == z))
    return [accuracy, float((model.weights_ > 0).sum()), float(model.n_svm_solves_), seconds]


def _split(X: Any, y: Any, seed: int) -> tuple[Any, Any, Any, Any]:
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    A, B, y, z = train_test_split(X, y, train_size=0.7, stratify=y, random_state=seed)
    scaler = StandardScaler().fit(A)
    return scaler.transform(A), scaler.transform(B), y, z


def _gaussian(A: FloatArray, B: FloatArray, width: float) -> FloatArray:
    from sklearn.metrics.pairwise import euclidean_distances

    return np.exp(-euclidean_distances(A, B, squared=True) / (2 * width**2))


def _polynomial(A: FloatArray, B: FloatArray, scale: float, degree: int) -> FloatArray:
    """Return a polynomial kernel of unit diagonal."""
    lengths = [((Z**2).sum(axis=1) / scale + 1) ** (degree / 2) for Z in (A, B)]
    return (A @ B.T / scale + 1) ** degree / np.outer(*lengths)


def _stored_stack(A: FloatArray, B: FloatArray) -> FloatArray:
    stack = [_gaussian(A, B, width) for width in _STORED_WIDTHS]
    stack += [_polynomial(A, B, 30, degree) for degree in (1, 2, 3)]
    parts = [slice(0, 10), slice(10, 20), slice(20, 30)]
    stack += [_polynomial(A[:, part], B[:, part], 10, 2) for part in parts]
    return np.array([*stack, _gaussian(A[:, :15], B[:, :15], np.sqrt(1 / 0.1))])


def _published_stack(A: FloatArray, B: FloatArray) -> FloatArray:
    """Return 13 (d + 1) kernels: on all features, then on each one alone."""
    d = A.shape[1]
    stack = np.empty((13 * (d + 1), len(A), len(B)))
    for block, columns in enumerate([slice(0, d), *(slice(j, j + 1) for j in range(d))]):
        P, Q = A[:, columns], B[:, columns]
        product = P @ Q.T + 1
        for number, width in enumerate(_WIDTHS):
            stack[13 * block + number] = _gaussian(P, Q, width)
        for degree in (1, 2, 3):
            stack[13 * block + 9 + degree] = product**degree
    return stack


def _load(name: str) -> tuple[Any, Any] | None:
    from sklearn import datasets

    if name in _SHIPPED:
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
        if name == "wine":
            return X, (y == 1).astype(int)
        return (X[y > 0], y[y > 0] - 1) if name == "iris" else (X, y)
    folder = named_folder()
    for path in (folder / f"{name}.parquet", folder / f"{name}.csv"):
        if path.exists():
            table = read_table(path)
            labels = np.array(table.words("label"))
            features = [column for title, column in table.columns.items() if title != "label"]
            return np.column_stack(features), np.unique(labels, return_inverse=True)[1]
    return None
