"""Small problems for strategies, and the published data sets."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from rarefind.discovery import Hunt
from rarefind.discovery.contract.priors import read_priors
from rarefind.discovery.contract.strategy import Problem
from rarefind.geometry import vector_space
from tests.outside import outside


@st.composite
def grids(draw, low=6, high=20, span=4):
    """Points of a grid: many ties, many copies, distances that are exact in any order."""
    n = draw(st.integers(low, high))
    cells = draw(st.lists(st.tuples(*[st.integers(0, span)] * 2), min_size=n, max_size=n))
    X = np.array(cells, dtype=float)
    X[0], X[1] = [0, 0], [0, 1]
    return X


@st.composite
def clouds(draw, low=6, high=20, copies=True):
    """Points without ties, some of them with copies."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    n = draw(st.integers(low, high))
    X = rng.normal(size=(n, 2)) * [1.0, 3.0]
    return X[rng.integers(0, n, size=n + 3)] if copies else X


def problem(X, priors=None, seed=0):
    space = vector_space(X, scale="none")
    priority = np.random.default_rng(seed).permutation(len(X))
    return Problem(space, read_priors(priors, len(X)), priority)


def rows_asked(X, labels, strategy, budget, *, priors=None, seed=0):
    """Rows in the order a hunt asks them, features as they are, "ordinary" being ordinary."""
    hunt = Hunt(
        X,
        strategy,
        priors=priors,
        background="ordinary",
        random_state=seed,
        scale="none",
    )
    for _ in range(min(budget, len(X))):
        row = hunt.ask().row
        hunt.tell(row, labels[row])
    return list(hunt.labels)


def priority_of(n, seed=0):
    return np.random.default_rng(seed).permutation(n)


def fresh(D, picks):
    """Rows not asked, copies of asked ones only when nothing else is left."""
    free = [j for j in range(len(D)) if j not in picks]
    return [j for j in free if not any(D[j, q] == 0 for q in picks)] or free


def published(name):
    """A data set of the thesis as printed there: features and classes."""
    import pyarrow.parquet

    file = outside("RAREFIND_DATA", f"{name}.parquet")
    table = pyarrow.parquet.read_table(file).to_pydict()
    labels = np.array([str(label) for label in table.pop("label")])
    if name == "ecoli":
        labels[np.isin(labels, ["omL", "imL", "imS"])] = "the rest"
    return np.array(list(table.values()), dtype=float).T, labels


def true_priors(labels):
    names, sizes = np.unique(labels, return_counts=True)
    largest = names[np.argmax(sizes)]
    return {
        name: size / len(labels)
        for name, size in zip(names.tolist(), sizes, strict=True)
        if name != largest
    }
