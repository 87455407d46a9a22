"""``rarefind``: sub-commands that are imported only when used, and errors in one sentence."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import NoReturn

import click

from rarefind._version import __version__
from rarefind.cli.plugins import load_plugin, missing_plugin, plugin_names, plugin_words
from rarefind.cli.terminal.option_names import option_name
from rarefind.cli.terminal.stopping import Stopped
from rarefind.core.errors import RarefindError
from rarefind.core.names import unknown_name

COMMANDS = {
    "demo": ("rarefind.cli.commands.demo:demo", "Show the whole story on data that comes along."),
    "discover": ("rarefind.cli.commands.discover:discover", "Find the rare classes in a file."),
    "rank": ("rarefind.cli.commands.rank:rank", "Rank the records of a file for one class."),
    "harvest": ("rarefind.cli.commands.harvest:harvest", "Find the records of a class known."),
    "compare": ("rarefind.cli.commands.compare:compare", "Compare models on a file with labels."),
    "guarantee": (
        "rarefind.cli.commands.guarantee:guarantee",
        "What the theorem behind ALICE promises for a file with labels.",
    ),
    "serve": ("rarefind.cli.commands.serve:serve", "Label in the browser: the workbench."),
    "hunts": ("rarefind.cli.commands.hunts:hunts", "List the hunts of a store."),
    "show": ("rarefind.cli.commands.hunts:show", "Show how far a hunt has come."),
    "find": ("rarefind.cli.commands.hunts:find", "List the records of a hunt that a query means."),
    "export": (
        "rarefind.cli.commands.exchange:export",
        "Write records, labels or a ranking to a file.",
    ),
    "import": (
        "rarefind.cli.commands.exchange:import_",
        "Bring labels made elsewhere into a hunt.",
    ),
    "set": ("rarefind.cli.commands.manage:set_", "Change a setting: which class is ordinary."),
    "label": ("rarefind.cli.commands.manage:label", "Say what a named record is."),
    "undo": ("rarefind.cli.commands.manage:undo", "Take back your last answer, or last step."),
    "delete": ("rarefind.cli.commands.manage:delete", "Put a hunt out of sight, or bring it back."),
    "add": ("rarefind.cli.commands.add:add", "Add further records to a hunt."),
    "rename": ("rarefind.cli.commands.renaming:rename", "Give a class of a hunt another name."),
    "merge": ("rarefind.cli.commands.renaming:merge", "Make a class part of another."),
    "people": (
        "rarefind.cli.commands.team.people:people",
        "Invite people to the workbench, or shut somebody out.",
    ),
    "backup": ("rarefind.cli.commands.backup_and_check:backup", "Copy a store while it is in use."),
    "check": (
        "rarefind.cli.commands.backup_and_check:check",
        "Verify a store, and repair what can be repaired.",
    ),
    "salvage": (
        "rarefind.cli.commands.backup_and_check:salvage",
        "Bring back what can be read of a damaged store.",
    ),
}
"""The commands that come along: where each is, and one line about it. Plug-ins add to them."""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name all commands: those that come along, then those that plug-ins add."""
        return [*COMMANDS, *(name for name in plugin_names() if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name in COMMANDS:
            module, _, attribute = COMMANDS[cmd_name][0].partition(":")
            command: click.Command = getattr(import_module(module), attribute)
            return command
        if cmd_name not in plugin_names():
            return None
        try:
            return load_plugin(cmd_name)
        except RarefindError:
            if ctx.resilient_parsing:  # the shell completes words: nobody called this command
                return None
            raise

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command meant; a wrong name is answered with the nearest."""
        name = args[0] if args else ""
        if name and not name.startswith("-") and name not in COMMANDS:
            known = self.list_commands(ctx)
            if name not in known:
                raise missing_plugin(name) or click.UsageError(
                    str(unknown_name("command", name, known)), ctx
                )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        lines = [
            (name, COMMANDS[name][1] if name in COMMANDS else plugin_words(name))
            for name in self.list_commands(ctx)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(lines)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="rarefind")
def cli() -> None:
    """Find rare classes in unlabelled data, then rank every record for the class found.

    rarefind bench, which plays the published experiments again, is a package of its own: pip
    install rarefind-bench, or ./benchmarks in a clone.
    """


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Say a warning in one line: where in the program it arose says nothing to a person."""
    click.echo(f"rarefind: {message}", err=True)


def main() -> NoReturn:
    """Run the command line; what a person can act on is said in one sentence, with exit code 2."""
    warnings.showwarning = _warn
    try:
        cli.main(standalone_mode=False)
    except RarefindError as problem:
        click.echo(f"rarefind: {problem.worded(option_name)}", err=True)
        sys.exit(2)
    except click.ClickException as problem:
        click.echo(f"rarefind: {problem.format_message()}", err=True)
        sys.exit(2)
    except Stopped as stopped:
        click.echo(f"rarefind: {stopped}", err=True)
        sys.exit(130)
    except (click.Abort, KeyboardInterrupt):
        click.echo("rarefind: stopped.", err=True)
        sys.exit(130)
    sys.exit(0)
