"""Graphs and molecules brought into the plane, to be drawn as what they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError

MOST_NODES = 300
"""Larger graphs are told in words."""

_ORGANIC = ("Cl", "Br", "B", "C", "N", "O", "P", "S", "F", "I", "b", "c", "n", "o", "p", "s")
"""SMILES' organic subset, written without brackets; those of two letters first."""

_BONDS = {"-": 1, "=": 2, "#": 3, "$": 4, ":": 1, "/": 1, "\\": 1, "~": 1}
"""How many lines a bond is drawn with; aromatic and directed ones are single."""


def layout(n: int, edges: Sequence[Sequence[int]], steps: int = 80) -> FloatArray:
    """Place nodes so that edges are short and nodes apart; the same graph, the same picture.

    >>> layout(2, [(0, 1)]).shape
    (2, 2)
    """
    if n <= 1:
        return np.zeros((n, 2))
    angle = 2.0 * np.pi * np.arange(n) / n
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    points += np.random.default_rng(0).normal(0.0, 0.01, points.shape)
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    wanted = np.sqrt(4.0 / n)
    for step in range(steps):
        gaps = points[:, None, :] - points[None, :, :]
        squared = (gaps**2).sum(axis=2) + 1e-6
        push = (gaps * (wanted**2 / squared)[:, :, None]).sum(axis=1)
        if len(ends):
            along = points[ends[:, 0]] - points[ends[:, 1]]
            pull = along * (np.sqrt((along**2).sum(axis=1)) / wanted)[:, None]
            np.add.at(push, ends[:, 0], -pull)
            np.add.at(push, ends[:, 1], pull)
        size = np.sqrt((push**2).sum(axis=1)) + 1e-9
        most = 0.2 * (1.0 - step / steps) + 0.005
        points += push * (np.minimum(size, most) / size)[:, None]
    points -= points.mean(axis=0)
    return points / max(float(np.abs(points).max()), 1e-9)


def graph_payload(name: str, graph: Any) -> dict[str, Any] | None:
    """Describe a graph for drawing; None if it is too large."""
    nodes = graph["nodes"]
    labels = [""] * nodes if isinstance(nodes, int) else [str(node) for node in nodes]
    if len(labels) > MOST_NODES:
        return None
    edges = [[int(edge[0]), int(edge[1])] for edge in graph["edges"]]
    return {
        "kind": "graph",
        "name": name,
        "nodes": labels,
        "edges": edges,
        "edge_labels": [str(mark) for mark in graph.get("edge_labels") or []],
        "layout": layout(len(labels), edges).round(4).tolist(),
    }


def molecule_payload(name: str, smiles: str) -> dict[str, Any] | None:
    """Describe a molecule for drawing; None if its SMILES cannot be read or it is too large."""
    try:
        atoms, bonds = read_smiles(smiles)
    except DataError:
        return None
    if not atoms or len(atoms) > MOST_NODES:
        return None
    return {
        "kind": "molecule",
        "name": name,
        "text": smiles,
        "nodes": atoms,
        "edges": [[one, other] for one, other, _ in bonds],
        "edge_labels": [str(order) for _, _, order in bonds],
        "layout": layout(len(atoms), bonds, 150).round(4).tolist(),
    }


def read_smiles(text: str) -> tuple[list[str], list[tuple[int, int, int]]]:
    """Read the atoms and bonds of a molecule in SMILES notation.

    >>> read_smiles("C=O")
    (['C', 'O'], [(0, 1, 2)])
    >>> len(read_smiles("c1ccccc1O")[1])
    7
    """
    atoms: list[str] = []
    bonds: list[tuple[int, int, int]] = []
    branches: list[int] = []
    rings: dict[str, tuple[int, int | None]] = {}
    last, order, place = -1, None, 0
    while place < len(text):
        sign = text[place]
        atom, length = _atom(text, place)
        if atom:
            atoms.append(atom)
            if last >= 0:
                bonds.append((last, len(atoms) - 1, order or 1))
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
            ring = text[place : place + length]
            if ring in rings:
                first, before = rings.pop(ring)
                bonds.append((first, last, order or before or 1))
            else:
                rings[ring] = (last, order)
            order = None
        else:
            raise DataError(f"{text!r:.60} is no SMILES notation: {sign!r} stands at {place}.")
        place += length
    return atoms, bonds


def _atom(text: str, place: int) -> tuple[str, int]:
    if text[place] == "[":
        end = text.find("]", place)
        if end < 0:
            raise DataError(f"{text!r:.60} is no SMILES notation: a bracket is never closed.")
        inside = text[place + 1 : end].lstrip("0123456789")
        symbol = inside[:2] if inside[:2].isalpha() and inside[1:2].islower() else inside[:1]
        return symbol or "*", end - place + 1
    if text[place] == "*":
        return "*", 1
    for symbol in _ORGANIC:
        if text.startswith(symbol, place):
            return symbol, len(symbol)
    return "", 0
