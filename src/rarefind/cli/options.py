"""Options that several commands share, and how they are read."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rarefind.core.errors import ParameterError
from rarefind.records.read_as import ReadAs
from rarefind.records.several_names import joined_name

if TYPE_CHECKING:
    from rarefind.store.contract import Store

Command = Callable[..., Any]

as_json = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
label_column = click.option("--label-column", metavar="COLUMN", help="Column that holds labels.")
store = click.option(
    "--store",
    metavar="URL",
    envvar="RAREFIND_STORE",
    help="Where hunts are kept: a file, or postgresql://user@host/database. "
    "Usually rarefind.db beside the file; RAREFIND_STORE sets it as well.",
)
annotator = click.option("--annotator", metavar="NAME", help="Who answers. Usually your login.")


def cluster(command: Command) -> Command:
    """Add the options that let a cluster do the work."""
    for option in (
        click.option(
            "--cluster-folder",
            metavar="FOLDER",
            type=click.Path(path_type=Path),
            help="Where the cluster keeps its work; all machines must see it. "
            "Usually hidden, beside FILE.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Let a Dask cluster work on Parquet files: tcp://host:8786, or 'local' for "
            "processes on this machine.",
        ),
    ):
        command = option(command)
    return command


def _with_files(_: click.Context, __: click.Parameter, formula: str | None) -> str | None:
    """Put what a formula names in files into it: hunts are opened again from other folders."""
    if formula is None:
        return None
    from rarefind.kernels.formulas.reading import with_files_inside

    return with_files_inside(formula)


_EMBEDDED = (
    click.option(
        "--pictures",
        metavar="FOLDER",
        help="Where the pictures lie that FILE names. Usually beside it.",
    ),
    click.option(
        "--embeddings",
        metavar="FILE[:COLUMN]",
        help="Embeddings of the records (.npy, .npz, .parquet, .csv), in the same order or "
        "by a column that tells whose they are.",
    ),
    click.option(
        "--embed",
        metavar="MODEL",
        help="Make embeddings of the pictures or texts: looks, pixels, or a model that an "
        "installed package brings.",
    ),
)
"""Where pictures lie, and what stands for them and for texts."""


def _embedded(pictures: str | None, embeddings: str | None, embed: str | None) -> ReadAs:
    """Name files by whole paths: hunts are opened again from other folders."""
    return ReadAs(
        pictures=None if pictures is None else str(Path(pictures).absolute()),
        embeddings=None if embeddings is None else str(Path(embeddings).absolute()),
        embed=embed,
    )


def embedded(command: Command) -> Command:
    """Add the options about pictures and embeddings alone; ``read_as`` tells them."""

    @functools.wraps(command)
    def told(
        *args: Any, pictures: str | None, embeddings: str | None, embed: str | None, **others: Any
    ) -> Any:
        how = _embedded(pictures, embeddings, embed).check()
        return command(*args, read_as=how.as_mapping(), **others)

    made: Command = told
    for option in _EMBEDDED:
        made = option(made)
    return made


_kernel = click.option(
    "--kernel",
    metavar="SPEC",
    callback=_with_files,
    help="How records are compared, as in 'gap-weighted(3) + 2*spectrum(4)'.",
)


def reading(command: Command) -> Command:
    """Add the options that say how a file is read and compared; ``settings`` holds them."""
    return _told_by(command, (_kernel, *_COLUMNS))


def columns(command: Command) -> Command:
    """Add the options that say what a file holds; ``settings`` holds them."""
    return _told_by(command, _COLUMNS)


def _told_by(command: Command, asked: tuple[Callable[[Command], Command], ...]) -> Command:
    @functools.wraps(command)
    def told(
        *args: Any,
        kinds: tuple[str, ...],
        leave_out: tuple[str, ...],
        missing: tuple[str, ...],
        delimiter: str | None,
        encoding: str | None,
        header: str | None,
        pictures: str | None,
        embeddings: str | None,
        embed: str | None,
        kernel: str | None = None,
        **others: Any,
    ) -> Any:
        from rarefind.service.hunts.settings import HuntSettings

        first = None if header is None else header == "yes"
        seen = _embedded(pictures, embeddings, embed)
        how = replace(seen, delimiter=delimiter, encoding=encoding, header=first, missing=missing)
        settings = HuntSettings(
            kernel=kernel,
            kinds=read_kinds(kinds),
            leave_out=leave_out,
            read_as=how.check().as_mapping(),
        )
        return command(*args, settings=settings, **others)

    made: Command = told
    for option in asked:
        made = option(made)
    return made


_COLUMNS = (
    click.option(
        "--leave-out",
        multiple=True,
        metavar="COLUMN",
        help="Column to show and not to compare by; may be given several times.",
    ),
    click.option(
        "--kind",
        "kinds",
        multiple=True,
        metavar="COLUMN=KIND",
        help="What a column holds: number, category, date, boolean, text, sequence, "
        "molecule, graph, set, tree, picture, vector or id; may be given several times.",
    ),
    *_EMBEDDED,
    click.option(
        "--missing",
        multiple=True,
        metavar="WORD",
        help="Word that stands for a gap, as in -999; may be given several times.",
    ),
    click.option(
        "--delimiter",
        metavar="CHARACTER",
        help="What stands between cells (or tab). Usually noticed.",
    ),
    click.option(
        "--encoding",
        metavar="NAME",
        help="How letters are written, as in latin-1. Usually noticed.",
    ),
    click.option(
        "--header",
        type=click.Choice(["yes", "no"]),
        help="Whether the first line holds names. Usually noticed.",
    ),
)
"""What a file holds, and how it is written."""


def _one_path(_: click.Context, __: click.Parameter, files: tuple[Path, ...]) -> Path:
    return joined_name(files)


file = click.argument(
    "file",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(path_type=Path),
    callback=_one_path,
)
"""One file or several with the same columns, which are one table; a folder of them too."""


def read_kinds(pairs: tuple[str, ...]) -> dict[str, str]:
    """Read ``COLUMN=KIND`` from the command line.

    >>> read_kinds(("zip=category",))
    {'zip': 'category'}
    """
    kinds = {}
    for pair in pairs:
        name, found, kind = pair.rpartition("=")
        if not found or not name or not kind:
            raise ParameterError(
                f"--kind takes a column and a kind, as in zip=category. Got {pair}."
            )
        kinds[name] = kind
    return kinds


def read_shares(priors: tuple[str, ...]) -> dict[Any, float] | list[float] | None:
    """Read ``NAME=SHARE`` or plain shares from the command line.

    >>> read_shares(("fraud=0.01", "abuse=0.02"))
    {'fraud': 0.01, 'abuse': 0.02}
    >>> read_shares(("0.01",))
    [0.01]
    """
    if not priors:
        return None
    pairs = [prior.rpartition("=") for prior in priors]
    try:
        shares = [float(share) for _, _, share in pairs]
    except ValueError:
        raise ParameterError(
            f"--prior takes a share such as 0.01 or a name with it, as in fraud=0.01. "
            f"Got {', '.join(priors)}."
        ) from None
    if all(name for name, _, _ in pairs):
        return {name: share for (name, _, _), share in zip(pairs, shares, strict=True)}
    if any(name for name, _, _ in pairs):
        raise ParameterError("--prior takes either a name for every share or for none of them.")
    return shares


_STORE = "rarefind.db"
"""What a store is called unless somebody names one."""


def open_to_read(url: str | None) -> Store:
    """Open the store, also where nothing can be written; then that is said."""
    from rarefind.cli.terminal.output import messages
    from rarefind.store.opening import open_store

    kept = open_store(store_here(url), create=False, to_read=True)
    if kept.read_only is not None:
        messages.print(
            f"{kept.read_only} What it holds can be read; nothing can be added.", markup=False
        )
    return kept


def store_beside(url: str | None, file: Path) -> str:
    """Name the store of a file: the one asked for, or rarefind.db beside the file."""
    return url or str(file.parent / _STORE)


def store_here(url: str | None, *, create: bool = False) -> str:
    """Name the store of commands without a file: the one asked for, or rarefind.db here.

    Hunts are kept beside their files: without a store here, the only one in a folder of this one
    is meant, unless one is to be made.
    """
    if url or create or Path(_STORE).exists():
        return url or _STORE
    below = sorted(str(path) for path in Path().glob(f"*/{_STORE}"))
    if len(below) > 1:
        raise ParameterError(
            f"There is no store {_STORE} here, and there are several in folders: "
            f"{', '.join(below)}. Name one with --store."
        )
    return below[0] if below else _STORE
