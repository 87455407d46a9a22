"""The cost of ranking a file larger than memory should hold, from Parquet to Parquet."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.threads import workers
from rarefind.detection import Lago
from rarefind.detection.lago.votes import every_digit
from rarefind.records.formats.parquet import import_pyarrow
from rarefind.records.formats.parquet_stream import ParquetSink
from rarefind.records.table import Table
from rarefind.service.ranking.by_stream import rank_parquet, score_parquet
from rarefind_bench.measuring.clocks import spent
from rarefind_bench.scale.work.made_up import made_up
from rarefind_bench.scale.work.ranking import BLOCK, EXAMPLES, bare_distances

AT_ONCE = 2**18
"""Rows made and written at a time."""


def accept_stream(what: Mapping[str, Any]) -> dict[str, Any]:
    """Score a file three times: scores alone, all columns written, and features prepared first."""
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        source, out = Path(folder) / "in.parquet", Path(folder) / "out.parquet"
        first = write_blocks(source, what)
        labels = {row: "rare" if row < EXAMPLES else "ordinary" for row in range(10 * EXAMPLES)}
        known = np.array([label == "rare" for label in labels.values()])
        model = Lago(target=True).fit(first[: len(known)], known)
        score = _scores_of(model)
        alone = spent(lambda: score_parquet(source, out, score, keep=[]))
        whole = spent(lambda: score_parquet(source, out, score))
        prepared = spent(lambda: rank_parquet(source, out, "rare", labels=labels))
        size = source.stat().st_size / 1e9
    block, centres = first[:BLOCK], np.asarray(model.centres_)
    turns = range(0, int(what["rows"]), len(block))
    bare = spent(lambda: [bare_distances(block, centres) for _ in turns])
    return {
        "scores only": alone.as_dict(),
        "all columns": whole.as_dict(),
        "prepared": prepared.as_dict(),
        "distances": bare.as_dict(),
        "threads": workers(),
        "file": size,
    }


def _scores_of(model: Any) -> Callable[[Table], FloatArray]:
    """Score tables by a model that takes the numbers of all columns, in their order."""

    def score(table: Table) -> FloatArray:
        # Columns stay columns in memory: that is how they come, and how votes are added up.
        with every_digit():
            return np.asarray(model.decision_function(np.array(list(table.columns.values())).T))

    return score


def write_blocks(path: Path, what: Mapping[str, Any]) -> FloatArray:
    """Write a Parquet file block by block; return the first block."""
    pa = import_pyarrow("Writing Parquet")
    total = int(what["rows"])
    first = made_up({**what, "rows": min(AT_ONCE, total)}).X
    names = [f"x{feature}" for feature in range(first.shape[1])]
    with ParquetSink(path) as sink:
        for start in range(0, total, len(first)):
            rows = min(len(first), total - start)
            shift = np.random.default_rng(start).normal(0.0, 0.01, size=(rows, first.shape[1]))
            block = first[:rows] + shift * bool(start)
            sink.write(pa.record_batch([pa.array(column) for column in block.T], names=names))
    return first
