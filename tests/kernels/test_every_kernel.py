"""No kernel without a check: all registered names keep the promises of kernels."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import UnknownNameError
from rarefind.kernels import make_kernel, registry
from rarefind.kernels.vectors import Linear
from rarefind.testing import check_kernel

RNG = np.random.default_rng(0)
VECTORS = RNG.normal(size=(10, 3))
POSITIVE = RNG.uniform(0, 2, size=(10, 3))
STRINGS = ["gattaca", "gatt", "cata", "tagacat", "", "éåß", "acacac", "ttt", "gat", "catgat"]
EQUAL = ["gatc", "catg", "ttta", "gagc", "ccat", "attg"]
SETS = [{"a", "b"}, {"b"}, set(), {"a", "c", "d"}, {"d"}, {"a", "b", "c"}]
TEXTS = ["a cat sat", "the cat ran", "a dog ran far", "fish swim", "the dog sat", "fish far"]
TREES = [
    ("S", ("NP", "D", "N"), ("VP", "V")),
    ("S", ("NP", "N"), ("VP", "V")),
    ("NP", "D", "N"),
    ("S", ("NP", "D", "N"), ("VP", "V", "N")),
]
GRAPHS = [
    {"nodes": ["C", "C", "O"], "edges": [[0, 1], [1, 2]]},
    {"nodes": ["C", "N"], "edges": [[0, 1]]},
    {"nodes": ["C"], "edges": []},
    {"nodes": ["C", "C", "C", "O"], "edges": [[0, 1], [1, 2], [2, 0], [2, 3]]},
]
PAIR = np.array([[0.7, 0.3], [0.4, 0.6]])
EMIT = np.array([[0.4, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]])
CHAIN = {"initial": [0.5, 0.5], "transition": PAIR, "emission": EMIT, "alphabet": "acgt"}
PATH = np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1)

CASES = {
    "agreement": (SETS, {"universe": list("abcd")}),
    "all-subsequences": (STRINGS, {}),
    "all-subsets": (VECTORS, {}),
    "all-subtree": (TREES, {"decay": 0.8}),
    "anova": (VECTORS, {"degree": 2}),
    "blended-spectrum": (STRINGS, {"length": 2, "decay": 0.7}),
    "centered": (VECTORS, {"kernel": Linear()}),
    "character-weighted": (STRINGS, {"length": 2, "weights": {"a": 0.9}}),
    "co-rooted-subtree": (TREES, {}),
    "constant": (VECTORS, {"value": 2.0}),
    "cosine": (VECTORS, {}),
    "derived-subsets": (
        [VECTORS[:3], VECTORS[3:4], VECTORS[4:9], VECTORS[2:6]],
        {"kernel": Linear()},
    ),
    "exp": (VECTORS, {"kernel": Linear()}),
    "exponential-diffusion": (list(range(6)), {"graph": PATH, "decay": 0.3}),
    "fixed-length-hmm": (EQUAL, CHAIN),
    "fixed-subsequences": (STRINGS, {"length": 2}),
    "gap-number": (STRINGS, {"length": 2}),
    "gap-weighted": (STRINGS, {"length": 2}),
    "gapped-kmer": (STRINGS, {"window": 4, "length": 2}),
    "gaussian": (VECTORS, {"width": 1.5}),
    "hidden-tree": (EQUAL, {"parents": [-1, 0, 0, 1], **CHAIN}),
    "intersection": (SETS, {}),
    "laplacian": (VECTORS, {}),
    "latent-semantic": (TEXTS, {"rank": 2}),
    "linear": (VECTORS, {}),
    "markov-fisher": (EQUAL, {}),
    "mismatch": (STRINGS, {"length": 3, "mismatches": 1}),
    "multiple": (VECTORS, {"kernel": Linear(), "factor": 3.0}),
    "normalized": (VECTORS, {"kernel": Linear()}),
    "nystroem": (VECTORS, {"kernel": Linear(), "n_landmarks": 5}),
    "on": (VECTORS, {"column": 1, "kernel": Linear()}),
    "pair-hmm": (EQUAL, CHAIN),
    "path-sum": (VECTORS, {"edges": [("s", "t", Linear())], "source": "s", "sink": "t"}),
    "polynomial": (VECTORS, {"degree": 3}),
    "power": (VECTORS, {"kernel": Linear(), "degree": 2}),
    "precomputed": (list(range(10)), {"gram": VECTORS @ VECTORS.T}),
    "product": (VECTORS, {"left": Linear(), "right": Linear()}),
    "random-fourier": (VECTORS, {"n_waves": 40}),
    "random-polynomial": (VECTORS, {"n_features": 40}),
    "record-weighted": (VECTORS, {"kernel": Linear(), "weight": lambda A: np.abs(A[:, 0])}),
    "restricted-gap": (STRINGS, {"length": 2}),
    "shortest-path": (GRAPHS, {}),
    "sigmoid": (VECTORS, {"scale": 0.1}),
    "soft-matching": (STRINGS, {"length": 2, "similarity": {("a", "t"): 0.4}}),
    "spectrum": (STRINGS, {"length": 2}),
    "spline": (POSITIVE, {}),
    "subsets": (SETS, {}),
    "sum": (VECTORS, {"left": Linear(), "right": Linear()}),
    "union-complement": (SETS, {"universe": list("abcd")}),
    "vector-space": (TEXTS, {}),
    "von-neumann-diffusion": (list(range(6)), {"graph": PATH, "decay": 0.3}),
    "walk": (GRAPHS, {"decay": 0.05}),
    "weighted-degree": (STRINGS, {"length": 3}),
    "weisfeiler-lehman": (GRAPHS, {"depth": 2}),
    "circular": (GRAPHS, {"radius": 1}),
}


def test_no_kernel_is_forgotten():
    assert sorted(CASES) == registry.names()


@pytest.mark.filterwarnings("ignore::rarefind.core.errors.RarefindWarning")
@pytest.mark.parametrize("name", sorted(CASES))
def test_every_kernel_keeps_its_promises(name):
    records, parameters = CASES[name]
    kernel = make_kernel(name, **parameters).fit(records)
    check_kernel(kernel, records, semidefinite=name != "sigmoid")


def test_a_misspelt_parameter_is_answered_with_the_nearest():
    with pytest.raises(
        UnknownNameError, match=r"no parameter of Spectrum called 'lenght'.*'length'"
    ):
        make_kernel("spectrum", lenght=3)
