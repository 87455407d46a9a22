from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from rarefind.core.errors import DataError
from rarefind.kernels import Circular, Normalized
from rarefind.kernels.graphs import Graph
from rarefind.kernels.graphs.batch import read_graphs
from rarefind.kernels.graphs.circular import in_ring, molecule_graph
from rarefind.kernels.graphs.smiles import read_smiles
from rarefind.testing import check_kernel
from tests.kernels.graphs.graph_examples import lists_of_graphs

MOLECULES = [
    "CC(=O)Oc1ccccc1C(=O)O",
    "CN1C=NC2=C1C(=O)N(C(=O)N2C)C",
    "C[N+](C)(C)CC(=O)[O-]",
    "c1ccc2c(c1)[nH]cc2CCN",
    "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "OC[C@H]1OC(O)C(O)C(O)C1O",
    "FC(F)(F)c1ccc(Cl)cc1S(=O)(=O)N",
    "C1CC1C2CC2",
    "N#CC#N",
]


def test_environments_are_told_apart_as_by_rdkit():
    chem = pytest.importorskip("rdkit.Chem")
    generators = pytest.importorskip("rdkit.Chem.rdFingerprintGenerator")

    radius = 3
    theirs, ours = {}, {}
    names = [f"{one}.{other}" for one, other in itertools.pairwise(MOLECULES)]
    written = [chem.MolToSmiles(chem.MolFromSmiles(each)) for each in [*MOLECULES, *names]]
    for number, smiles in enumerate(written):
        output = generators.AdditionalOutput()
        output.AllocateBitInfoMap()
        generator = generators.GetMorganGenerator(radius, includeRedundantEnvironments=True)
        generator.GetSparseCountFingerprint(chem.MolFromSmiles(smiles), additionalOutput=output)
        for key, places in output.GetBitInfoMap().items():
            for atom, depth in places:
                theirs[number, atom, depth] = key
    for depth in range(radius + 1):
        for number, smiles in enumerate(written):
            graph = molecule_graph(read_smiles(smiles))
            for atom in range(graph.size):
                ours[number, atom, depth] = _environment(graph, atom, depth)
    assert theirs.keys() == ours.keys()
    pairs = {(theirs[place], ours[place]) for place in theirs}
    assert len(pairs) == len(set(theirs.values())) == len(set(ours.values()))
    counted = Circular(radius).fit(written)
    assert len(counted.patterns_) == len(set(theirs.values()))


def _environment(graph, atom, depth):
    """What surrounds an atom, written out."""
    network = nx.Graph(list(graph.edges))
    rings = {node for ring in nx.cycle_basis(network) for node in ring}
    bonds = dict(zip(graph.edges, graph.edge_labels, strict=True))
    near = [pair for pair in bonds if atom in pair]
    if depth == 0:
        return repr((graph.nodes[atom], len(near), atom in rings))
    others = [(bonds[pair], sum(pair) - atom) for pair in near]
    around = sorted((order, _environment(graph, other, depth - 1)) for order, other in others)
    return repr((_environment(graph, atom, depth - 1), around))


@settings(max_examples=25, deadline=None)
@given(lists_of_graphs)
def test_rings_are_found_and_any_graph_is_compared(graphs):
    batch = read_graphs(graphs, "test")
    network = nx.Graph(batch.ends.tolist())
    network.remove_edges_from(nx.selfloop_edges(network))
    bridges = set(map(frozenset, nx.bridges(network)))
    expected = {node for edge in network.edges if frozenset(edge) not in bridges for node in edge}
    assert set(np.flatnonzero(in_ring(batch)).tolist()) == expected
    check_kernel(Circular(2), graphs)


def test_a_molecule_may_be_written_from_either_end_and_beside_graphs():
    gram = Normalized(Circular(2))(["CC(=O)Nc1ccccc1", "c1ccc(cc1)NC(C)=O", "CCCC"])
    np.testing.assert_allclose(gram[0, :2], 1.0)
    assert gram[0, 2] < 0.5
    ring = Graph(["a"] * 3, [(0, 1), (1, 2), (2, 0)])
    assert Circular(1)([ring, "CC"])[0, 1] == 0.0


def test_what_is_no_molecule_is_named():
    with pytest.raises(DataError, match=r"Circular cannot read molecule 1: 'C!C' is no SMILES"):
        Circular()(["CC", "C!C"])
    with pytest.raises(DataError, match="put it into a list"):
        Circular()("CC")
