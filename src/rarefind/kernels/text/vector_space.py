"""Texts as bags of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import BOOLEAN, CALLABLE, NOTHING, Constraint, Integer, Is, OneOf
from rarefind.kernels.contract import Features, Kernel
from rarefind.kernels.reference import dense
from rarefind.kernels.vectors.shared import squared_norms

_RANGE = Is(
    "a pair of whole numbers, the shortest and the longest run of words",
    lambda value: (
        isinstance(value, tuple)
        and len(value) == 2
        and all(Integer(1).allows(one) for one in value)
        and value[0] <= value[1]
    ),
)
"""As scikit-learn's vectorizers take it."""


class VectorSpace(Kernel):
    """``Σ w² tf tf'``: words two texts share, rare ones counting more.

    It learns its words and their weights, ``w = ln((1 + texts) / (1 + texts with the word)) + 1``,
    from texts; words not met there are passed over. Counting is done by scikit-learn.

    Parameters
    ----------
    idf
        Whether rare words count more; if not, all count the same.
    normalize
        Whether every text has length one, so that long texts are not similar to everything.
    ngram_range
        Shortest and longest run of words that is counted.
    analyzer
        "word", "char", "char_wb" (letters within words), or a function from a text to its words.
    lowercase
        Whether capital letters are made small first.
    stop_words
        Words to pass over: a list, or "english".
    min_df
        How many texts must hold a word for it to be counted.
    sublinear
        Whether a word that occurs tf times counts as ``1 + ln(tf)`` instead of tf times.

    Attributes
    ----------
    vectorizer_
        scikit-learn's vectoriser with the words and weights learnt.

    Examples
    --------
    >>> texts = ["the cat sat", "the cat ran", "stock prices fell"]
    >>> VectorSpace()(texts).round(2)
    array([[1.  , 0.54, 0.  ],
           [0.54, 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    """

    _learns = True
    _fixed_columns = True
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "idf": [BOOLEAN],
        "sublinear": [BOOLEAN],
        "normalize": [BOOLEAN],
        "ngram_range": [_RANGE],
        "analyzer": [OneOf("word", "char", "char_wb"), CALLABLE],
        "lowercase": [BOOLEAN],
        "stop_words": [
            OneOf("english"),
            Is("a list of words", lambda value: isinstance(value, list | tuple)),
            NOTHING,
        ],
        "min_df": [Integer(1)],
    }

    def __init__(
        self,
        *,
        idf: bool = True,
        normalize: bool = True,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: str | Callable[[str], Iterable[str]] = "word",
        lowercase: bool = True,
        stop_words: str | Sequence[str] | None = None,
        min_df: int = 1,
        sublinear: bool = False,
    ) -> None:
        self.idf = idf
        self.normalize = normalize
        self.ngram_range = ngram_range
        self.analyzer = analyzer
        self.lowercase = lowercase
        self.stop_words = stop_words
        self.min_df = min_df
        self.sublinear = sublinear

    @property
    def gives_unit_length(self) -> bool:
        """Whether every record has length one, or zero if the kernel finds nothing in it."""
        return self.normalize

    def _learn(self, A: Records) -> None:
        self._refuse_none(A)
        stop_words = (
            list(self.stop_words) if isinstance(self.stop_words, tuple) else self.stop_words
        )
        vectorizer = TfidfVectorizer(
            use_idf=self.idf,
            norm="l2" if self.normalize else None,
            ngram_range=self.ngram_range,
            analyzer=self.analyzer,
            lowercase=self.lowercase,
            stop_words=stop_words,
            min_df=self.min_df,
            sublinear_tf=self.sublinear,
            dtype=np.float64,
        )
        try:
            self.vectorizer_ = vectorizer.fit(read_texts(A, type(self).__name__))
        except ValueError as problem:
            if isinstance(problem, DataError):
                raise
            raise DataError(
                f"VectorSpace found no words to count in these texts ({problem}). "
                "Pass texts with words, or change 'analyzer', 'stop_words' or 'min_df'."
            ) from None

    def _read(self, A: Records) -> sparse.csr_array:
        texts = read_texts(A, type(self).__name__)
        if not texts:
            return sparse.csr_array((0, len(self.vectorizer_.vocabulary_)))
        return sparse.csr_array(self.vectorizer_.transform(texts))

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        return dense(left @ (left if right is None else right).T)

    def _diag(self, left: Any) -> FloatArray:
        return squared_norms(left)

    def _features(self, A: Records) -> Features:
        return self._read(A)


def read_texts(A: Records, owner: str) -> list[str]:
    """Check that every record is a text."""
    if isinstance(A, str | bytes) or not isinstance(A, Iterable):
        raise DataError(
            f"{owner} needs a list of texts, one per record. Got {type(A).__name__} instead."
        )
    texts = list(A)
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise DataError(
                f"{owner} needs texts. Record {row} is {text!r:.60}, a {type(text).__name__}."
            )
    return texts
