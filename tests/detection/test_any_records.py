"""The same learners on strings, texts and graphs, through kernels."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

import rarefind as rf
from rarefind.kernels import (
    GapWeighted,
    LatentSemantic,
    Normalized,
    Spectrum,
    VectorSpace,
    WeisfeilerLehman,
)

RNG = np.random.default_rng(0)


def word(letters):
    return "".join(RNG.choice(list(letters), 12))


def ring(size):
    return {"nodes": ["C"] * size, "edges": [[i, (i + 1) % size] for i in range(size)]}


def star(size):
    return {"nodes": ["C"] * size, "edges": [[0, i] for i in range(1, size)]}


def text(topics):
    return " ".join(RNG.choice(topics, 8))


ORDINARY = ["price", "offer", "sale", "shop", "order"]
RARE = ["gene", "cell", "protein", "enzyme", "order"]
RECORDS = {
    "strings": (
        [word("aab") for _ in range(30)] + [word("abb") for _ in range(8)],
        Normalized(GapWeighted(2, 0.5)),
    ),
    "graphs": (
        [ring(int(size)) for size in RNG.integers(4, 9, 30)]
        + [star(int(size)) for size in RNG.integers(4, 9, 8)],
        Normalized(WeisfeilerLehman(2)),
    ),
    "texts": (
        [text(ORDINARY) for _ in range(30)] + [text(RARE) for _ in range(8)],
        LatentSemantic(rank=3, kernel=VectorSpace()),
    ),
}
Y = np.array([0] * 30 + [1] * 8)


def learners(kernel):
    return [
        rf.Lago(kernel=kernel),
        rf.Lago("sphere", profile="cosine", kernel=kernel),
        rf.KernelPerceptron(kernel),
        rf.KernelLogisticRegression(kernel),
        rf.KernelFisherDiscriminant(kernel),
        rf.KernelMachine(kernel, SVC(kernel="precomputed", C=10.0)),
        rf.SimpleMKL(kernels=[kernel, kernel**2], C=10.0),
    ]


@pytest.mark.parametrize("kind", RECORDS)
def test_every_learner_ranks_any_records(kind):
    records, kernel = RECORDS[kind]
    train, test = slice(0, None, 2), slice(1, None, 2)
    for model in learners(kernel):
        model.fit(records[train], Y[train])
        scores = np.asarray(model.decision_function(records[test]), dtype=float)
        assert np.isfinite(scores).all()
        quality = rf.evaluation.average_precision(Y[test], scores)
        assert quality > 0.6, f"{type(model).__name__} on {kind}: {quality}"


def test_lago_on_texts_is_its_definition_in_the_latent_semantic_space():
    texts, kernel = RECORDS["texts"]
    known, queries = texts[:30] + texts[30:34], texts[34:] + texts[:5]
    y = [0] * 30 + [1] * 4
    model = rf.Lago("sphere", profile="cosine", alpha=0.8, n_neighbors=3, kernel=kernel)
    scores = model.fit(known, y).votes(queries)
    fitted = kernel.fit(known)
    places = np.asarray(fitted.features(known + queries))
    unit = places / np.linalg.norm(places, axis=1, keepdims=True)
    background, centres, asked = unit[:30], unit[30:34], unit[34:]

    def angle(u, v):
        return np.arccos(np.clip(u @ v, -1.0, 1.0))

    radii = [
        np.sort([angle(centre, other) for other in background])[:3].mean() for centre in centres
    ]
    floor = 1e-3 * np.median(radii)
    slow = []
    for query in asked:
        votes = []
        for centre, radius in zip(centres, radii, strict=True):
            z = angle(query, centre) / (0.8 * max(radius, floor))
            votes.append(np.cos(z) if z < np.pi / 2 else 0.0)
        slow.append(np.mean(votes))
    np.testing.assert_allclose(scores, slow, atol=1e-6)


def test_a_mixed_record_is_compared_part_by_part():
    import pandas as pd

    strings, _ = RECORDS["strings"]
    table = pd.DataFrame(
        {"name": strings, "amount": np.r_[RNG.normal(0, 1, 30), RNG.normal(4, 1, 8)]}
    )
    kernel = rf.kernels.On("name", Spectrum(2)) + rf.kernels.On("amount", rf.kernels.Gaussian(1.0))
    model = rf.SimpleMKL(kernels=kernel, C=1.0).fit(table, Y)
    assert sum(model.weights_) == pytest.approx(1.0)
    assert len(model.weights_table()) == 2
