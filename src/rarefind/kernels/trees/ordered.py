"""Ordered trees, and the forms in which people write them."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from rarefind.core.arrays import Records
from rarefind.core.errors import DataError

_PIECE = re.compile(r"[()]|[^\s()]+")
"""A bracket, or whatever stands between brackets and blanks."""

_ADVICE = (
    "A tree is a rarefind.kernels.trees.Tree, a tuple (label, child, child, ...), or a string "
    'such as "(S (NP she) (VP sleeps))".'
)
"""Ends every error about a tree that cannot be read."""


@dataclass(frozen=True)
class Tree:
    """A node with a label and its children, in order.

    Examples
    --------
    >>> Tree("S", [Tree("NP", [Tree("she")]), Tree("VP", [Tree("sleeps")])]).label
    'S'
    """

    label: Hashable
    children: Sequence[Tree] = ()

    def __len__(self) -> int:
        return len(_flatten(self).labels)


@dataclass(frozen=True)
class FlatTree:
    """A tree as a list of nodes in which children stand before their parents.

    ``degrees`` are numbers of children; the children of a node are the last ones that have not yet
    got a parent.
    """

    labels: list[Hashable]
    degrees: list[int]


def read_trees(records: Records, owner: str) -> list[FlatTree]:
    """Read a list of trees, saying which one cannot be read and why."""
    if isinstance(records, (str, bytes, Tree, dict)) or not hasattr(records, "__iter__"):
        raise DataError(
            f"{owner} needs a list of trees. Got one {type(records).__name__}; "
            "put it into a list, as in kernel([tree])."
        )
    trees = []
    for position, record in enumerate(records):
        try:
            trees.append(_parse(record) if isinstance(record, str) else _flatten(record))
        except DataError as problem:
            raise DataError(f"{owner} cannot read tree {position}: {problem}") from None
    return trees


def _flatten(record: Any) -> FlatTree:
    """Flatten nested nodes, without recursion so that no tree is too deep."""
    labels: list[Hashable] = []
    degrees: list[int] = []
    # Parents are found before their children, last child first; turned round, that is the order
    # wanted.
    waiting = [_top(record)]
    while waiting:
        label, children = _open(waiting.pop())
        labels.append(label)
        degrees.append(len(children))
        waiting.extend(children)
    return FlatTree(labels[::-1], degrees[::-1])


def _top(record: Any) -> Any:
    if not isinstance(record, (Tree, list, tuple)):
        raise DataError(f"got {type(record).__name__}. {_ADVICE}")
    return record


def _open(node: Any) -> tuple[Hashable, Sequence[Any]]:
    """Label and children of one node; anything that is not a sequence is a leaf."""
    if isinstance(node, Tree):
        label, children = node.label, node.children
    elif callable(name := getattr(node, "label", None)) and isinstance(node, list):
        label, children = name(), list(node)  # a tree of the natural language toolkit
    elif isinstance(node, (list, tuple)):
        if not node:
            raise DataError(f"it holds an empty node. {_ADVICE}")
        label, children = node[0], node[1:]
    else:
        label, children = node, ()
    try:
        hash(label)
    except TypeError:
        raise DataError(
            f"labels are words, numbers or tuples of these. Got {type(label).__name__} {label!r}."
        ) from None
    return label, children


def _parse(text: str) -> FlatTree:
    """Read brackets: after an opening one comes a label, then the children."""
    labels: list[Hashable] = []
    degrees: list[int] = []
    open_labels: list[str] = []
    open_degrees: list[int] = []
    expects_label = False
    finished = False
    for found in _PIECE.finditer(text):
        piece = found.group()
        if finished:
            raise DataError(
                f"there is more after its end, at character {found.start()}: {piece!r}."
            )
        if expects_label and piece in "()":
            raise DataError(
                f"a label is missing after the bracket before character {found.start()}."
            )
        if expects_label:
            open_labels.append(piece)
            open_degrees.append(0)
            expects_label = False
        elif piece == "(":
            expects_label = True
        else:
            if piece != ")":
                labels.append(piece)
                degrees.append(0)
            elif open_labels:
                labels.append(open_labels.pop())
                degrees.append(open_degrees.pop())
            else:
                raise DataError(f"the bracket at character {found.start()} closes nothing.")
            if open_degrees:
                open_degrees[-1] += 1
            finished = not open_labels
    if not finished:
        what = "brackets are left open" if open_labels or expects_label else "the text is empty"
        raise DataError(f"{what}. {_ADVICE}")
    return FlatTree(labels, degrees)
