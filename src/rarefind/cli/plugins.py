"""Commands that other installed packages add to ``rarefind``, imported only when called.

A package names its command (a :class:`click.Command`, groups included) in the entry-point group
``rarefind.commands``. Help lists it with the summary of its distribution, which is read and not
imported; a command that cannot be imported disturbs no other.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

import click

from rarefind.core.errors import RarefindError

GROUP = "rarefind.commands"
"""The entry-point group of added commands. A promise to other packages: it never changes."""

OURS_APART = {"bench": "rarefind-bench (in a clone: pip install ./benchmarks)"}
"""Commands of ours that are distributed apart, and how they are installed."""


class CommandError(RarefindError, ImportError):
    """A command of another distribution is not there, or cannot be imported."""


def plugin_names() -> list[str]:
    """Name the commands that are installed, sorted."""
    return sorted(entry_points(group=GROUP).names)


def plugin_words(name: str) -> str:
    """Say in one line what an installed command is for, without importing it."""
    dist = _point(name).dist
    if dist is None or "Summary" not in dist.metadata:
        return f"A command of {_owner(name)}."
    return dist.metadata["Summary"]


def load_plugin(name: str) -> click.Command:
    """Import an installed command."""
    try:
        command = _point(name).load()
    except Exception as problem:  # whatever the import of other people's code may come up with
        words = " ".join(f"{type(problem).__name__}: {problem}".split())[:200].rstrip(".")
        raise CommandError(_broken(name, f"cannot be imported ({words})")) from problem
    if not isinstance(command, click.Command):
        kind = type(command).__name__
        raise CommandError(_broken(name, f"must be a click.Command and is of type {kind}"))
    return command


def missing_plugin(name: str) -> CommandError | None:
    """Return the error that says what to install for a command of ours; None for other names."""
    if name not in OURS_APART:
        return None
    return CommandError(
        f"The command {name!r} is a distribution of its own: pip install {OURS_APART[name]}"
    )


def _point(name: str) -> EntryPoint:
    # Two packages may claim a name: the first on the path has it, as with modules.
    return next(iter(entry_points(group=GROUP, name=name)))


def _owner(name: str) -> str:
    dist = _point(name).dist
    return "an installed package" if dist is None else f"{dist.name} {dist.version}"


def _broken(name: str, why: str) -> str:
    return f"The command {name!r} of {_owner(name)} {why}: install that package again or remove it."
