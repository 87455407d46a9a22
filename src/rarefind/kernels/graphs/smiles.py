"""Molecules in SMILES notation, read without a chemist's library: enough to draw them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rarefind.core.errors import DataError

_VALENCES = {"B": 3, "C": 4, "N": 3, "O": 2, "P": 3, "S": 2, "F": 1, "Cl": 1, "Br": 1, "I": 1}
"""Bonds of the atoms that SMILES writes without brackets; hydrogens fill up what is missing."""

_PLAIN = re.compile(r"Cl|Br|[BCNOPSFI]|[bcnops]|\*")
"""Atoms that SMILES writes without brackets; small letters are aromatic."""

_BRACKET = re.compile(
    r"\[\d*(?P<symbol>[A-Z][a-z]?|[a-z][a-z]?|\*)@{0,2}(?P<hydrogens>H\d*)?"
    r"(?P<charge>\+\+|--|[+-]\d*)?(?::\d+)?\]"
)
"""Atoms in brackets: isotopes, chirality and numbers of reactions are read and left out."""

_BONDS = {"-": 1.0, "=": 2.0, "#": 3.0, "$": 4.0, ":": 1.5, "/": 1.0, "\\": 1.0, "~": 1.0}
"""The order of each bond written; directions of double bonds count as single ones."""

AROMATIC = 1.5
"""The order of a bond in an aromatic ring."""


@dataclass(frozen=True)
class Atom:
    """An atom: its element, the hydrogens and the charge it bears, whether its ring is aromatic.

    ``hydrogens`` is None where the notation leaves them to the usual valence.
    """

    element: str
    hydrogens: int | None = None
    charge: int = 0
    aromatic: bool = False


@dataclass(frozen=True)
class Molecule:
    """Atoms, and bonds as pairs of their places with an order (1.5 in aromatic rings)."""

    atoms: tuple[Atom, ...]
    bonds: tuple[tuple[int, int, float], ...]

    def hydrogens(self) -> list[int]:
        """Count the hydrogens of each atom, written or not."""
        taken = [0.0] * len(self.atoms)
        for one, other, order in self.bonds:
            taken[one] += order
            taken[other] += order
        return [_free(atom, used) for atom, used in zip(self.atoms, taken, strict=True)]


def read_smiles(text: str) -> Molecule:
    """Read the atoms and bonds of a molecule in SMILES notation.

    >>> read_smiles("C=O").bonds
    ((0, 1, 2.0),)
    >>> read_smiles("c1ccccc1O").hydrogens()
    [1, 1, 1, 1, 1, 0, 1]
    """
    atoms: list[Atom] = []
    bonds: list[tuple[int, int, float]] = []
    branches: list[int] = []
    rings: dict[str, tuple[int, float | None]] = {}
    last, place = -1, 0
    order: float | None = None

    def join(one: int, other: int, written: float | None) -> None:
        ring = atoms[one].aromatic and atoms[other].aromatic
        bonds.append((one, other, written or (AROMATIC if ring else 1.0)))

    while place < len(text):
        sign = text[place]
        atom, length = _atom(text, place)
        if atom is not None:
            atoms.append(atom)
            if last >= 0:
                join(last, len(atoms) - 1, order)
            last, order = len(atoms) - 1, None
        elif sign in _BONDS:
            order, length = _BONDS[sign], 1
        elif sign == "(":
            branches.append(last)
            length = 1
        elif sign == ")" and branches:
            last, length = branches.pop(), 1
        elif sign == ".":
            last, order, length = -1, None, 1
        elif (sign.isdigit() or sign == "%") and last >= 0:
            length = 3 if sign == "%" else 1
            ring = text[place : place + length].lstrip("%").lstrip("0")
            if ring in rings:
                first, before = rings.pop(ring)
                join(first, last, order or before)
            else:
                rings[ring] = (last, order)
            order = None
        else:
            raise DataError(f"{text!r:.60} is no SMILES notation: {sign!r} stands at {place}.")
        place += length
    return Molecule(tuple(atoms), tuple(bonds))


def _atom(text: str, place: int) -> tuple[Atom | None, int]:
    if text[place] == "[":
        found = _BRACKET.match(text, place)
        if found is None:
            what = "a bracket is never closed" if "]" not in text[place:] else "a bracket is odd"
            raise DataError(f"{text!r:.60} is no SMILES notation: {what}, at {place}.")
        symbol, hydrogens = found["symbol"], found["hydrogens"]
        count = 0 if not hydrogens else int(hydrogens[1:] or 1)
        atom = Atom(symbol.capitalize(), count, _charge(found["charge"]), symbol[0].islower())
        return atom, found.end() - place
    plain = _PLAIN.match(text, place)
    if plain is None:
        return None, 0
    symbol = plain[0]
    fixed = 0 if symbol == "*" else None
    return Atom(symbol.capitalize(), fixed, aromatic=symbol.islower()), len(symbol)


def _charge(words: str | None) -> int:
    if not words:
        return 0
    if words in ("++", "--"):
        return 2 if words == "++" else -2
    return int(words[0] + (words[1:] or "1"))


def _free(atom: Atom, taken: float) -> int:
    if atom.hydrogens is not None:
        return atom.hydrogens
    used, valence = int(taken), _VALENCES[atom.element]
    while valence < used and atom.element in ("N", "P", "S") and not atom.aromatic:
        valence += 2  # sulphur and phosphorus, and nitro groups as some write them
    return max(0, valence - used)
