"""A case of every kernel: how it is made, what it learns from, and what it is asked about."""

from __future__ import annotations

import numpy as np

from rarefind.kernels import Gaussian, Linear, Nystroem, On, Spectrum, make_kernel
from rarefind.kernels.algebra.nothing_found import NothingFound
from tests.detection.saved import records as r

STEP = np.array([[0.75, 0.25], [0.5, 0.5]])
EMIT = np.array([[0.5, 0.25, 0.125, 0.125], [0.125, 0.125, 0.25, 0.5]])
CHAIN = {"initial": [0.5, 0.5], "transition": STEP, "emission": EMIT, "alphabet": "acgt"}
PATH = np.diag(np.ones(5), 1) + np.diag(np.ones(5), -1)
WHOLE = {"universe": list("abcd")}
EDGES = [("s", "m", 1), ("s", "m", On(0, Linear())), ("m", "t", Gaussian(2.0))]

VECTORS, STRINGS = (r.VECTORS, r.QUERIES), (r.STRINGS, r.STRING_QUERIES)
EQUAL, SETS = (r.EQUAL, r.EQUAL_QUERIES), (r.SETS, r.SET_QUERIES)
TEXTS, TREES = (r.TEXTS, r.TEXT_QUERIES), (r.TREES, r.TREE_QUERIES)
GRAPHS, BAGS = (r.GRAPHS, r.GRAPH_QUERIES), (r.BAGS, r.BAG_QUERIES)
NODES, TABLE = (r.NODES, r.NODES[::2]), (r.TABLE, r.TABLE_QUERIES)

CASES = {
    "agreement": (SETS, WHOLE),
    "all-subsequences": (STRINGS, {}),
    "all-subsets": (VECTORS, {}),
    "all-subtree": (TREES, {"decay": 0.75}),
    "anova": (VECTORS, {"degree": 2}),
    "blended-spectrum": (STRINGS, {"length": 2, "decay": 0.75}),
    "centered": (VECTORS, {"kernel": Gaussian(2.0)}),
    "character-weighted": (STRINGS, {"length": 2, "weights": {"a": 0.75}}),
    "co-rooted-subtree": (TREES, {}),
    "constant": (VECTORS, {"value": 2.0}),
    "cosine": (VECTORS, {}),
    "derived-subsets": (BAGS, {"kernel": Gaussian(4.0)}),
    "exp": (VECTORS, {"kernel": Gaussian(2.0)}),
    "exponential-diffusion": (NODES, {"graph": PATH, "decay": 0.25}),
    "fixed-length-hmm": (EQUAL, CHAIN),
    "fixed-subsequences": (STRINGS, {"length": 2}),
    "gap-number": (STRINGS, {"length": 2}),
    "gap-weighted": (STRINGS, {"length": 2}),
    "gapped-kmer": (STRINGS, {"window": 4, "length": 2}),
    "gaussian": (VECTORS, {"width": 1.5}),
    "hidden-tree": (EQUAL, {"parents": [-1, 0, 0, 1], **CHAIN}),
    "intersection": (SETS, {"weights": {"a": 2.0, "b": 0.5}}),
    "laplacian": (VECTORS, {}),
    "latent-semantic": (TEXTS, {"rank": 2}),
    "linear": (VECTORS, {}),
    "markov-fisher": (EQUAL, {}),
    "mismatch": (STRINGS, {"length": 3, "mismatches": 1}),
    "multiple": (VECTORS, {"kernel": Linear(), "factor": 3.0}),
    "normalized": (STRINGS, {"kernel": Spectrum(2)}),
    "nystroem": (VECTORS, {"kernel": Gaussian(2.0), "n_landmarks": 5}),
    "on": (TABLE, {"column": "name", "kernel": Spectrum(2)}),
    "pair-hmm": (EQUAL, CHAIN),
    "path-sum": (VECTORS, {"edges": EDGES, "source": "s", "sink": "t"}),
    "polynomial": (VECTORS, {"degree": 3}),
    "power": (VECTORS, {"kernel": Linear(), "degree": 2}),
    "precomputed": (NODES, {"gram": r.VECTORS[:6] @ r.VECTORS[:6].T}),
    "product": (VECTORS, {"left": Linear(), "right": Gaussian(2.0)}),
    "random-fourier": (VECTORS, {"n_waves": 10}),
    "random-polynomial": (VECTORS, {"n_features": 10}),
    "restricted-gap": (STRINGS, {"length": 2}),
    "shortest-path": (GRAPHS, {}),
    "sigmoid": (VECTORS, {"scale": 0.125}),
    "soft-matching": (STRINGS, {"length": 2, "similarity": {("a", "t"): 0.5}}),
    "spectrum": (STRINGS, {"length": 2}),
    "spline": (VECTORS, {}),
    "subsets": (SETS, {}),
    "sum": (TABLE, {"left": On("name", Spectrum(2)), "right": On("amount", Gaussian(1.0))}),
    "union-complement": (SETS, WHOLE),
    "vector-space": (TEXTS, {"stop_words": ["the"], "ngram_range": (1, 2)}),
    "von-neumann-diffusion": (NODES, {"graph": PATH, "decay": 0.25}),
    "walk": (GRAPHS, {"decay": 0.0625}),
    "weighted-degree": (STRINGS, {"length": 2}),
    "weisfeiler-lehman": (GRAPHS, {"depth": 2}),
    "circular": (GRAPHS, {"radius": 1}),
}
"""By the names that ``make_kernel`` takes; "record-weighted" holds a function and is not saved."""


def all_kernels():
    """Give all kernels by name: what each learns from and is asked about, and itself."""
    found = {name: (data, make_kernel(name, **params)) for name, (data, params) in CASES.items()}
    texts = make_kernel("latent-semantic", rank=2, kernel=make_kernel("vector-space"))
    strings = 2.0 * make_kernel("normalized", kernel=Spectrum(2)) * Spectrum(3)
    return found | {
        "algebra": (STRINGS, strings + make_kernel("gap-weighted", length=2) ** 2),
        "nystroem-strings": (STRINGS, Nystroem(Spectrum(2), n_landmarks=4)),
        "centered-texts": (TEXTS, make_kernel("centered", kernel=texts)),
        "nothing-found": (STRINGS, NothingFound(make_kernel("normalized", kernel=Spectrum(2)))),
        "gaussian-of-texts": (TEXTS, Gaussian(1.0, kernel=texts)),
    }
