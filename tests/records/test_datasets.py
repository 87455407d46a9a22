"""Every public data set opens with nothing said but which column holds the labels."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.by_ending import read_table
from rarefind.records.preparing.recipe import prepare
from tests.outside import outside

VECTORS = {
    "abalone": (4177, {"category": 1, "number": 7}),
    "ecoli": (336, {"number": 7}),
    "glass": (214, {"number": 9}),
    "hiv_bcut": (39456, {"number": 8, "id": 1}),
    "hiva": (3845, {"boolean": 1617}),
    "kdd99_10": (494021, {"number": 34, "category": 3, "boolean": 4}),
    "mammography": (11183, {"number": 6}),
    "mnist": (30000, {"picture": 1, "id": 1}),
    "nursery": (12960, {"category": 8}),
    "optdigits": (5620, {"picture": 1, "id": 1}),
    "page_blocks": (5473, {"number": 10}),
    "pendigits": (10992, {"number": 16, "id": 1}),
    "shuttle_test": (14500, {"number": 9}),
    "shuttle_train": (43500, {"number": 9}),
    "winequality": (6497, {"number": 11, "category": 1}),
}
KERNELS = {
    "amp_peptides": (5200, "sequences compared by normalized(spectrum(2))"),
    "caspase3_sites": (185605, "sequences compared by normalized(spectrum(2))"),
    "splice": (3190, "sequences compared by normalized(spectrum)"),
    "surnames": (20074, "sequences compared by normalized(blended-spectrum)"),
    "hiv": (41127, "molecules compared by normalized(blended-spectrum(4))"),
    "sms_spam": (5574, "texts compared by vector-space"),
    "webkb4_stemmed": (4199, "texts compared by normalized(latent-semantic(50))"),
    "webkb": (
        8282,
        "compared by 1 text and 1 category in on(text, normalized(latent-semantic(50))) + "
        "2*on(vectors, linear)",
    ),
    "MUTAG": (188, "graphs compared by normalized(weisfeiler-lehman(3, edge_labelled=true))"),
    "PROTEINS": (1113, "graphs compared by normalized(weisfeiler-lehman(3))"),
}
LARGE = {"kdd99_10": 20_000, "mnist": 3_000, "hiva": 1_000, "caspase3_sites": 20_000}
"""Of large sets only so many rows are prepared here."""


def opened(name):
    ending = "jsonl.gz" if name in ("MUTAG", "PROTEINS") else "parquet"
    table = read_table(outside("RAREFIND_DATA", f"{name}.{ending}"))
    assert None not in table.words("label")
    return table.without(["label"])


@pytest.mark.parametrize("name", VECTORS)
def test_a_set_of_vectors_opens_and_is_prepared(name):
    table = opened(name)
    rows, expected = VECTORS[name]
    assert table.n_rows == rows
    kinds = detect_kinds(table)
    counts = {kind.kind: 0 for kind in kinds}
    for kind in kinds:
        counts[kind.kind] += 1
    assert counts == expected
    some = table.chosen(np.arange(LARGE[name])) if name in LARGE else table
    ready = prepare(some, kinds)
    assert ready.kernel is None
    assert ready.records.shape == (some.n_rows, len(ready.names))
    assert np.isfinite(ready.records).all()
    few = some.chosen(np.arange(20))
    np.testing.assert_allclose(ready.more(few), ready.records[:20])


@pytest.mark.parametrize("name", KERNELS)
def test_a_set_of_other_records_opens_and_gets_a_kernel(name):
    table = opened(name)
    rows, description = KERNELS[name]
    assert table.n_rows == rows
    some = table.chosen(np.arange(LARGE[name])) if name in LARGE else table
    ready = prepare(some, detect_kinds(table))
    assert ready.description == description
    sample = ready.records[:60]
    gram = ready.kernel(sample)
    assert np.linalg.eigvalsh(gram).min() > -1e-8
    if "split" in table.columns:
        assert "split" in ready.left_out
