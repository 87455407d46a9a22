"""``rarefind people``: who may come in, and what they may do."""

from __future__ import annotations

import click
from rich.markup import escape
from rich.table import Table

from rarefind.cli import options
from rarefind.cli.terminal.at_work import at_work
from rarefind.cli.terminal.output import console, print_json
from rarefind.core.errors import ParameterError
from rarefind.service.people.use_cases import PersonView

_STATES = {
    "joined": "came in",
    "invited": "invited, has not come yet",
    "expired": "the invitation has expired",
    "revoked": "shut out",
}
"""How far an invitation has come, in words."""

_role = click.Choice(["labels", "leads"])
_address = click.option(
    "--address",
    default="http://127.0.0.1:8737",
    show_default=True,
    help="Where the workbench is reached: what rarefind serve was given as --public-url.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def people() -> None:
    """Invite people to the workbench, see who may come in, shut somebody out.

    Who labels may take back what they said themselves; who leads may take back anybody's labels,
    rename classes, and invite. A server that runs takes changes over within seconds.
    """


@people.command("list")
@options.store
@options.as_json
def list_(store: str | None, as_json: bool) -> None:
    """List everybody who was ever invited."""
    with at_work(store) as (service, _):
        found = service.people()
    if as_json:
        print_json(found)
        return
    if not found:
        console.print("Nobody was invited yet: rarefind people invite NAME")
        return
    table = Table("name", "may do", "")
    for person in found:
        table.add_row(escape(person.name), person.role, _STATES[person.state])
    console.print(table)


@people.command()
@click.argument("name")
@click.option("--role", type=_role, default="labels", show_default=True, help="What they may do.")
@_address
@options.store
@options.as_json
def invite(name: str, role: str, address: str, store: str | None, as_json: bool) -> None:
    """Invite NAME, or somebody known once more: prints a link that works once, within a week."""
    if not address.startswith(("http://", "https://")) or "#" in address:
        raise ParameterError(
            f"--address must be one such as https://rarefind.example.org. Got {address!r}."
        )
    with at_work(store) as (service, _):
        person, secret = service.invite(name, role)
    link = f"{address.rstrip('/')}/join#{secret}"
    if as_json:
        print_json({**vars(person), "link": link})
        return
    console.print(f"Send this link to {escape(person.name)}. It works once, within a week:\n")
    click.echo(f"    {link}\n")


@people.command()
@click.argument("name")
@options.store
@options.as_json
def revoke(name: str, store: str | None, as_json: bool) -> None:
    """Shut NAME out; what they said stays. A new invitation lets them in again."""
    with at_work(store) as (service, _):
        person = service.revoke(name)
    _say(person, f"{person.name} is shut out.", as_json)


@people.command()
@click.argument("name")
@click.argument("role", type=_role)
@options.store
@options.as_json
def role(name: str, role: str, store: str | None, as_json: bool) -> None:
    """Say what NAME may do: ROLE is labels or leads."""
    with at_work(store) as (service, _):
        person = service.give_role(name, role)
    _say(person, f"{person.name} {person.role} from now on.", as_json)


def _say(person: PersonView, words: str, as_json: bool) -> None:
    if as_json:
        print_json(person)
    else:
        console.print(words, markup=False)
