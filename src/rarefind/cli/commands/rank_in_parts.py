"""Rankings of files larger than memory: by stream, or on a cluster."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from rarefind.cli import options
from rarefind.core.errors import ParameterError
from rarefind.service.facade import Service
from rarefind.service.hunts.catalogue import default_name
from rarefind.service.hunts.large_files import too_large
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.views import RankedView
from rarefind.store.opening import open_store


def goes_by_stream(file: Path, settings: HuntSettings, model: str, out: Path | None) -> bool:
    """Tell whether a file is ranked by stream, since memory should not hold it."""
    if model not in ("auto", "lago") or settings.kernel or settings.kinds or settings.leave_out:
        return False
    if not too_large(file):
        return False
    if out is None or out.suffix.lower() != ".parquet":
        raise ParameterError(
            f"{file.name} is larger than memory should hold. Write the ranking to a Parquet file, "
            "as in --out ranked.parquet: then it is ranked by stream."
        )
    return True


def rank_by_stream(
    file: Path,
    hunt: str | None,
    settings: HuntSettings,
    target: str,
    top: int,
    store: str | None,
    out: Path | None,
) -> tuple[dict[str, Any], list[RankedView]]:
    """Score a file batch by batch with LAGO; return the summary and the rows shown."""
    from rarefind.service.ranking.by_stream import rank_parquet

    began = time.perf_counter()
    labels: dict[int, str] | None = None
    if settings.label_column is None:
        where = options.store_beside(store, file)
        with Service(open_store(where, create=False)) as service:
            view = service.open_hunt(file, name=hunt or default_name(file), create=False)
            if HuntSettings.from_mapping(view.settings).reading() != HuntSettings().reading():
                raise ParameterError(
                    f"{file.name} is larger than memory should hold, and by stream all its columns "
                    "are read as they are, unlike in this hunt. Allow more memory with "
                    "RAREFIND_MEMORY_LIMIT, or use --cluster local."
                )
            labels = service.labels(view.id)
            if view.n_records > service.store.dataset(view.dataset_id).n_rows:
                raise ParameterError(
                    f"{file.name} is larger than memory should hold, and by stream one file is "
                    "ranked, while records of others were added to this hunt. Allow more memory "
                    "with RAREFIND_MEMORY_LIMIT."
                )
    assert out is not None
    made = rank_parquet(
        file, out, target, labels=labels, label_column=settings.label_column, top=top
    )
    told = {
        "target": target,
        "model": "lago",
        "why": "lago, by stream: the file is larger than memory should hold. Records are "
        f"{made.description}.",
        "average_precision": None,
        "seconds": round(time.perf_counter() - began, 3),
    }
    rows = [
        RankedView(place, int(row), float(score), None, "")
        for place, (row, score) in enumerate(zip(made.rows, made.scores, strict=True), start=1)
    ]
    return summary_of(told, made.known, made.n_rows, None), rows


def rank_on_cluster(
    address: str,
    folder: Path | None,
    file: Path,
    hunt: str | None,
    settings: HuntSettings,
    target: str,
    model: str,
    top: int,
    store: str | None,
    out: Path | None,
) -> tuple[dict[str, Any], list[RankedView]]:
    """Let a Dask cluster score the file; return the summary and the rows shown."""
    from rarefind.service.on_cluster.hunts import ClusterService, check_ranking, join_cluster
    from rarefind.service.on_cluster.tables import ClusterTables

    check_ranking(model, out)
    from_hunt = settings.label_column is None
    where = options.store_beside(store, file) if from_hunt else "memory:"
    with (
        open_store(where, create=not from_hunt) as kept,
        join_cluster(address, file, folder) as cluster,
        ClusterService(kept, cluster, ClusterTables()) as service,
    ):
        first: dict[str, Any] = {}
        if from_hunt:
            name = hunt or default_name(file)
            first["ranking_id"], made = service.rank_hunt(file, name, target, model, out, top)
        else:
            made = service.rank_labelled(file, settings, target, model, out, top)
    ranking, quality = made.ranking, made.ranking.quality
    told = {
        "target": target,
        "model": ranking.model,
        "why": ranking.chosen,
        "average_precision": ranking.quality.average_precision,
        "seconds": round(ranking.seconds, 3),
    }
    return {
        **first,
        **summary_of(told, quality.examples, made.n_ranked, quality.chance),
    }, made.shown


def summary_of(
    made: dict[str, Any], known: int, ranked: int, chance: float | None
) -> dict[str, Any]:
    """Sum up a ranking as it is told, on the terminal and in JSON."""
    wanted = ("target", "model", "why", "average_precision", "seconds")
    return {
        **{name: made[name] for name in wanted},
        "known_examples": known,
        "ranked": ranked,
        "chance": chance,
        **({"kernel_weights": weights} if (weights := made.get("kernel_weights")) else {}),
    }
