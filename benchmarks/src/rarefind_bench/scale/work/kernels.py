"""The cost of kernels against how many strings or graphs there are, and how long or large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from threadpoolctl import threadpool_limits

from rarefind.kernels import GapWeighted, Spectrum
from rarefind.kernels.graphs import Graph, WeisfeilerLehman
from rarefind_bench.kernels.graphs import for_grakel, random_graphs
from rarefind_bench.measuring.clocks import least_spent
from rarefind_bench.scale.work.made_up import made_up_strings

_DEPTH = 3
"""Rounds of relabelling, as in the kernel chosen for columns of graphs."""


def spectrum(what: Mapping[str, Any]) -> dict[str, Any]:
    """Compare all strings by their parts of four letters."""
    return _gram(Spectrum(4), _strings(what))


def spectrum_features(what: Mapping[str, Any]) -> dict[str, Any]:
    """Count the parts of four letters, which is all a linear model needs."""
    strings = _strings(what)
    return _timed(lambda: Spectrum(4).fit(strings).features(strings))


def gap_weighted(what: Mapping[str, Any]) -> dict[str, Any]:
    """Compare all strings by their subsequences of three letters."""
    return _gram(GapWeighted(3, 0.5), _strings(what))


def count_vectorizer(what: Mapping[str, Any]) -> dict[str, Any]:
    """Count n-grams and multiply, the nearest thing to a spectrum kernel one can install."""
    from sklearn.feature_extraction.text import CountVectorizer

    strings = _strings(what)

    def count_and_multiply() -> None:
        counts = CountVectorizer(analyzer="char", ngram_range=(4, 4)).fit_transform(strings)
        (counts @ counts.T).toarray()

    return _timed(count_and_multiply)


def weisfeiler_lehman(what: Mapping[str, Any]) -> dict[str, Any]:
    """Compare all graphs by the neighbourhoods of their nodes."""
    return _gram(WeisfeilerLehman(_DEPTH), _graphs(what))


def grakel(what: Mapping[str, Any]) -> dict[str, Any]:
    """Compare the same graphs with GraKeL."""
    from grakel.kernels import VertexHistogram
    from grakel.kernels import WeisfeilerLehman as TheirWeisfeilerLehman

    graphs = for_grakel(_graphs(what))
    return _timed(
        lambda: TheirWeisfeilerLehman(
            n_iter=_DEPTH, base_graph_kernel=VertexHistogram
        ).fit_transform(graphs)
    )


def _strings(what: Mapping[str, Any]) -> list[str]:
    return made_up_strings(int(what["strings"]), int(what["length"]))


def _graphs(what: Mapping[str, Any]) -> list[Graph]:
    return random_graphs(number=int(what["graphs"]), nodes=int(what["nodes"]))


def _gram(kernel: Any, records: Any) -> dict[str, Any]:
    kernel(records[:4])  # loads what is compiled
    return _timed(lambda: kernel(records))


def _timed(work: Callable[[], Any]) -> dict[str, Any]:
    with threadpool_limits(1):
        return {"kernel": least_spent(work).as_dict()}
