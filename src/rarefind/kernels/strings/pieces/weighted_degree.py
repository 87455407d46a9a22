"""The weighted degree kernel: pieces that two strings have in the same place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np
from scipy import sparse

from rarefind.core.params import Constraint, Integer, OneOf
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.strings.letters import Strings
from rarefind.kernels.strings.pieces.words import Layout, Vocabulary, rows_of_words
from rarefind.kernels.strings.shared import FeatureKernel


class WeightedDegree(FeatureKernel):
    """Pieces of one to ``length`` letters that two strings have in the same place.

    A shared piece of q letters counts ``2 (p - q + 1) / (p (p + 1))`` with ``p = length`` (Rätsch
    and Sonnenburg, 2004). For windows cut out around something, such as a splice site or a place
    where a protein is cut: what matters there is which letter stands where.

    Parameters
    ----------
    length
        Letters of the longest piece.
    anchor
        Where places are counted from: ``"start"`` or ``"end"`` of each string. It makes no
        difference for strings of equal length.

    Attributes
    ----------
    alphabet_
        Letters seen by ``fit``, which also fixes the columns of ``features``.

    Examples
    --------
    >>> WeightedDegree(2)(["gatc", "catc"]).round(3)
    array([[3.667, 2.667],
           [2.667, 3.667]])
    >>> WeightedDegree(2, anchor="end")(["xgat"], ["gat"]).round(3)
    array([[2.667]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "length": [Integer(1, MOST_STEPS)],
        "anchor": [OneOf("start", "end")],
    }

    def __init__(self, length: int = 3, *, anchor: str = "start") -> None:
        self.length = length
        self.anchor = anchor

    def _reach(self) -> int:
        return 1

    def _expand(self, strings: Strings, layout: Layout, learn: bool) -> sparse.csr_array:
        everywhere = np.arange(strings.codes.size)
        ends = strings.starts[1:][strings.rows]
        from_start = everywhere - strings.starts[:-1][strings.rows]
        place = from_start if self.anchor == "start" else ends - everywhere - 1
        parts = []
        for letters in range(1, self.length + 1):
            if learn:
                # The place is the first letter of a word, so the base must hold it too.
                layout.vocabularies.append(Vocabulary(max(len(layout.letters), strings.longest)))
            vocabulary = layout.vocabularies[letters - 1]
            begins = np.flatnonzero(ends - everywhere >= letters)
            known = np.where(place[begins] < vocabulary.size, place[begins], -1)
            word = [known, *(strings.codes[begins + step] for step in range(letters))]
            columns = vocabulary.columns(vocabulary.codes(word, learn), learn)
            weight = 2.0 * (self.length - letters + 1) / (self.length * (self.length + 1))
            weights = np.full(len(begins), np.sqrt(weight))
            shape = (len(strings), len(vocabulary))
            parts.append(rows_of_words(strings.rows[begins], columns, weights, shape))
        return sparse.csr_array(sparse.hstack(parts, "csr"))

    def _feature_bytes(self, strings: Strings) -> int:
        return 60 * self.length * strings.codes.size
