"""Small records of every kind, the same wherever and whenever they are made.

Numbers are whole or sixteenths, so they are exact; nothing is drawn at random.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import sparse

KINDS = np.arange(24) % 3
"""Three classes of eight records each."""
RARE = (np.arange(24) % 4 == 0).astype(int)
"""Six rare records among ordinary ones."""
WORDS = np.array(["plain", "plain", "odd", "plain", "other", "plain"] * 4, dtype=object)
"""Two rare classes beside a large one, named by words."""


def _sixteenths(rows, columns, seed):
    places = np.arange(rows)[:, None] * 37 + np.arange(columns)[None, :] * 61 + seed
    return (places * places % 97) / 16


VECTORS = _sixteenths(24, 3, 5) + 2.5 * RARE[:, None] + KINDS[:, None]
QUERIES = _sixteenths(7, 3, 11)
SPARSE = sparse.csr_array(np.where(VECTORS > 4, VECTORS, 0.0))
SPARSE_QUERIES = sparse.csr_array(np.where(QUERIES > 2, QUERIES, 0.0))
GAPS = np.where(VECTORS == 2.125, np.nan, VECTORS)
TABLE = pd.DataFrame(
    {"name": ["gatta", "catag", "tagac"] * 8, "amount": VECTORS[:, 0], "size": VECTORS[:, 1]}
)
TABLE_QUERIES = pd.DataFrame(
    {"name": ["gatta", "ttt", "", "cag"], "amount": QUERIES[:4, 0], "size": QUERIES[:4, 1]}
)
CELLS = np.array([list("abac" * 6), VECTORS[:, 0].tolist()], dtype=object).T

STRINGS = ["gattaca", "gatt", "cata", "tagacat", "", "éåß", "acacac", "ttt", "gat", "catgat"]
STRING_QUERIES = ["gataca", "", "ccc", "tgca"]
EQUAL = ["gatc", "catg", "ttta", "gagc", "ccat", "attg", "gttt", "cccc"]
EQUAL_QUERIES = ["gata", "tttt", "acgt"]
SETS = [{"a", "b"}, {"b"}, set(), {"a", "c", "d"}, {"d"}, {"a", "b", "c"}]
SET_QUERIES = [{"a"}, {"b", "d"}, set()]
TEXTS = ["a cat sat", "the cat ran", "a dog ran far", "fish swim", "the dog sat", "fish far"]
TEXT_QUERIES = ["the fish sat", "a bird", "cat cat dog"]
TREES = [
    ("S", ("NP", "D", "N"), ("VP", "V")),
    ("S", ("NP", "N"), ("VP", "V")),
    ("NP", "D", "N"),
    ("S", ("NP", "D", "N"), ("VP", "V", "N")),
    ("VP", "V"),
    ("VP", "V", "N"),
]
TREE_QUERIES = [("NP", "N"), "(S (NP D N) (VP V))"]
GRAPHS = [
    {"nodes": ["C", "C", "O"], "edges": [[0, 1], [1, 2]]},
    {"nodes": ["C", "N"], "edges": [[0, 1]]},
    {"nodes": ["C"], "edges": []},
    {"nodes": ["C", "C", "C", "O"], "edges": [[0, 1], [1, 2], [2, 0], [2, 3]]},
    {"nodes": ["O", "O"], "edges": [[0, 1]]},
    {"nodes": ["N", "C", "N"], "edges": [[0, 1], [1, 2]]},
]
GRAPH_QUERIES = [
    {"nodes": ["C", "O"], "edges": [[0, 1]]},
    {"nodes": ["C", "C", "C"], "edges": [[0, 1], [1, 2], [2, 0]]},
]
BAGS = [VECTORS[:3], VECTORS[3:4], VECTORS[4:9], VECTORS[2:6], VECTORS[9:11], VECTORS[11:14]]
BAG_QUERIES = [QUERIES[:2], QUERIES[2:5]]
NODES = [0, 1, 2, 3, 4, 5]


def alternating(records):
    """Give two classes in turn."""
    return np.arange(len(records)) % 2


def _mixed(table):
    """Words, dates, lists of numbers and a gap beside the numbers."""
    days = pd.date_range("2024-01-01", periods=len(table), freq="7D")
    pairs = table[["amount", "size"]].to_numpy().tolist()
    amounts = [None, *table["amount"].tolist()[1:]]
    return table.assign(amount=amounts, day=days, pair=pairs)


def _written(table):
    """Numbers and dates in words."""
    prices = [f"${amount:,.2f}" for amount in table["amount"]]
    days = [f"{1 + row % 28} May 2024" for row in range(len(table))]
    return table.assign(price=prices, day=days)[["price", "day", "size"]]


MIXED, MIXED_QUERIES = _mixed(TABLE), _mixed(TABLE_QUERIES)
WRITTEN, WRITTEN_QUERIES = _written(TABLE), _written(TABLE_QUERIES)
