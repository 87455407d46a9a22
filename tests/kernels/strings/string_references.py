"""Slow, obvious definitions: list all features of both strings and multiply."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from math import prod

import numpy as np
from hypothesis import strategies as st

letters = st.text(alphabet="abc", max_size=7)
lists_of_strings = st.lists(letters, min_size=4, max_size=6)


def gram(features, left, right):
    rows, columns = [features(s) for s in left], [features(t) for t in right]
    return np.array(
        [[sum(a[u] * b[u] for u in a if u in b) for b in columns] for a in rows], dtype=float
    ).reshape(len(left), len(right))


def subsequences(s, length, weight):
    counts = Counter()
    for places in combinations(range(len(s)), length):
        counts[tuple(s[i] for i in places)] += weight(s, places)
    return counts


def spectrum(s, length):
    return Counter(tuple(s[i : i + length]) for i in range(len(s) - length + 1))


def blended(s, length, decay):
    return {u: n * decay**q for q in range(1, length + 1) for u, n in spectrum(s, q).items()}


def fixed(s, length):
    return subsequences(s, length, lambda s, places: 1)


def all_lengths(s):
    return sum((fixed(s, length) for length in range(len(s) + 1)), Counter())


def gap_weighted(s, length, decay):
    return subsequences(s, length, lambda s, places: decay ** (places[-1] - places[0] + 1))


def character_weighted(s, length, weights, default):
    def weight(s, places):
        return prod(weights.get(c, default) for c in s[places[0] : places[-1] + 1])

    return subsequences(s, length, weight)


def gap_number(s, length, decay):
    def weight(s, places):
        return decay ** sum(j > i + 1 for i, j in pairwise(places))

    return subsequences(s, length, weight)


def restricted(s, length, gaps, decay):
    def weight(s, places):
        span = places[-1] - places[0] + 1
        return decay**span if span <= length + gaps else 0.0

    return subsequences(s, length, weight)


def mismatch(s, length, mismatches, alphabet):
    pieces = [piece for piece in spectrum(s, length).elements() if set(piece) <= set(alphabet)]
    return {
        word: sum(
            sum(a != b for a, b in zip(word, piece, strict=True)) <= mismatches for piece in pieces
        )
        for word in product(alphabet, repeat=length)
    }


def gapped_kmer(s, window, length):
    counts = Counter()
    for start in range(len(s) - window + 1):
        for places in combinations(range(window), length):
            counts[places, tuple(s[start + i] for i in places)] += 1
    return counts


def soft_matching(left, right, length, decay, alike):
    def value(s, t):
        ours, theirs = gap_weighted(s, length, decay), gap_weighted(t, length, decay)
        return sum(
            a * b * prod(alike(x, y) for x, y in zip(u, v, strict=True))
            for u, a in ours.items()
            for v, b in theirs.items()
        )

    return np.array([[value(s, t) for t in right] for s in left])
