"""What arguments are called on the command line."""

from __future__ import annotations

_OWN_NAMES = {
    "name": "--hunt NAME",
    "kinds": "--kind",
    "priors": "--prior NAME=SHARE",
    "open_hunt": "rarefind discover FILE",
    "append": "rarefind add",
    "restore": "rarefind delete --undo",
}
"""Those that are not simply called after the argument."""


def option_name(name: str, value: str) -> str:
    """Name the option that stands for an argument.

    >>> option_name("cluster_folder", ""), option_name("kinds", "zip=number")
    ('--cluster-folder', '--kind zip=number')
    """
    called = _OWN_NAMES.get(name, f"--{name.replace('_', '-')}")
    return f"{called} {value}" if value else called
