"""``rarefind backup`` and ``rarefind check``: taking care of a store."""

from __future__ import annotations

from pathlib import Path

import click

from rarefind.cli import options
from rarefind.cli.terminal.output import console, counted, print_json
from rarefind.core.errors import StorageError
from rarefind.store.opening import open_store, upgrade_store


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@options.store
@options.as_json
def backup(file: Path, store: str | None, as_json: bool) -> None:
    """Copy a store to FILE, a new SQLite store, while it is in use."""
    with open_store(options.store_here(store), create=False) as kept:
        kept.backup(file)
    if as_json:
        print_json({"file": str(file)})
    else:
        console.print(f"Everything kept so far is in {file}.", markup=False)


@click.command()
@click.option("--repair", is_flag=True, help="Repair what can be repaired.")
@click.option("--upgrade", is_flag=True, help="Bring a store of an older rarefind up to date.")
@options.store
@options.as_json
def check(repair: bool, upgrade: bool, store: str | None, as_json: bool) -> None:
    """Verify that a store is whole and that every hunt in it can be replayed."""
    where = options.store_here(store)
    if upgrade:
        upgrade_store(where)
    with open_store(where, create=False) as kept:
        report = kept.check(repair=repair)
    if as_json:
        print_json(
            {
                "ok": report.ok,
                "faults": list(report.faults),
                "repaired": list(report.repaired),
                "hunts": report.hunts,
                "events": report.events,
            }
        )
    else:
        for sentence in report.repaired:
            console.print(f"Repaired: {sentence}", markup=False)
    if not report.ok:
        raise StorageError(" ".join(report.faults))
    if not as_json:
        console.print(
            f"The store is whole: {counted(report.hunts, 'hunt')}, "
            f"{counted(report.events, 'event')}."
        )
