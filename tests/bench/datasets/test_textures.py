from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rarefind_bench.datasets import textures
from rarefind_bench.discovery.printed_in_papers import IMAGE
from rarefind_bench.discovery.random_sampling import random_labels


def test_random_sampling_needs_about_what_is_printed_for_it():
    needed = random_labels(list(textures.SIZES.values()), textures.TOTAL)
    for ours, printed in zip(needed, IMAGE["random"], strict=True):
        assert ours == pytest.approx(printed, rel=0.06)


def test_a_picture_has_as_many_features_as_the_papers_and_they_can_be_trusted():
    drawn = textures.picture("stripes", np.random.default_rng(0))
    features = textures.described(drawn)
    assert features.shape == (244,)
    assert features[0] == pytest.approx(drawn[:2, :2].mean())
    assert features[196:228].sum() == pytest.approx(1.0)
    assert features[228:].sum() == pytest.approx(1.0)


def test_the_set_has_the_papers_size_and_the_same_seed_draws_the_same(monkeypatch):
    monkeypatch.setattr(textures, "TOTAL", 600)
    drawn, again = textures.textures(1), textures.textures(1)
    sizes = Counter(drawn.labels)
    assert {name: sizes[name] for name in textures.SIZES} == textures.SIZES
    assert len(drawn.labels) == 600
    np.testing.assert_array_equal(drawn.records, again.records)
