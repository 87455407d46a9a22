"""Every page of the lectures runs to its end, and prints what the lecture says."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

LECTURES = sorted((Path(__file__).parents[2] / "docs" / "gallery" / "lectures").glob("plot_*.py"))

SAID = {
    "plot_01_logistic_regression": ["Newton", "descent", "after 8 steps"],
    "plot_02_perceptron": ["mistakes, at most", "separated: True"],
    "plot_03_lda_and_pca": ["lambda 15.6569, w [0.9196 0.393 ]", "[[29.16, 21.6], [21.6, 16.0]]"],
    "plot_04_margins": ["VC dimension at most", "bound, not an estimate"],
    "plot_05_kernel_trick": ["[ 36.   4.]", "no negative eigenvalue"],
    "plot_06_mkl_weights": ["gap", "trainings of a machine"],
    "plot_07_coffee": ["LDA: 9", "by chance 20%"],
}


def test_every_lecture_is_here():
    assert {page.stem for page in LECTURES} == set(SAID)


@pytest.mark.parametrize("page", LECTURES, ids=lambda page: page.stem)
def test_a_page_runs_and_says_what_the_lecture_says(page, monkeypatch, capsys):
    pictures = []

    def show():
        pictures.append(plt.gcf())
        plt.close("all")

    monkeypatch.setattr(plt, "show", show)
    plt.switch_backend("Agg")
    runpy.run_path(str(page))
    printed = capsys.readouterr().out
    for words in SAID[page.stem]:
        assert words in printed
    assert pictures
