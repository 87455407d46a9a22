"""Time of the graph kernels beside GraKeL's, in one run, and whether the numbers agree.

GraKeL is a peer to measure against, not a dependency: ``pip install "rarefind[bench]"`` brings it.
Without it our own times are printed.
"""

from __future__ import annotations

import time
import warnings

import numpy as np
from scipy.linalg import expm

from rarefind.kernels.graphs import Graph, ShortestPath, Walk, WeisfeilerLehman

N_GRAPHS, N_NODES, N_EDGES, N_LABELS = 200, 20, 20.6, 7


def random_graphs(seed=0):
    """Molecule-size graphs: a random tree plus a few rings."""
    rng = np.random.default_rng(seed)
    graphs = []
    for _ in range(N_GRAPHS):
        edges = {(int(rng.integers(max(0, i - 4), i)), i) for i in range(1, N_NODES)}
        target = N_NODES - 1 + rng.poisson(N_EDGES - N_NODES + 1)
        while len(edges) < target:
            i, j = sorted(int(node) for node in rng.choice(N_NODES, 2, replace=False))
            edges.add((i, j))
        labels = [int(label) for label in rng.integers(N_LABELS, size=N_NODES)]
        graphs.append(Graph(labels, sorted(edges)))
    return graphs


def best_time(function, repeats=5):
    """Least CPU seconds of some repeats, and the result."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        result = function()
        times.append(time.process_time() - start)
    return min(times), result


def brute_walk(one, other, decay, weights, labelled):
    """The definition: invert, or exponentiate, the matrix of the product graph."""
    pairs = [
        (u, v)
        for u in range(one.size)
        for v in range(other.size)
        if not labelled or one.nodes[u] == other.nodes[v]
    ]
    if not pairs:
        return 0.0
    dense = [Walk()._read([graph]).adjacency.toarray() for graph in (one, other)]
    u, v = np.array(pairs).T
    product = dense[0][np.ix_(u, u)] * dense[1][np.ix_(v, v)]
    if weights == "geometric":
        return np.linalg.inv(np.eye(len(pairs)) - decay * product).sum()
    return expm(decay * product).sum()


def grakel_rivals():
    """GraKeL's kernels by our names; nothing if it is not installed."""
    try:
        from grakel.kernels import RandomWalk, RandomWalkLabeled, VertexHistogram
        from grakel.kernels import ShortestPath as TheirShortestPath
        from grakel.kernels import WeisfeilerLehman as TheirWeisfeilerLehman
    except ImportError as problem:
        print(f"GraKeL cannot be imported ({problem}): only our own times follow.\n")
        return {}
    exponential = {"lamda": 0.01, "kernel_type": "exponential"}
    return {
        "Weisfeiler-Lehman, depth 5": lambda: TheirWeisfeilerLehman(
            n_iter=5, base_graph_kernel=VertexHistogram
        ),
        "shortest path, labelled": lambda: TheirShortestPath(with_labels=True),
        "walk, geometric 0.01": lambda: RandomWalk(lamda=0.01),
        "walk, exponential 0.01": lambda: RandomWalk(**exponential),
        "walk, geometric, labelled": lambda: RandomWalkLabeled(lamda=0.01),
        "walk, exponential, labelled": lambda: RandomWalkLabeled(**exponential),
    }


def ours():
    """Our kernels, each with whether it must not be slower than GraKeL's."""
    return {
        "Weisfeiler-Lehman, depth 5": (WeisfeilerLehman(depth=5), True),
        "shortest path, labelled": (ShortestPath(), True),
        "walk, geometric 0.01": (Walk(0.01), True),
        "walk, exponential 0.01": (Walk(0.01, weights="exponential"), False),
        "walk, geometric, labelled": (Walk(0.01, labelled=True), False),
        "walk, exponential, labelled": (
            Walk(0.01, weights="exponential", labelled=True),
            False,
        ),
    }


def check_walks(graphs):
    """Largest relative difference of our walks from the definition."""
    some = graphs[:6]
    worst = 0.0
    for weights in ("geometric", "exponential"):
        for labelled in (False, True):
            gram = Walk(0.05, weights=weights, labelled=labelled)(some)
            brute = [[brute_walk(g, h, 0.05, weights, labelled) for h in some] for g in some]
            worst = max(worst, float(np.abs(gram / np.maximum(brute, 1e-300) - 1).max()))
    return worst


def main():
    warnings.simplefilter("ignore")
    graphs = random_graphs()
    edges = np.mean([len(graph.edges) for graph in graphs])
    print(f"{N_GRAPHS} graphs, {N_NODES} nodes, {edges:.1f} edges on average, {N_LABELS} labels")
    print("CPU seconds, best of 5 (GraKeL best of 3 or 1); ratio = GraKeL / rarefind\n")
    theirs = [
        [
            {pair: 1.0 for i, j in graph.edges for pair in ((i, j), (j, i))},
            dict(enumerate(graph.nodes)),
        ]
        for graph in graphs
    ]
    rivals = grakel_rivals()
    missed = []
    print(f"{'kernel':30}{'rarefind':>10}{'GraKeL':>10}{'ratio':>9}  agreement")
    for name, (kernel, must_win) in ours().items():
        kernel(graphs[:3])
        seconds, gram = best_time(lambda kernel=kernel: kernel(graphs))
        row = f"{name:30}{seconds:10.4f}"
        if name not in rivals:
            print(row)
            continue
        repeats = 1 if "walk" in name else 3
        # GraKeL needs minutes for labelled walks between all graphs.
        few = theirs[:10] if "walk" in name and "labelled" in name else theirs
        try:
            other, found = best_time(
                lambda name=name, few=few: rivals[name]().fit_transform(few), repeats
            )
        except Exception as problem:
            print(f"{row}{'fails':>10}{'':>9}  {type(problem).__name__}: {str(problem)[:60]}")
            continue
        if len(few) < len(graphs):
            print(row)
            seconds, gram = best_time(lambda kernel=kernel, few=few: kernel(graphs[: len(few)]))
            row = f"{f'  the same, {len(few)} graphs':30}{seconds:10.4f}"
        gap = np.abs(gram / np.where(found == 0, 1, found) - 1).max()
        verdict = f"largest relative difference {gap:.1e}"
        print(f"{row}{other:10.4f}{other / seconds:9.1f}  {verdict}")
        if must_win and seconds > other:
            missed.append(name)
    print(f"\nwalks against the definition: largest relative difference {check_walks(graphs):.1e}")
    if rivals:
        outcome = f"missed by {', '.join(missed)}" if missed else "met"
        print(f"goal, the first three not slower than GraKeL: {outcome}")


if __name__ == "__main__":
    main()
