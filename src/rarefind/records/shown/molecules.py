"""Molecules as chemists draw them: by RDKit where it is installed, else by our own reading."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.shown.graph_layout import layout

MOST_ATOMS = 300
"""Larger molecules are told in words."""

_KEPT = 2000
"""Drawings that are kept: those of a session."""

_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Digits of formulas as chemists write them: counts below, charges above."""


def molecule_payload(name: str, smiles: str) -> dict[str, Any] | None:
    """Describe a molecule for drawing; None if its SMILES cannot be read or it is too large."""
    drawn = _drawn(smiles, find_spec("rdkit") is not None)
    return None if drawn is None else {"kind": "molecule", "name": name, "text": smiles, **drawn}


@lru_cache(maxsize=_KEPT)
def _drawn(smiles: str, by_rdkit: bool) -> dict[str, Any] | None:
    return _by_rdkit(smiles) if by_rdkit else _by_ourselves(smiles)


def _by_rdkit(smiles: str) -> dict[str, Any] | None:
    from rdkit import Chem, rdBase
    from rdkit.Chem import rdDepictor

    with rdBase.BlockLogs():
        molecule: Any = Chem.MolFromSmiles(smiles)
        if molecule is None:  # a valence no chemist would draw: as it is written
            return _by_ourselves(smiles)
        if not 0 < molecule.GetNumAtoms() <= MOST_ATOMS:
            return None
        Chem.Kekulize(molecule)
        rdDepictor.Compute2DCoords(molecule)
    places = molecule.GetConformer().GetPositions()[:, :2] * (1.0, -1.0)  # down is down on a page
    places -= (places.min(axis=0) + places.max(axis=0)) / 2.0
    bonds = [
        (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), bond.GetBondTypeAsDouble())
        for bond in molecule.GetBonds()
    ]
    words = [
        _words(atom.GetSymbol(), atom.GetTotalNumHs(), atom.GetFormalCharge())
        for atom in molecule.GetAtoms()
    ]
    return _described(words, bonds, places / max(float(np.abs(places).max()), 1e-9))


def _by_ourselves(smiles: str) -> dict[str, Any] | None:
    try:
        from rarefind.kernels.graphs.smiles import read_smiles  # kernels load the learners

        molecule = read_smiles(smiles)
    except DataError:
        return None
    if not 0 < len(molecule.atoms) <= MOST_ATOMS:
        return None
    words = [
        _words(atom.element, hydrogens, atom.charge)
        for atom, hydrogens in zip(molecule.atoms, molecule.hydrogens(), strict=True)
    ]
    pairs = [(one, other) for one, other, _ in molecule.bonds]
    return _described(words, molecule.bonds, layout(len(words), pairs, zigzag=True))


def _described(words: Any, bonds: Any, places: Any) -> dict[str, Any]:
    return {
        "nodes": words,
        "edges": [[one, other] for one, other, _ in bonds],
        "edge_labels": [f"{order:g}" for _, _, order in bonds],
        "layout": np.round(places, 4).tolist(),
    }


def _words(element: str, hydrogens: int, charge: int) -> str:
    """Write an atom: ``NH₂``, ``O⁻``, ``Ca²⁺``; a carbon without charge is a corner, ``C``."""
    if element == "C" and not charge:
        return "C"
    bears = "" if not hydrogens else "H" + (str(hydrogens) if hydrogens > 1 else "")
    size = str(abs(charge)).translate(_SUPERSCRIPTS) if abs(charge) > 1 else ""
    sign = "" if not charge else size + ("⁺" if charge > 0 else "⁻")
    return element + bears.translate(_SUBSCRIPTS) + sign
