from __future__ import annotations

import numpy as np
import pytest

from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of payments with a rare class, and files that cannot be used."""
    home = tmp_path_factory.mktemp("cli")
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(150, 2)), rng.normal(8, 0.1, size=(6, 2))])
    kinds = np.array(["ordinary"] * 150 + ["fraud"] * 6, dtype=object)
    country = np.array([*["se", "no", "dk"] * 50, *["lt"] * 6], dtype=object)
    order = rng.permutation(156)
    columns = {
        "amount": X[order, 0].round(4),
        "hour": X[order, 1].round(4),
        "country": country[order],
        "kind": kinds[order],
    }
    for ending in ("csv", "parquet"):
        write_table(Table(columns, "t"), home / f"payments.{ending}")
    write_table(Table({**columns}, "t").without(["kind"]), home / "raw.csv")
    (home / "empty.csv").write_text("")
    (home / "zero.db").write_bytes(b"")
    (home / "one.csv").write_text("a,kind\n9,fraud\n" + "1,ordinary\n" * 20)
    (home / "ragged.csv").write_text("a,b\n1,2\n3\n")
    return home
