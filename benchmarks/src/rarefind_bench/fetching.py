"""``rarefind bench fetch``: data sets brought into the cache ahead of time."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape

from rarefind.cli.terminal.output import console, print_json, progress_bar
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.names import unknown_name
from rarefind.records.embedding.cache_folder import CACHE
from rarefind_bench.datasets import webkb
from rarefind_bench.datasets.download import CannotFetchError, cached, fetch
from rarefind_bench.datasets.location import VARIABLE
from rarefind_bench.datasets.openml import RECIPES

FETCHED = {file.removesuffix(".parquet"): file for file in RECIPES}
"""What can be fetched, by the names that people type."""


@click.command("fetch", help="Bring data sets into the cache, and verify them.")
@click.argument("names", nargs=-1, required=True)
@click.option(
    "--archive",
    type=click.Path(path_type=Path),
    help=f"Build webkb from this copy of {webkb.ARCHIVE}, without a network.",
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def fetch_sets(names: tuple[str, ...], archive: Path | None, as_json: bool) -> None:
    """Fetch every set named; one that is there and whole is not fetched again."""
    for name in names:
        if name not in FETCHED:
            raise unknown_name("set that can be fetched called", name, sorted(FETCHED))
    if archive is not None and names != ("webkb",):
        raise ParameterError(f"--archive is for webkb alone. Got {', '.join(names)}.")
    places = {}
    with progress_bar():
        for name in names:
            places[name] = str(_brought(name, archive))
    if as_json:
        print_json(places)
        return
    for name, place in places.items():
        console.print(f"{name} is in {escape(place)}.")


def _brought(name: str, archive: Path | None) -> Path:
    file = FETCHED[name]
    try:
        return (None if archive else cached(file)) or fetch(file, archive)
    except CannotFetchError as problem:
        other = (
            f"fetch {webkb.ADDRESS} on another machine and name it with --archive"
            if name == "webkb"
            else f"put {file} into a folder and name it in the environment variable {VARIABLE}"
        )
        raise DataError(
            f"{name} was not fetched: {problem}. Call this again where there is a network (what "
            f"has come is kept, in {CACHE} or ~/.cache/rarefind), or {other}."
        ) from None
