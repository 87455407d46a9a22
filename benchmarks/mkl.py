"""SimpleMKL: the stored problem of twenty kernels, and the published table again.

    python benchmarks/mkl.py [--splits 5] [--sets iris,wine,...] [--published-solver]

The published table (Rakotomamonjy et al. 2008) takes Gaussians of ten widths and polynomials of
three degrees on all features and on each alone, unit trace, C = 100, 70 % for training, gap 0.01.
Its sets (liver, pima, ionosphere, wpbc, sonar) are read from RAREFIND_DATA as NAME.parquet, or as
NAME.csv with the class in the last column, when they are there.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.metrics import average_precision_score
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from rarefind.detection.mkl import SimpleMKL

PUBLISHED = {
    "liver": (65.9, 11.2, 522),
    "pima": (76.5, 14.7, 314),
    "ionosphere": (91.5, 23.6, 1170),
    "wpbc": (76.7, 15.8, 618),
    "sonar": (80.6, 36.7, 2770),
}
WIDTHS = (0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20)


def gaussian(A, B, width):
    return np.exp(-euclidean_distances(A, B, squared=True) / (2 * width**2))


def polynomial(A, B, scale, degree):
    """Unit-diagonal polynomial kernel."""
    lengths = [((Z**2).sum(axis=1) / scale + 1) ** (degree / 2) for Z in (A, B)]
    return (A @ B.T / scale + 1) ** degree / np.outer(*lengths)


def stored_stack(A, B):
    stack = [gaussian(A, B, w) for w in (0.5, 1, 2, 3, 5, 7, 10, 12, 15, 17, 20, 25, 30)]
    stack += [polynomial(A, B, 30, degree) for degree in (1, 2, 3)]
    parts = [slice(0, 10), slice(10, 20), slice(20, 30)]
    stack += [polynomial(A[:, part], B[:, part], 10, 2) for part in parts]
    return np.array([*stack, gaussian(A[:, :15], B[:, :15], np.sqrt(1 / 0.1))])


def stored_problem():
    X, y = load_breast_cancer(return_X_y=True)
    A, B, y, z = train_test_split(X, y, test_size=0.3, stratify=y, random_state=0)
    scaler = StandardScaler().fit(A)
    A, B = scaler.transform(A), scaler.transform(B)
    stack, new = stored_stack(A, A), stored_stack(B, A)
    print("stored problem: breast_cancer, 398 records, 20 kernels, C=10")
    print(
        "original toolbox (Octave): gap .01 321 solves J 38.29873; gap .001 904 solves J 38.16405"
    )
    print(
        f"{'method':30} {'seconds':>8} {'solves':>6} {'J':>10} {'gap':>8} {'kernels':>7}  acc    AP"
    )
    began = time.process_time()
    plain = SVC(kernel="precomputed", C=10.0).fit(stack.mean(axis=0), y)
    seconds = time.process_time() - began
    scores = plain.decision_function(new.mean(axis=0))
    a = plain.dual_coef_[0]
    inside = stack.mean(axis=0)[np.ix_(plain.support_, plain.support_)]
    row(
        "SVC, uniform weights",
        seconds,
        1,
        np.abs(a).sum() - a @ inside @ a / 2,
        None,
        20,
        scores,
        z,
    )
    for solver, tol in (
        ("newton", 1e-2),
        ("newton", 1e-3),
        ("reduced-gradient", 1e-2),
        ("reduced-gradient", 1e-3),
    ):
        model = SimpleMKL(
            "precomputed", C=10.0, tol=tol, solver=solver, normalize=None, max_iter=1000
        )
        began = time.process_time()
        model.fit(stack, y)
        seconds = time.process_time() - began
        kept = int((model.weights_ > 0).sum())
        scores = model.decision_function(new)
        name = f"{solver}, gap {tol:g}"
        row(
            name,
            seconds,
            model.n_svm_solves_,
            model.objective_,
            model.duality_gap_,
            kept,
            scores,
            z,
        )


def row(name, seconds, solves, objective, gap, kept, scores, z):
    accuracy, precision = np.mean((scores > 0) == z), average_precision_score(z, scores)
    shown = "" if gap is None else f"{gap:.1e}"
    print(
        f"{name:30} {seconds:8.2f} {solves:6d} {objective:10.4f} {shown:>8} {kept:7d}  "
        f"{accuracy:.4f} {precision:.5f}",
        flush=True,
    )


def published_stack(A, B):
    """13 (d + 1) kernels: all features, then each one alone."""
    d = A.shape[1]
    stack = np.empty((13 * (d + 1), len(A), len(B)))
    for block, columns in enumerate([slice(0, d), *(slice(j, j + 1) for j in range(d))]):
        P, Q = A[:, columns], B[:, columns]
        square, product = euclidean_distances(P, Q, squared=True), P @ Q.T + 1
        for number, width in enumerate(WIDTHS):
            np.exp(-square / (2 * width**2), out=stack[13 * block + number])
        for degree in (1, 2, 3):
            stack[13 * block + 9 + degree] = product**degree
    return stack


def load_set(name):
    if name == "breast_cancer":
        return load_breast_cancer(return_X_y=True)
    if name == "wine":
        X, y = load_wine(return_X_y=True)
        return X, (y == 1).astype(int)
    if name == "iris":
        X, y = load_iris(return_X_y=True)
        return X[y > 0], y[y > 0] - 1
    folder = Path(os.environ.get("RAREFIND_DATA", "../shared/datasets"))
    if (folder / f"{name}.parquet").exists():
        import pandas as pd

        table = pd.read_parquet(folder / f"{name}.parquet")
        X, labels = table.drop(columns=["label"]).to_numpy(float), table["label"].astype(str)
    elif (folder / f"{name}.csv").exists():
        lines = (folder / f"{name}.csv").read_text().split()
        cells = [line.split(",") for line in lines]
        X = np.array([line[:-1] for line in cells], dtype=float)
        labels = np.array([line[-1] for line in cells])
    else:
        return None
    return X, np.unique(labels, return_inverse=True)[1]


def published_table(names, splits, solvers):
    print("\npublished table: 13 (d + 1) kernels of unit trace, C=100, 70 % training, gap 0.01")
    print(
        f"{'set':14} {'n':>4} {'M':>4} {'solver':17} {'accuracy':>11} {'kernels':>10} "
        f"{'solves':>8} {'seconds':>8}   published acc / kernels / solves"
    )
    for name in names:
        data = load_set(name)
        if data is None:
            print(f"{name:14} no data", flush=True)
            continue
        X, y = data
        for solver in solvers:
            found = np.array([one_split(X, y, seed, solver) for seed in range(splits)])
            (accuracy, kept, solves, seconds), spread = found.mean(axis=0), found.std(axis=0)
            known = PUBLISHED.get(name)
            shown = "" if known is None else f"{known[0]} / {known[1]} / {known[2]}"
            n, kernels = int(0.7 * len(X)), 13 * (X.shape[1] + 1)
            print(
                f"{name:14} {n:4d} {kernels:4d} {solver:17} {accuracy:5.1f} ± {spread[0]:3.1f} "
                f"{kept:5.1f} ± {spread[1]:3.1f} {solves:8.0f} {seconds:8.1f}   {shown}",
                flush=True,
            )


def one_split(X, y, seed, solver):
    A, B, y, z = train_test_split(X, y, train_size=0.7, stratify=y, random_state=seed)
    scaler = StandardScaler().fit(A)
    A, B = scaler.transform(A), scaler.transform(B)
    model = SimpleMKL(
        "precomputed", C=100.0, tol=0.01, solver=solver, normalize="trace", max_iter=500
    )
    stack = published_stack(A, A)
    began = time.process_time()
    model.fit(stack, y)
    seconds = time.process_time() - began
    accuracy = 100 * np.mean(model.predict(published_stack(B, A)) == z)
    return accuracy, (model.weights_ > 0).sum(), model.n_svm_solves_, seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--sets", default=",".join(["iris", "wine", "breast_cancer", *PUBLISHED]))
    parser.add_argument(
        "--published-solver", action="store_true", help="the reduced gradient too (minutes)"
    )
    chosen = parser.parse_args()
    stored_problem()
    solvers = ["newton"] + ["reduced-gradient"] * chosen.published_solver
    published_table(chosen.sets.split(","), chosen.splits, solvers)
