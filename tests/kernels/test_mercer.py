from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from rarefind.core.errors import DataError, ParameterError
from rarefind.kernels import Gaussian, Sigmoid, VectorSpace, check_mercer, mercer

X = np.random.default_rng(0).normal(size=(30, 3))


def test_a_kernel_passes():
    report = check_mercer(Gaussian(2.0), X)
    assert report.ok
    assert report.records == 30
    assert report.smallest == pytest.approx(np.linalg.eigvalsh(Gaussian(2.0)(X))[0], abs=1e-12)
    assert "Nothing speaks against it" in str(report)
    assert check_mercer(VectorSpace(), ["a dog", "a cat", "no dog"]).ok


def test_an_indefinite_kernel_is_found_out(monkeypatch):
    monkeypatch.setattr(Sigmoid, "warned", True)
    report = check_mercer(Sigmoid(scale=2.0, offset=-1.0), X)
    assert report.symmetric
    assert not report.ok
    assert report.smallest < -0.1
    assert "Not a kernel: its smallest eigenvalue" in str(report)


def test_an_asymmetric_matrix_is_found_out():
    report = check_mercer(np.array([[1.0, 0.5], [0.2, 1.0]]))
    assert not report.symmetric
    assert report.asymmetry == pytest.approx(0.3)
    assert "not symmetric" in report.verdict


def test_rounding_errors_are_forgiven_at_every_scale():
    for scale in (1e-12, 1.0, 1e12):
        gram = scale * (X @ X.T)
        assert check_mercer(
            gram + scale * 1e-12 * np.random.default_rng(1).normal(size=(30, 30))
        ).ok
        assert not check_mercer(gram - scale * 0.01 * np.eye(30)).ok


def test_large_matrices_are_sampled_but_looked_at_for_symmetry_as_a_whole(monkeypatch):
    monkeypatch.setattr(mercer, "MOST_RECORDS", 10)
    gram = X @ X.T
    gram[1, 2] += 1.0
    assert not check_mercer(gram).symmetric
    assert check_mercer(Gaussian(), X).records == 10


def test_reports_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        check_mercer(np.eye(2)).smallest = 3


def test_other_input_is_refused_in_words():
    with pytest.raises(ParameterError, match="'sample' parameter of check_mercer"):
        check_mercer(Gaussian())
    with pytest.raises(DataError, match=r"square matrix of similarities.*Got 2 x 3"):
        check_mercer(np.ones((2, 3)))
    with pytest.raises(DataError, match="check_mercer needs finite numbers"):
        check_mercer([[np.nan]])
