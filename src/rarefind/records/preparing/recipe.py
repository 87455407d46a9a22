"""From a table and the kinds of its columns to records that can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.kernels.contract import Kernel
from rarefind.kernels.formulas.reading import format_kernel, parse_kernel
from rarefind.records.columns.kinds import ColumnKind
from rarefind.records.preparing.default_kernels import kernel_for, middle_distance
from rarefind.records.preparing.own_transformer import Transformed
from rarefind.records.preparing.parts import (
    SPECIAL,
    VectorPart,
    compared_kinds,
    learn_part,
    part_values,
    refuse_too_many,
    rows_of,
    special_values,
    stacked,
)
from rarefind.records.table import Table

VECTORS = "vectors"
"""The part of a record that holds all its numbers, for kernels on several parts."""

_USUAL_SQUARE = 2.0
"""Squared distance of two records of length one that have nothing in common."""

_PLURALS = {
    "number": "number",
    "category": "category",
    "date": "date",
    "boolean": "yes-or-no column",
    "picture": "picture",
}
"""What kinds are called in a sentence, where that is not their own name."""


class Recipe(Protocol):
    """What was learnt about a table, to prepare other tables alike."""

    def __call__(self, table: Table) -> Records:
        """Prepare the records of a table."""
        ...


@dataclass(frozen=True)
class Prepared:
    """Records ready to be compared.

    Attributes
    ----------
    records
        Vectors, or a list that the kernel takes.
    kernel
        The kernel that compares them; None for distances between the vectors.
    scale
        The ``scale`` for :class:`rarefind.Hunt`: "none", since vectors are scaled already.
    names
        What the columns of the vectors are called; empty for a list.
    left_out
        Columns that play no part in the comparison.
    description
        How records are compared, in one sentence.
    """

    records: Records
    kernel: Kernel | None
    scale: str
    names: tuple[str, ...]
    left_out: tuple[str, ...]
    description: str
    recipe: Recipe

    def more(self, table: Table) -> Records:
        """Prepare further rows with what was learnt: same columns, unknown words all zeros."""
        return self.recipe(table)


def prepare(
    table: Table,
    kinds: Sequence[ColumnKind],
    *,
    kernel: Kernel | str | None = None,
    transformer: Any = None,
) -> Prepared:
    """Prepare the records of a table.

    Parameters
    ----------
    table
        The records, without the column of labels.
    kinds
        What the columns hold, from :func:`rarefind.records.columns.kinds.detect_kinds`.
    kernel
        How records are compared: a kernel or its specification. Without one, columns that are no
        texts, sequences, molecules or graphs become vectors, and these get a kernel of their own.
    transformer
        A scikit-learn transformer that makes vectors of the table in place of all this.

    Examples
    --------
    >>> import numpy as np
    >>> from rarefind.records.columns.kinds import detect_kinds
    >>> table = Table({"size": np.array([1.0, 2.5]), "ok": np.array(["yes", "no"], object)}, "t")
    >>> prepare(table, detect_kinds(table)).description
    'compared by 1 number and 1 yes-or-no column'
    """
    kinds = compared_kinds(kinds)
    used = [kind for kind in kinds if kind.kind != "id"]
    aside = tuple(name for kind in kinds if kind.kind == "id" for name in kind.columns)
    if transformer is not None:
        recipe = Transformed.learnt(transformer, table, used)
        words = f"compared by the vectors of {type(transformer).__name__}"
        return Prepared(recipe.first, kernel_of(kernel), "none", recipe.names, aside, words, recipe)
    if not used:
        raise DataError(
            f"{table.source}: there is nothing to compare records by; every column is an "
            f"identifier or empty ({', '.join(aside) or 'no columns'}). Give a column another kind."
        )
    if kernel is None:
        return _by_default(table, used, aside)
    return _by_kernel(table, kinds, kernel_of(kernel), aside)


def kernel_of(kernel: Kernel | str | None) -> Any:
    """Return the kernel, read from its specification if it is a word."""
    return parse_kernel(kernel, files=False) if isinstance(kernel, str) else kernel


def _by_default(table: Table, used: list[ColumnKind], aside: tuple[str, ...]) -> Prepared:
    special = [kind for kind in used if kind.kind in SPECIAL]
    refuse_too_many(special, table.source)
    parts, empty = _learn(table, [kind for kind in used if kind.kind not in SPECIAL])
    aside += empty
    if not special:
        return prepared_vectors(table, parts, None, aside)
    if len(special) == 1 and not parts:
        single = _Single(special[0])
        values = single(table)
        chosen = kernel_for(special[0].kind, values)
        return Prepared(values, chosen, "none", (), aside, _said(special, chosen), single)
    return _mixed(table, special, parts, aside)


def _by_kernel(
    table: Table, kinds: Sequence[ColumnKind], kernel: Kernel, aside: tuple[str, ...]
) -> Prepared:
    named = columns_named(kernel)
    used = [kind for kind in kinds if kind.kind != "id"]
    special = [kind for kind in used if kind.kind in SPECIAL]
    plain = [kind for kind in used if kind.kind not in SPECIAL]
    if named:
        return _on_columns(table, kinds, kernel, named)
    if kernel.takes_vectors and (plain or not special):
        parts, empty = _learn(table, plain)
        others = tuple(kind.name for kind in special)
        return prepared_vectors(table, parts, kernel, aside + empty + others)
    choices = special or [kind for kind in plain if kind.kind == "category"]
    if len(choices) != 1:
        found = ", ".join(f"{kind.name} ({kind.kind})" for kind in choices) or "none"
        raise DataError(
            f"{table.source}: {format_kernel(kernel, short=True)} compares one column of texts, "
            f"sequences, molecules or graphs, and there are {len(choices)} ({found}). Name the "
            "column, as in on(column, kernel)."
        )
    single = _Single(choices[0])
    rest = tuple(name for kind in plain if kind not in choices for name in kind.columns)
    said = _said(choices, kernel)
    return Prepared(single(table), kernel, "none", (), aside + rest, said, single)


def _learn(table: Table, kinds: Sequence[ColumnKind]) -> tuple[list[VectorPart], tuple[str, ...]]:
    learnt = [(kind, learn_part(table, kind)) for kind in kinds]
    empty = tuple(name for kind, part in learnt if part is None for name in kind.columns)
    return [part for _, part in learnt if part is not None], empty


def prepared_vectors(
    table: Table, parts: Sequence[VectorPart], kernel: Kernel | None, aside: tuple[str, ...]
) -> Prepared:
    """Prepare vectors from what was learnt about each column; ``aside`` are columns left out."""
    recipe = _Stacked(tuple(parts))
    names = tuple(name for part in parts for name in part.encoder.names)
    said = f"compared by {_counted([part.kind for part in parts])}"
    if kernel is not None:
        said += f" in {format_kernel(kernel, short=True)}"
    return Prepared(recipe(table), kernel, "none", names, aside, said, recipe)


def _mixed(
    table: Table, special: list[ColumnKind], parts: list[VectorPart], aside: tuple[str, ...]
) -> Prepared:
    """Add up a kernel on each special column and a linear one on the vectors of all the rest.

    Squared distances then add up as well, and the weight makes their middle the same. A linear
    kernel keeps far vectors far, and has features, so that large tables stay fast.
    """
    from rarefind.kernels import Linear, On

    title = VECTORS
    while title in table.columns:
        title += "_"
    recipe = _Rows(tuple(special), {}, tuple(parts), title)
    total: Kernel | None = None
    for kind in special:
        term: Kernel = On(kind.name, kernel_for(kind.kind, special_values(table, kind)))
        total = term if total is None else total + term
    assert total is not None
    if parts:
        weight = _USUAL_SQUARE / middle_distance(stacked(parts, table)) ** 2
        total = total + float(f"{weight:.3g}") * On(title, Linear())
    said = _said([*special, *(part.kind for part in parts)], total)
    return Prepared(recipe(table), total, "none", (), aside, said, recipe)


def _on_columns(
    table: Table, kinds: Sequence[ColumnKind], kernel: Kernel, named: list[Any]
) -> Prepared:
    known = {kind.name: kind for kind in kinds}
    for name in named:
        if name not in known:
            table.column(str(name))  # refuses what is not there, with the nearest match
    used = [kind for kind in kinds if kind.name in named]
    plain = [kind for kind in used if kind.kind not in (*SPECIAL, "category", "id")]
    learnt = {kind.name: learn_part(table, kind) for kind in plain}
    recipe = _Rows(tuple(used), learnt, (), VECTORS)
    rest = tuple(name for kind in kinds if kind not in used for name in kind.columns)
    return Prepared(recipe(table), kernel, "none", (), rest, _said(used, kernel), recipe)


def columns_named(kernel: Kernel) -> list[Any]:
    """List the columns that the kernel looks at by name."""
    from rarefind.kernels import On

    if isinstance(kernel, On):
        several = isinstance(kernel.column, list | tuple)
        return list(kernel.column) if several else [kernel.column]  # type: ignore[arg-type]
    return [name for inner in kernel._inner().values() for name in columns_named(inner)]


def _said(kinds: Sequence[ColumnKind], kernel: Kernel) -> str:
    written = format_kernel(kernel, short=True)
    if len(kinds) == 1 and kinds[0].kind in SPECIAL:
        return f"{kinds[0].kind}s compared by {written}"
    return f"compared by {_counted(kinds)} in {written}"


def _counted(kinds: Sequence[ColumnKind]) -> str:
    """Say how many columns of each kind there are."""
    counts = Counter(kind.kind for kind in kinds)
    words = []
    for kind, count in counts.items():
        title = _PLURALS.get(kind, kind)
        plural = f"{title[:-1]}ies" if title.endswith("y") else f"{title}s"
        words.append(f"{count} {title if count == 1 else plural}")
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@dataclass(frozen=True)
class _Stacked:
    parts: tuple[VectorPart, ...]

    def __call__(self, table: Table) -> FloatArray:
        return stacked(self.parts, table)


@dataclass(frozen=True)
class _Single:
    kind: ColumnKind

    def __call__(self, table: Table) -> list[Any]:
        return special_values(table, self.kind)


@dataclass(frozen=True)
class _Rows:
    columns: tuple[ColumnKind, ...]
    learnt: dict[str, VectorPart | None]
    stacked: tuple[VectorPart, ...]
    title: str

    def __call__(self, table: Table) -> Records:
        parts = {
            kind.name: part_values(table, kind, self.learnt.get(kind.name)) for kind in self.columns
        }
        if self.stacked:
            parts[self.title] = [tuple(row) for row in stacked(self.stacked, table).tolist()]
        return rows_of(parts)
