"""Files fetched by name into a cache: whole or not at all, and never waiting for long."""

from __future__ import annotations

import hashlib
import shutil
import socket
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from rarefind.core.errors import DataError
from rarefind.core.progress import announce
from rarefind.records.embedding.cache_folder import CACHE, cache_folder
from rarefind.records.formats.by_ending import write_table
from rarefind.records.formats.parquet import import_pyarrow
from rarefind.records.table import Table
from rarefind_bench.datasets import webkb
from rarefind_bench.datasets.openml import RECIPES, Raw, Recipe

ADDRESS = "https://www.openml.org/api/v1/json/data/61"
"""Answers if there is a network."""

FIRST_ANSWER, EVERY_ANSWER = 5.0, 30.0
"""Seconds to wait for a sign of life, and then for every piece of a download."""

_DRAFT, OLD = ".fetching-", 24 * 3600.0
"""How unfinished downloads are called, and the age in seconds at which they are forgotten."""


class CannotFetchError(Exception):
    """Why a file cannot be fetched: the end of a sentence."""


def cached(file: str) -> Path | None:
    """Return a file of the cache if it is there and whole."""
    folder = cache_folder()
    if folder is None:
        return None
    path = folder / file
    try:
        kept = _digest_path(path).read_text(encoding="ascii").strip()
        return path if kept == _digest(path) else None
    except (OSError, UnicodeDecodeError):
        return None


def fetch(file: str, archive: Path | None = None) -> Path:
    """Fetch a file into the cache and return where it is; ``archive`` is one at hand already.

    Everything is made in a folder of its own and moved to its place when it is whole, so that
    neither a process that is killed nor a second one that fetches the same can spoil it.
    """
    folder = cache_folder()
    if folder is None:
        raise CannotFetchError(f"the environment variable {CACHE} forbids it")
    recipe = RECIPES.get(file)
    if recipe is None:
        raise CannotFetchError("no place to fetch it from is known")
    import_pyarrow("Keeping a data set that is fetched")
    if archive is not None:
        recipe = replace(recipe, get=lambda _: Raw(*webkb.build(archive)), source=archive.name)
    announce(f"fetching {file} from {recipe.source}", 0, 1)
    if archive is None:
        _check_network(recipe.address or ADDRESS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _forget_old_drafts(folder)
        with tempfile.TemporaryDirectory(dir=folder, prefix=_DRAFT) as name:
            draft = Path(name) / file
            write_table(_downloaded(recipe, file, Path(name)), draft)
            _digest_path(draft).write_text(_digest(draft), encoding="ascii")
            # The digest goes first: a file beside a digest that is not its own is fetched again.
            _digest_path(draft).replace(_digest_path(folder / file))
            draft.replace(folder / file)
    except (OSError, DataError) as problem:
        raise CannotFetchError(f"it cannot be kept in {folder} ({_words(problem)})") from None
    announce(f"fetching {file} from {recipe.source}", 1, 1)
    return folder / file


def _downloaded(recipe: Recipe, file: str, folder: Path) -> Table:
    try:
        with _patience():
            return recipe.table(file, folder)
    except Exception as problem:  # whatever a server or a parser may come up with
        raise CannotFetchError(f"{recipe.source} gave {_words(problem)}") from None


def _check_network(address: str) -> None:
    try:
        asked = Request(address, method="HEAD")  # noqa: S310 - addresses of ours, all of them http
        with urlopen(asked, timeout=FIRST_ANSWER):  # noqa: S310
            return
    except HTTPError:
        return  # somebody is there
    except (OSError, ValueError) as problem:
        raise CannotFetchError(f"there is no network ({_words(problem)})") from None


@contextmanager
def _patience() -> Iterator[None]:
    """Wait for no answer for ever; scikit-learn's loaders have no limit of their own."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(EVERY_ANSWER)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a download is tried again
            yield
    finally:
        socket.setdefaulttimeout(before)


def _forget_old_drafts(folder: Path) -> None:
    for draft in folder.glob(f"{_DRAFT}*"):
        try:
            if time.time() - draft.stat().st_mtime > OLD:
                shutil.rmtree(draft, ignore_errors=True)
        except OSError:
            continue  # somebody else was faster


def _digest_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _words(problem: BaseException) -> str:
    if isinstance(problem, DataError):
        return str(problem).rstrip(".")
    if isinstance(problem, URLError) and isinstance(problem.reason, OSError):
        problem = problem.reason
    words = " ".join(str(problem).split())[:160].rstrip(".")
    return f"{type(problem).__name__}: {words}" if words else type(problem).__name__
