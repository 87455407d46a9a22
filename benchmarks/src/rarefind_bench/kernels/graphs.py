"""How fast the graph kernels are beside GraKeL's, and whether the numbers agree."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from rarefind.core.progress import announce
from rarefind.kernels.graphs import Graph, ShortestPath, Walk, WeisfeilerLehman
from rarefind_bench.measuring.turns import cpu_seconds, verdict
from rarefind_bench.tables_and_charts import Grid

N_GRAPHS, N_NODES, N_EDGES, N_LABELS = 200, 20, 20.6, 7
"""About as many molecules, atoms, bonds and elements as the small sets that graph kernels are
compared on."""

_FEW = 10
"""GraKeL needs minutes for labelled walks between all graphs."""

MISSING = "GraKeL is left out: it is not installed (pip install grakel)"
"""Said instead of a column."""


def random_graphs(seed: int = 0, number: int = N_GRAPHS, nodes: int = N_NODES) -> list[Graph]:
    """Draw molecule-size graphs: a random tree plus a few rings."""
    rng = np.random.default_rng(seed)
    graphs = []
    for _ in range(number):
        edges = {(int(rng.integers(max(0, i - 4), i)), i) for i in range(1, nodes)}
        target = nodes - 1 + rng.poisson(N_EDGES - N_NODES + 1)
        while len(edges) < target:
            i, j = sorted(int(node) for node in rng.choice(nodes, 2, replace=False))
            edges.add((i, j))
        labels = [int(label) for label in rng.integers(N_LABELS, size=nodes)]
        graphs.append(Graph(labels, sorted(edges)))
    return graphs


def for_grakel(graphs: Sequence[Graph]) -> list[list[Any]]:
    """Write graphs as GraKeL wants them: edges both ways with weights, and labels by node."""
    return [
        [
            {pair: 1.0 for i, j in graph.edges for pair in ((i, j), (j, i))},
            dict(enumerate(list(graph.nodes))),  # type: ignore[arg-type]
        ]
        for graph in graphs
    ]


def graph_times() -> tuple[Grid, list[str]]:
    """Time each kernel on 200 graphs, GraKeL's beside it where it is installed."""
    graphs = random_graphs()
    rivals = _rivals()
    rows = []
    for place, (name, (kernel, must_win)) in enumerate(_OURS.items()):
        announce(f"graphs, {name}", place, len(_OURS))
        labelled_walk = "walk" in name and "labelled" in name
        few = graphs[:_FEW] if labelled_walk and rivals else graphs
        kernel(few[:3])  # compiles what is compiled
        ours = min(cpu_seconds(partial(kernel, few)) for _ in range(5))
        rows.append((name, len(few), ours, *_beside(name, kernel, few, ours, rivals, must_win)))
    header = (
        "kernel",
        "graphs",
        "CPU s",
        "GraKeL, s",
        "GraKeL / ours",
        "differ by",
        "goal 1",
    )
    return Grid(f"Graphs of {N_NODES} nodes", header, rows), [] if rivals else [MISSING]


def _beside(
    name: str, kernel: Any, graphs: list[Graph], ours: float, rivals: dict[str, Any], must_win: bool
) -> tuple[object, ...]:
    if name not in rivals:
        return "", "", "", ""
    theirs = for_grakel(graphs)
    found: dict[str, Any] = {}

    def run() -> None:
        found["gram"] = rivals[name]().fit_transform(theirs)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            seconds = min(cpu_seconds(run) for _ in range(1 if "walk" in name else 3))
    except Exception as problem:  # a peer that breaks must not stop the others
        return f"fails: {type(problem).__name__}", "", "", ""
    gap = float(np.abs(kernel(graphs) / np.where(found["gram"] == 0, 1, found["gram"]) - 1).max())
    ratio = seconds / max(ours, 1e-9)
    return seconds, ratio, f"{gap:.0e}", verdict(ratio, 1.0 if must_win else None, at_most=False)


_OURS: dict[str, tuple[Any, bool]] = {
    "Weisfeiler-Lehman, depth 5": (WeisfeilerLehman(depth=5), True),
    "shortest path, labelled": (ShortestPath(), True),
    "walk, geometric 0.01": (Walk(0.01), True),
    "walk, exponential 0.01": (Walk(0.01, weights="exponential"), False),
    "walk, geometric, labelled": (Walk(0.01, labelled=True), False),
    "walk, exponential, labelled": (Walk(0.01, weights="exponential", labelled=True), False),
}
"""Our kernels, each with whether it must not be slower than GraKeL's."""


def _rivals() -> dict[str, Callable[[], Any]]:
    if find_spec("grakel") is None:
        return {}
    from grakel import kernels

    exponential = {"lamda": 0.01, "kernel_type": "exponential"}
    return {
        "Weisfeiler-Lehman, depth 5": lambda: kernels.WeisfeilerLehman(
            n_iter=5, base_graph_kernel=kernels.VertexHistogram
        ),
        "shortest path, labelled": lambda: kernels.ShortestPath(with_labels=True),
        "walk, geometric 0.01": lambda: kernels.RandomWalk(lamda=0.01),
        "walk, exponential 0.01": lambda: kernels.RandomWalk(**exponential),
        "walk, geometric, labelled": lambda: kernels.RandomWalkLabeled(lamda=0.01),
        "walk, exponential, labelled": lambda: kernels.RandomWalkLabeled(**exponential),
    }
