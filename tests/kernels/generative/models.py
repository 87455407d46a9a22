"""Random generative models to test with."""

from __future__ import annotations

import numpy as np


def random_model(seed, n_states=2, n_symbols=2):
    """Probabilities of the first state, the next states and the symbols."""
    rng = np.random.default_rng(seed)
    return {
        "initial": rng.dirichlet(np.ones(n_states)),
        "transition": rng.dirichlet(np.ones(n_states), size=n_states),
        "emission": rng.dirichlet(np.ones(n_symbols), size=n_states),
        "alphabet": "abcd"[:n_symbols],
    }


def random_strings(seed, n_strings, lengths, alphabet="ab"):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(alphabet), size=rng.choice(lengths))) for _ in range(n_strings)]
