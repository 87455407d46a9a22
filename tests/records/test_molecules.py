"""Molecules as they are drawn: RDKit is the reference for our own reading."""

from __future__ import annotations

import numpy as np
import pytest
from rdkit import Chem

from rarefind.kernels.graphs.smiles import read_smiles
from rarefind.records.shown import molecules
from rarefind.records.shown.molecules import molecule_payload

SMILES = [
    "CCO", "C#N", "CC(=O)O", "CC(=O)[O-].[Na+]", "C[N+](C)(C)C", "OS(=O)(=O)O", "CP(=O)(O)O",
    "c1ccccc1", "c1ccncc1", "c1cc[nH]c1", "Cn1cccc1", "c1ccoc1", "c1ccc2ccccc2c1", "O=c1cc[nH]cc1",
    "CC(=O)Oc1ccccc1C(=O)O", "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "C1CC1", "C%12CCCCC%12", "N[C@@H](C)C(=O)O", "F/C=C/F", "[Ca+2].[Cl-].[Cl-]", "[13CH4]",
    "O=[N+]([O-])c1ccccc1", "CS(=O)C", "c1csc(n1)N", "BrCCBr", "C[Si](C)(C)C", "[nH]1cccc1",
]  # fmt: skip


@pytest.mark.parametrize("smiles", SMILES)
def test_atoms_hydrogens_charges_and_bonds_are_those_of_rdkit(smiles):
    expected = Chem.MolFromSmiles(smiles)
    read = read_smiles(smiles)
    atoms = [
        (atom.GetSymbol(), atom.GetTotalNumHs(), atom.GetFormalCharge(), atom.GetIsAromatic())
        for atom in expected.GetAtoms()
    ]
    ours = zip(read.atoms, read.hydrogens(), strict=True)
    assert [(atom.element, count, atom.charge, atom.aromatic) for atom, count in ours] == atoms
    bonds = {
        (*sorted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())), bond.GetBondTypeAsDouble())
        for bond in expected.GetBonds()
    }
    assert {(*sorted((one, other)), order) for one, other, order in read.bonds} == bonds


@pytest.fixture(params=["rdkit", "ourselves"])
def drawn_by(request, monkeypatch):
    if request.param == "ourselves":
        monkeypatch.setattr(molecules, "find_spec", lambda name: None)
    return request.param


def test_letters_are_those_a_chemist_writes(drawn_by):
    payload = molecule_payload("drug", "NCC(=O)[O-].[Ca+2]")
    assert payload["nodes"] == ["NH₂", "C", "C", "O", "O⁻", "Ca²⁺"]
    assert payload["edge_labels"] == ["1", "1", "2", "1"]
    assert payload["kind"] == "molecule"
    assert np.abs(payload["layout"]).max() <= 1.0


def test_no_two_atoms_lie_on_each_other(drawn_by):
    for smiles in SMILES:
        payload = molecule_payload("drug", smiles)
        places = np.array(payload["layout"])
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + 9.0 * np.eye(len(places))
        sides = [gaps[one, other] for one, other in payload["edges"]]
        assert gaps.min() > 0.3 * min([*sides, 1.0])


def test_aromatic_rings_alternate_with_rdkit_and_are_dashed_without(drawn_by):
    orders = sorted(molecule_payload("ring", "c1ccccc1")["edge_labels"])
    assert orders == (["1", "1", "1", "2", "2", "2"] if drawn_by == "rdkit" else ["1.5"] * 6)


def test_what_is_no_molecule_is_not_drawn(drawn_by):
    assert molecule_payload("drug", "C[") is None
    assert molecule_payload("drug", "C" * 400) is None
    five = molecule_payload("drug", "CC(C)(C)(C)C")  # five bonds of a carbon: drawn as written
    assert len(five["edges"]) == 5
