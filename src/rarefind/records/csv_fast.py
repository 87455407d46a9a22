"""Large comma-separated files, read by Arrow where it is installed."""

from __future__ import annotations

from typing import IO, Any

import numpy as np

from rarefind.records.cells import read_column
from rarefind.records.limits import Watch
from rarefind.records.tables import Column

_BLOCK = 2**22


def read_fast(
    stream: IO[bytes], header: list[str], delimiter: str, watch: Watch
) -> tuple[dict[str, Column], str, dict[str, Any]] | None:
    """Read the rows after the header, or None: then the careful reader says what is wrong.

    Every different cell of a column is read once, by the same rules as in a small file.
    """
    try:
        import pyarrow as pa
        from pyarrow import csv
    except ImportError:
        return None
    if not stream.peek(1):  # type: ignore[attr-defined]
        return None
    try:
        reader = csv.open_csv(
            pa.PythonFile(stream, mode="r"),
            csv.ReadOptions(use_threads=False, block_size=_BLOCK, column_names=header),
            csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            csv.ConvertOptions(
                column_types=dict.fromkeys(header, pa.string()),
                strings_can_be_null=False,
                quoted_strings_can_be_null=False,
            ),
        )
        batches, rows = [], 0
        for batch in reader:
            rows += batch.num_rows
            watch.rows(rows)
            batches.append(batch)
    except pa.ArrowException:
        return None
    if not rows:
        return None
    table = pa.Table.from_batches(batches)
    columns, original = {}, {}
    for name in header:
        watch.time()
        cells = table.column(name)
        longest = pa.compute.max(pa.compute.binary_length(cells)).as_py()
        watch.cell(longest, f"column {name!r}")
        original[name] = cells
        columns[name] = _column(cells)
    return columns, watch.name, original


def _column(cells: Any) -> Column:
    coded = cells.dictionary_encode().unify_dictionaries().combine_chunks()
    coded = coded.chunk(0) if hasattr(coded, "chunk") else coded
    different = read_column(coded.dictionary.to_pylist())
    return different[np.asarray(coded.indices)]
