"""Identical records are one record with a weight: faster, and no radius is zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import chain
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rarefind.core.arrays import IntArray, Records, count, take


@dataclass(frozen=True)
class Folded:
    """Distinct records, called points, and the rows that hold each of them.

    Attributes
    ----------
    records
        The points, in the order of their first rows.
    weights
        How many rows hold each point.
    point_of
        The point of every row.
    first_row
        The first row of every point.
    """

    records: Records
    weights: IntArray
    point_of: IntArray
    first_row: IntArray


def fold(records: Records) -> Folded:
    """Find the distinct records. Objects that cannot be looked up all count as distinct.

    >>> folded = fold(["b", "a", "b"])
    >>> folded.records, folded.weights.tolist(), folded.point_of.tolist()
    (['b', 'a'], [2, 1], [0, 1, 0])
    """
    n = count(records)
    point_of = _numbered(records)
    first = np.full(int(point_of.max(initial=-1)) + 1, n)
    np.minimum.at(first, point_of, np.arange(n))
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    point_of = rank[point_of]
    weights = np.bincount(point_of, minlength=len(order)).astype(np.int64)
    distinct = records if len(order) == n else take(records, first[order])
    return Folded(distinct, weights, point_of, first[order])


def _numbered(records: Records) -> IntArray:
    """Give every record a number, the same for identical records."""
    if sparse.issparse(records):
        records = sparse.csr_array(records)
        records.sum_duplicates()
        records.eliminate_zeros()
        ends = list(zip(records.indptr[:-1], records.indptr[1:], strict=True))
        records = [(records.indices[a:b].tobytes(), records.data[a:b].tobytes()) for a, b in ends]
    if isinstance(records, np.ndarray) and records.dtype.kind in "biuf" and records.ndim == 2:
        if records.shape[1] == 0:
            return np.zeros(len(records), dtype=np.int64)
        # Adding zero turns -0.0 into 0.0, which are equal but have different bytes.
        return _numbered_rows(np.ascontiguousarray(records + records.dtype.type(0)))
    table = nw.from_native(records, pass_through=True, eager_only=True)
    rows = table.rows() if isinstance(table, nw.DataFrame) else records
    seen: dict[object, int] = {}
    try:
        keys = [_frozen(record) for record in rows]
        return np.array([seen.setdefault(key, len(seen)) for key in keys], dtype=np.int64)
    except TypeError:
        return np.arange(count(records), dtype=np.int64)


def _numbered_rows(rows: NDArray[Any]) -> IntArray:
    """Give equal rows the same number: sort one mixed-up number for each, not the rows.

    Different rows with the same mixed-up number are next to impossible; if there are any, the
    rows themselves are sorted.
    """
    raw = rows.view(np.uint8)
    wide = np.zeros((len(raw), -(-raw.shape[1] // 8) * 8), dtype=np.uint8)
    wide[:, : raw.shape[1]] = raw
    words = wide.view(np.uint64)
    mixed = mixed_words(words)
    order = np.argsort(mixed, kind="stable")
    same = mixed[order[1:]] == mixed[order[:-1]]
    twins = np.flatnonzero(same)
    if (words[order[twins]] != words[order[twins + 1]]).any():
        joined = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1])))
        return np.unique(joined.ravel(), return_inverse=True)[1].ravel().astype(np.int64)
    numbers = np.empty(len(rows), dtype=np.int64)
    numbers[order] = np.concatenate([[0], np.cumsum(~same)]) if len(rows) else order
    return numbers


def mixed_words(words: NDArray[np.uint64], seed: int = 0) -> NDArray[np.uint64]:
    """Mix the words of each row into one; another seed mixes them differently."""
    factors = np.frombuffer(np.random.default_rng(seed).bytes(words.shape[1] * 8), dtype=np.uint64)
    mixed = np.zeros(len(words), dtype=np.uint64)
    for place, factor in enumerate(factors):
        # A product carries bits upwards only, so upper halves are folded down.
        mixed += (words[:, place] ^ (words[:, place] >> np.uint64(32))) * (factor | np.uint64(1))
        mixed ^= mixed >> np.uint64(29)
    return mixed


_PLAIN = frozenset([str, bytes, int, float, bool, type(None)])
"""Types that can be looked up as they are."""

_ROWS = frozenset([list, tuple])
"""Types of edges and the like: rows of nothing but plain values are not looked through one by one,
which takes up to three times as long."""


def _frozen(record: Any) -> Any:
    """Return a record as something that can be looked up: equal for records written alike.

    >>> _frozen({"nodes": ["C", "O"], "edges": [[0, 1]]})
    (('edges', ((0, 1),)), ('nodes', ('C', 'O')))
    """
    if type(record) in _PLAIN:
        return record
    if isinstance(record, (list, tuple)):
        if _PLAIN.issuperset(map(type, record)):
            return tuple(record)
        if _ROWS.issuperset(map(type, record)) and _PLAIN.issuperset(map(type, chain(*record))):
            return tuple(map(tuple, record))
        return tuple([_frozen(part) for part in record])
    if is_dataclass(record):
        kind: Any = type(record)
        return kind, *[_frozen(getattr(record, name)) for name in _names_of_fields(kind)]
    if isinstance(record, Mapping):
        return tuple(sorted((str(key), _frozen(value)) for key, value in record.items()))
    if isinstance(record, (set, frozenset)):
        return frozenset(_frozen(part) for part in record)
    if isinstance(record, np.ndarray):
        return record.shape, record.dtype.str, record.tobytes()
    return record


@cache
def _names_of_fields(kind: type) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind))
