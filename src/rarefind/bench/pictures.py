"""A picture of what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rarefind.bench.labelled import LabelledSet
from rarefind.core.errors import DataError
from rarefind.evaluation.plots import draw_map, figure


def write_picture(folder: Path, drawn: LabelledSet, rows: Sequence[int], strategy: str) -> Path:
    """Draw all records in the plane with those asked about, as a PNG file in the folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise DataError(f"The folder {folder} cannot be made: {problem.strerror}.") from None
    path = folder / f"{drawn.name.replace(' ', '-')}.png"
    places = np.asarray(drawn.records)[:, :2]
    labels = {int(row): drawn.labels[row] for row in rows}
    with figure(7.5, 5.0) as (canvas, axes):
        draw_map(axes, places, labels, frozenset([drawn.background]))
        axes.set_title(f"{drawn.name}: the {len(rows)} records {strategy} asked about", loc="left")
        canvas.savefig(path, dpi=120)
    return path
