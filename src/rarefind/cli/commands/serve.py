"""``rarefind serve``: the workbench in the browser."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from rarefind.cli import options
from rarefind.cli.terminal.output import console, messages, print_json
from rarefind.cli.terminal.who_answers import usual_name
from rarefind.core.errors import MissingPackageError, ParameterError
from rarefind.records.read_as import ReadAs

if TYPE_CHECKING:
    from rarefind.service.facade import Service

_WARNING = (
    "Warning: every machine that reaches {} can try to sign in, and without a proxy that speaks "
    "https, or --certificate and --key, the token travels in the open."
)
"""Said when others can reach the server: it speaks plain http, which anybody between can read."""


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@options.embedded
@options.store
@click.option(
    "--home",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Folder for uploaded files and the token. Usually beside the store.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port (0: any free); 8737 if free by default."
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="File with the secret token, made if missing; needed when others can reach the host.",
)
@click.option(
    "--certificate",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Certificate in PEM format: the server then speaks https.",
)
@click.option(
    "--key", type=click.Path(path_type=Path), metavar="FILE", help="The certificate's secret key."
)
@click.option("--public-url", help="Address people type when a reverse proxy stands in front.")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@options.as_json
def serve(
    file: Path | None,
    read_as: dict[str, Any],
    store: str | None,
    home: Path | None,
    host: str,
    port: int | None,
    token_file: Path | None,
    certificate: Path | None,
    key: Path | None,
    public_url: str | None,
    no_browser: bool,
    as_json: bool,
) -> None:
    """Label in the browser, see what is found, take the ranking home.

    FILE is opened for a hunt; without it the page lists the hunts there are.
    """
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise MissingPackageError("The workbench", "FastAPI and uvicorn", "workbench")

    from rarefind.service.facade import Service
    from rarefind.service.heavy.workroom import Workroom
    from rarefind.service.hunts.attendant import IDLE_SECONDS
    from rarefind.store.opening import open_store
    from rarefind.web.guard.tokens import read_token
    from rarefind.web.server import (
        asked_to_stop,
        has_browser,
        is_loopback,
        listen,
        opened_by_file,
    )
    from rarefind.web.server import serve as run
    from rarefind.web.server_settings import ServerSettings, check_certificate, check_public_url

    if not is_loopback(host) and token_file is None:
        raise ParameterError(
            f"--host {host} lets other machines in. Name a file for the secret token with "
            "--token-file, and see docs/workbench.md."
        )
    if read_as and file is None:
        raise ParameterError("--pictures, --embeddings and --embed say how FILE is read: name it.")
    check_public_url(public_url)
    check_certificate(certificate, key)
    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.WARNING)
    with listen(host, port) as listening, opened_by_file() as open_link:
        place = (
            options.store_beside(store, file) if file else options.store_here(store, create=True)
        )
        folder = home or _home(place)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings = ServerSettings(
            token=read_token(token_file or folder / "token"),
            home=folder,
            port=int(listening.getsockname()[1]),
            host=host,
            public_url=public_url,
            certificate=certificate,
            key=key,
            annotator=usual_name(place),
        )
        with Service(open_store(place), workplace=Workroom(), idle_seconds=IDLE_SECONDS) as service:
            start = _start(service, file, read_as) if file else ""

            def ready(link: str) -> None:
                link += start
                if not is_loopback(host) and certificate is None:
                    messages.print(_WARNING.format(escape(host)), style="yellow")
                if as_json:
                    print_json({"address": settings.address, "link": link, "home": str(folder)})
                    sys.stdout.flush()
                else:
                    console.print("The workbench is open. This link works once:\n")
                    click.echo(f"    {link}\n")
                    console.print("Stop it with Ctrl-C: nothing is lost.")
                if not no_browser and has_browser():
                    open_link(link)

            with asked_to_stop():
                run(service, settings, listening, ready)
            messages.print("Stopped. Nothing is lost; start again to go on.")


def _home(store: str) -> Path:
    """Put uploaded files beside the store, or into the working folder if that is a database."""
    file = store.removeprefix("sqlite:///")
    if "://" in file or file == "memory:":
        return Path("rarefind.files")
    return Path(file).with_suffix(".files")


def _start(service: Service, file: Path, read_as: dict[str, Any]) -> str:
    """Say where the page should begin: at the file's hunt, or at a new one for the file."""
    path = file.absolute()
    hunt = service.latest_hunt_in(path, ReadAs.from_mapping(read_as))
    if hunt is not None:
        return f"&go=/hunt/{hunt}/label"
    # What is wrong with the file is said here and not in the browser.
    return f"&go=/new/{service.add_dataset(path, read_as=read_as).id}"
