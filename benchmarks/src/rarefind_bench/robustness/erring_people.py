"""Answers of people who err, and of several of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.robustness.cases import Case


def wrong_answers(labels: Sequence[str], noise: float, seed: int) -> list[str]:
    """Return the labels with this share of them replaced by another class at random.

    >>> wrong_answers(["a", "b", "a", "b"], noise=1.0, seed=0)
    ['b', 'a', 'b', 'a']
    """
    rng = np.random.default_rng(seed)
    classes = sorted(set(labels))
    place = {name: number for number, name in enumerate(classes)}
    wrong = rng.random(len(labels)) < noise
    moved = rng.integers(1, max(len(classes), 2), len(labels))
    return [
        classes[(place[label] + int(step)) % len(classes)] if errs else label
        for label, errs, step in zip(labels, wrong, moved, strict=True)
    ]


def agreed_answers(labels: Sequence[str], noise: float, seed: int, people: int) -> list[str]:
    """Return what several people who each err now and then agree on, as a hunt counts it.

    >>> agreed_answers(["a", "b"], noise=0.0, seed=0, people=3)
    ['a', 'b']
    """
    said = [wrong_answers(labels, noise, seed + 1000 * turn) for turn in range(people)]
    return [Counter(words).most_common(1)[0][0] for words in zip(*said, strict=True)]


def answers(drawn: LabelledSet, case: Case, seed: int) -> list[str]:
    """Return what is said about every record of a draw in a case."""
    said = agreed_answers(drawn.labels, case.noise, seed, case.people)
    if not case.overlooked:
        return said
    ordinary = drawn.background
    return [
        true if true in (word, ordinary) else ordinary
        for true, word in zip(drawn.labels, said, strict=True)
    ]
