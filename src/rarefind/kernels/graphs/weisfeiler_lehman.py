"""The Weisfeiler-Lehman subtree kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.params import BOOLEAN, Constraint, Integer
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.graphs.batch import GraphBatch
from rarefind.kernels.graphs.hashing import Hashes, combine, label_keys, mix
from rarefind.kernels.graphs.patterns import Counts, PatternKernel


class WeisfeilerLehman(PatternKernel):
    """Counts the neighbourhoods that two graphs share, at every depth from zero on.

    At depth zero a node is its label; at each further depth it is what it was together with what
    its neighbours were, in no order. The similarity is the number of pairs of nodes that are the
    same, summed over depths (Shervashidze and others, 2011). A neighbourhood is known by its
    content, so new graphs are compared exactly as if they had been there from the start.

    Parameters
    ----------
    depth
        How many steps around each node are looked at.
    labelled
        Whether the labels of nodes count; otherwise all nodes start the same.
    edge_labelled
        Whether the labels of edges count too.

    Attributes
    ----------
    patterns_
        After ``fit``: the neighbourhoods that are the columns of ``features``.

    Examples
    --------
    >>> water = (["O", "H", "H"], [(0, 1), (0, 2)])
    >>> graphs = [{"nodes": labels, "edges": edges} for labels, edges in [water, (["O"], [])]]
    >>> WeisfeilerLehman(depth=1)(graphs)
    array([[10.,  1.],
           [ 1.,  2.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "depth": [Integer(0, MOST_STEPS)],
        "labelled": [BOOLEAN],
        "edge_labelled": [BOOLEAN],
    }

    def __init__(
        self, depth: int = 5, *, labelled: bool = True, edge_labelled: bool = False
    ) -> None:
        self.depth = depth
        self.labelled = labelled
        self.edge_labelled = edge_labelled

    def _count(self, batch: GraphBatch) -> Counts:
        batch = batch.without_labels(nodes=not self.labelled, edges=not self.edge_labelled)
        colours = refine(batch, self.depth)
        rows = np.tile(batch.owners, self.depth + 1)
        return Counts.tally(rows, np.concatenate(colours), np.ones(len(rows)), len(batch))


def refine(batch: GraphBatch, depth: int, colours: Hashes | None = None) -> list[Hashes]:
    """Key of the neighbourhood of every node, at depths 0 to ``depth``.

    ``colours`` are what nodes are at depth zero: their labels, if nothing is given.
    """
    _, heads, marks = batch.arcs
    edge_keys = label_keys(batch.edge_label_names)[marks]
    joined = np.flatnonzero(np.diff(batch.first_arcs))
    found = [node_keys(batch) if colours is None else colours]
    for _ in range(depth):
        around = np.zeros_like(found[-1])
        if len(joined):
            # Sums of scattered keys do not depend on the order of the neighbours.
            messages = combine(found[-1][heads], edge_keys)
            around[joined] = np.add.reduceat(messages, batch.first_arcs[joined])
        found.append(combine(found[-1], around))
    return found


def node_keys(batch: GraphBatch) -> Hashes:
    """Key of the label of every node."""
    return mix(label_keys(batch.label_names)[batch.labels])
