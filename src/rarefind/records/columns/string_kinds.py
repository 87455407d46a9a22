"""What kind of strings a column holds: molecules, letters of life, words, names or numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

_ATOMS = re.compile(
    r"(?:\[[^\[\]\s]{1,40}\]|Br|Cl|[BCNOPSFI]|[bcnops]|\*|[-=#$:/\\.()]|%\d\d|\d)+", re.ASCII
)
"""SMILES from end to end: atoms, bonds, branches and rings."""

_BRACKETS = re.compile(r"\[[^\]]*\]")
"""An atom in brackets, whose digits are no rings."""

_RINGS = re.compile(r"%\d\d|\d")
"""The mark of a ring, which comes twice."""

_STRUCTURE = re.compile(r"[()=#\[\]\d]")
"""Signs of bonds, branches and rings, which hardly stand in other words."""

_NUCLEOTIDES = frozenset("ACGTUNRYSWKMBDHV-.")
"""The letters IUPAC gives to nucleotides and to doubt between them, and gaps."""

_BASES = frozenset("ACGTU")
"""Those without doubt: in real sequences nearly all are."""

_AMINO_ACIDS = frozenset("ACDEFGHIKLMNPQRSTVWYBXZUOJ*-.")
"""The letters IUPAC gives to amino acids, doubt, stops and gaps."""

_SHORTEST_SEQUENCE = 8
"""Letters, in the middle: shorter words such as CAT or GAS are written in these letters, too."""

_WORDS_OF_A_TEXT = 3.0
"""Words in a cell, in the mean, from which it is a sentence; names have two or three."""


def is_smiles(word: str) -> bool:
    """Whether a word can be a molecule in SMILES notation.

    >>> is_smiles("CCOP(=O)(Nc1cccc(Cl)c1)OCC"), is_smiles("MALWMRLLPL"), is_smiles("C(C")
    (True, False, False)
    >>> is_smiles("B-1017")  # a ring that is opened must be closed
    False
    """
    if _ATOMS.fullmatch(word) is None:
        return False
    rings = _RINGS.findall(_BRACKETS.sub("", word))
    if any(rings.count(ring) % 2 for ring in set(rings)):
        return False
    depth = 0
    for letter in word:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def are_molecules(words: Sequence[str]) -> bool:
    """Whether nearly all words are molecules, and some show rings, branches or bonds."""
    fit = [word for word in words if is_smiles(word)]
    shown = sum(_STRUCTURE.search(word) is not None for word in fit)
    letters = sum(not word.isdigit() for word in fit)
    return len(fit) >= 0.95 * len(words) and 2 * shown >= len(fit) and letters == len(fit)


def letters_of_life(words: Sequence[str]) -> str | None:
    """Return "DNA or RNA" or "protein" if the words are written in these letters, else None."""
    if not words or median(map(len, words)) < _SHORTEST_SEQUENCE:
        return None
    used: dict[str, int] = {}
    for word in words:
        for letter in word:
            used[letter] = used.get(letter, 0) + 1
    total = sum(used.values())
    if not any(letter.isupper() for letter in used):
        used = {letter.upper(): count for letter, count in used.items()}
    if set(used) <= _NUCLEOTIDES and sum(used.get(base, 0) for base in _BASES) >= 0.9 * total:
        return "DNA or RNA"
    if set(used) <= _AMINO_ACIDS and len(used) >= 10:
        return "protein"
    return None


def words_per_cell(cells: Sequence[str]) -> float:
    """Mean number of words."""
    return sum(len(cell.split()) for cell in cells) / max(1, len(cells))


def are_texts(cells: Sequence[str]) -> bool:
    """Whether the cells are sentences rather than names."""
    return words_per_cell(cells) >= _WORDS_OF_A_TEXT


def mostly_digits(cells: Sequence[str]) -> bool:
    """Whether the cells are written in digits, with hardly a letter: telephones, accounts.

    >>> mostly_digits(["+46 70 422 76 97", "DE61 9883 8864 7977"]), mostly_digits(["7 Elm Street"])
    (True, False)
    """
    digits = sum(letter.isdigit() for cell in cells for letter in cell)
    return digits >= 0.75 * sum(letter.isalnum() for cell in cells for letter in cell)


def mostly_letters(cells: Sequence[str]) -> bool:
    """Whether the cells are written in letters, with hardly a digit."""
    letters = sum(letter.isalpha() for cell in cells for letter in cell)
    total = sum(not letter.isspace() for cell in cells for letter in cell)
    return letters >= 0.85 * total
