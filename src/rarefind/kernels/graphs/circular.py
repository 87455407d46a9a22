"""Circular fingerprints: what surrounds each atom of a molecule, or each node of any graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from rarefind.core.arrays import BoolArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import BOOLEAN, Constraint, Integer
from rarefind.kernels.contract import MOST_STEPS
from rarefind.kernels.graphs.batch import GraphBatch, read_graphs
from rarefind.kernels.graphs.hashing import Hashes, combine
from rarefind.kernels.graphs.patterns import Counts, PatternKernel
from rarefind.kernels.graphs.smiles import Molecule, read_smiles
from rarefind.kernels.graphs.undirected import Graph
from rarefind.kernels.graphs.weisfeiler_lehman import node_keys, refine

_RING = np.uint64(1)
"""What is added to twice the number of neighbours of a node that lies in a ring."""


class Circular(PatternKernel):
    """Counts the circular environments that two molecules share, as extended fingerprints do.

    The environment of radius zero of an atom is its element, charge, hydrogens, number of
    neighbours, and whether it lies in a ring; each further radius adds what the neighbours are and
    the bonds that lead to them. Radius two tells apart what the fingerprint ECFP4 does (Rogers and
    Hahn, 2010), but environments are counted and not folded into bits, and one that covers the same
    bonds as another is counted all the same.

    Molecules are strings in SMILES notation, read as they are written: aromatic rings in small
    letters differ from the same rings with double bonds. Any graph will do: what is written on its
    nodes and edges stands for atoms and bonds.

    Parameters
    ----------
    radius
        How many bonds around each atom are looked at.
    lenient
        Whether a string that is no SMILES notation counts as a molecule without atoms; otherwise
        it is an error.

    Attributes
    ----------
    patterns_
        After ``fit``: the environments that are the columns of ``features``.

    Examples
    --------
    >>> Circular(1)(["CCO", "CCN", "c1ccccc1"])
    array([[ 6.,  3.,  0.],
           [ 3.,  6.,  0.],
           [ 0.,  0., 72.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "radius": [Integer(0, MOST_STEPS)],
        "lenient": [BOOLEAN],
    }

    def __init__(self, radius: int = 2, *, lenient: bool = False) -> None:
        self.radius = radius
        self.lenient = lenient

    def _read(self, A: Records) -> Counts:
        if isinstance(A, str):
            raise DataError(
                "Circular needs a list of molecules or graphs. Got one string; put it into a list, "
                "as in kernel([molecule])."
            )
        return self._count(read_graphs(_as_graphs(A, lenient=self.lenient), type(self).__name__))

    def _count(self, batch: GraphBatch) -> Counts:
        colours = refine(batch, self.radius, _atoms(batch))
        rows = np.tile(batch.owners, self.radius + 1)
        return Counts.tally(rows, np.concatenate(colours), np.ones(len(rows)), len(batch))


def molecule_graph(molecule: Molecule) -> Graph:
    """Make the graph of a molecule: atoms by element, charge and hydrogens, bonds by order."""
    hydrogens = molecule.hydrogens()
    return Graph(
        [(a.element, a.charge, n) for a, n in zip(molecule.atoms, hydrogens, strict=True)],
        [(one, other) for one, other, _ in molecule.bonds],
        [order for _, _, order in molecule.bonds],
    )


def _as_graphs(A: Records, *, lenient: bool) -> Records:
    """Read the strings of a list as molecules; everything else stays as it is."""
    if not hasattr(A, "__iter__") or not any(isinstance(each, str) for each in A):
        return A
    found = []
    for position, each in enumerate(A):
        try:
            found.append(molecule_graph(read_smiles(each)) if isinstance(each, str) else each)
        except DataError as problem:
            if lenient:
                found.append(Graph(0))
                continue
            raise DataError(f"Circular cannot read molecule {position}: {problem}") from None
    return found


def _atoms(batch: GraphBatch) -> Hashes:
    """Key of every node by its label, its neighbours' number, and whether it lies in a ring."""
    degrees = np.diff(batch.first_arcs).astype(np.uint64)
    places = np.uint64(2) * degrees + _RING * in_ring(batch).astype(np.uint64)
    return combine(node_keys(batch), places)


def in_ring(batch: GraphBatch) -> BoolArray:
    """Tell of each node whether it lies in a ring: whether one of its edges is no bridge.

    An edge is a bridge if nothing beyond it, seen from where the search came, leads back.
    """
    _, heads, _ = batch.arcs
    first, around = batch.first_arcs.tolist(), heads.tolist()
    n = len(batch.labels)
    entered, lowest = [-1] * n, [0] * n
    ring = np.zeros(n, dtype=bool)
    clock = 0
    for root in range(n):
        if entered[root] >= 0:
            continue
        entered[root] = lowest[root] = clock
        clock += 1
        path = [(root, -1, first[root])]
        while path:
            node, parent, arc = path[-1]
            if arc < first[node + 1]:
                path[-1] = (node, parent, arc + 1)
                other = around[arc]
                if entered[other] < 0:
                    entered[other] = lowest[other] = clock
                    clock += 1
                    path.append((other, node, first[other]))
                elif other != parent and other != node:
                    lowest[node] = min(lowest[node], entered[other])
                continue
            path.pop()
            if parent >= 0:
                lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] <= entered[parent]:
                    ring[node] = ring[parent] = True
    return ring
