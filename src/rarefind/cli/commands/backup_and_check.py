"""``rarefind backup``, ``check`` and ``salvage``: taking care of a store."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from rarefind.cli import options
from rarefind.cli.terminal.output import console, counted, print_json
from rarefind.core.errors import StorageError
from rarefind.store.opening import upgrade_store


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@options.store
@options.as_json
def backup(file: Path, store: str | None, as_json: bool) -> None:
    """Copy a store to FILE, a new SQLite store, while it is in use."""
    with options.open_to_read(store) as kept:
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
    if upgrade:
        upgrade_store(options.store_here(store))
    with options.open_to_read(store) as kept:
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


@click.command()
@click.argument("broken", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The new store."
)
@options.as_json
def salvage(broken: Path, out: Path, as_json: bool) -> None:
    """Bring back what can be read of BROKEN, a damaged SQLite store, and tell what is missing."""
    from rarefind.store.salvage import salvage as bring_back

    found = bring_back(broken, out)
    if as_json:
        print_json({"file": str(out), **asdict(found)})
        return
    for sentence in found.missing:
        console.print(sentence, markup=False)
    console.print(
        f"Brought back into {out}: {counted(found.hunts, 'hunt')}, "
        f"{counted(found.events, 'event')}, {counted(found.rankings, 'ranking')}.",
        markup=False,
    )
