"""Kernels that count words read off a string through a pattern of places."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pieces.words import Layout, Vocabulary, rows_of_words
from rarefind.kernels.strings.shared import FeatureKernel


@dataclass(frozen=True)
class Pattern:
    """Places to read a word at, relative to a start that has ``reach`` letters to its right."""

    offsets: tuple[int, ...]
    reach: int
    weight: float = 1.0


class PatternKernel(FeatureKernel):
    """Counts words per pattern; patterns of one block count into the same columns."""

    @abstractmethod
    def _blocks(self, longest: int) -> Sequence[Sequence[Pattern]]:
        """All patterns, in blocks; those that reach beyond the longest string may be left out."""

    @abstractmethod
    def _readings(self, longest: int) -> int:
        """Words read per letter: the number of patterns."""

    def _expand(self, strings: Strings, layout: Layout, learn: bool) -> sparse.csr_array:
        parts = []
        for number, patterns in enumerate(self._blocks(strings.longest)):
            if learn:
                layout.vocabularies.append(Vocabulary(len(layout.letters)))
            parts.append(count_words(strings, patterns, layout.vocabularies[number], learn))
        return parts[0] if len(parts) == 1 else sparse.csr_array(sparse.hstack(parts, "csr"))

    def _feature_bytes(self, strings: Strings) -> int:
        return 60 * self._readings(strings.longest) * strings.codes.size

    def _feature_steps(self, strings: Strings, others: int) -> float:
        readings = float(self._readings(strings.longest) * strings.codes.size)
        blocks = self._blocks(strings.longest)
        words = len(blocks) * float(len(strings.letters)) ** len(blocks[0][0].offsets)
        dense = 0.1 * min(words, readings)
        # A sparse product meets pairs of equal words; letters are not equally frequent.
        by_pieces = 20.0 * (readings / max(len(strings), 1)) ** 2 / max(words, 1.0) + 1.0
        return 50.0 * readings + min(dense, by_pieces) * len(strings) * others


def count_words(
    strings: Strings, patterns: Sequence[Pattern], vocabulary: Vocabulary, learn: bool
) -> sparse.csr_array:
    """Weighted number of times every string holds every word."""
    row_of = strings.rows
    room = strings.starts[1:][row_of] - np.arange(strings.codes.size)
    places = [np.flatnonzero(room >= pattern.reach) for pattern in patterns]
    rows = np.concatenate([row_of[start] for start in places])
    letters: list[Any] = [
        np.concatenate(
            [
                strings.codes[start + pattern.offsets[number]]
                for start, pattern in zip(places, patterns, strict=True)
            ]
        )
        for number in range(len(patterns[0].offsets))
    ]
    weights = np.repeat(
        np.array([pattern.weight for pattern in patterns]), [start.size for start in places]
    )
    columns = vocabulary.columns(vocabulary.codes(letters, learn), learn)
    return rows_of_words(rows, columns, weights, (len(strings), len(vocabulary)))
