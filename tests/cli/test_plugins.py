"""Commands of other installed packages, with real metadata on a real path."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import rarefind

SITE = Path(pytest.__file__).parents[1]
SOURCE = Path(rarefind.__file__).parents[1]
BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "src"
COMMAND = """
import click

@click.command(help="Say hello.")
def command():
    click.echo("hello")

number = 3
"""


def install(folder, name, points, modules=(), summary="Says hello."):
    """Put a package and its metadata into a folder, as pip does."""
    about = folder / f"{name}-1.2.dist-info"
    about.mkdir(parents=True)
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.2"]
    lines += [f"Summary: {summary}"] if summary else []
    (about / "METADATA").write_text("\n".join(lines) + "\n")
    (about / "entry_points.txt").write_text("[rarefind.commands]\n" + "\n".join(points) + "\n")
    for module, text in modules:
        (folder / f"{module}.py").write_text(text)


@pytest.fixture
def site(tmp_path):
    """All that is installed here except the benchmarks, as a folder that packages can go into."""
    folder = tmp_path / "site"
    folder.mkdir()
    for path in SITE.iterdir():
        if "rarefind" not in path.name:
            (folder / path.name).symlink_to(path)
    return folder


def run(site, *arguments, **environment):
    """Run the command line with the packages of one folder alone."""
    return subprocess.run(
        [sys.executable, "-S", "-m", "rarefind", *arguments],
        env={"PYTHONPATH": f"{SOURCE}:{site}", **environment},
        cwd=SOURCE,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_benchmarks_that_are_installed_here_are_a_command_like_any_other():
    helped = run(SITE, "--help")
    assert "bench Repeat the published experiments" in " ".join(helped.stdout.split())
    listed = run(SITE, "bench", "--help", PYTHONPATH=f"{SOURCE}:{SITE}:{BENCHMARKS}")
    assert listed.returncode == 0, listed.stderr
    assert "discovery-cost" in listed.stdout


def test_without_the_benchmarks_their_command_says_what_to_install(site):
    for arguments in (["bench"], ["bench", "shuttle"], ["bench", "--help"]):
        done = run(site, *arguments)
        assert done.returncode == 2
        assert done.stderr == (
            "rarefind: The command 'bench' is a distribution of its own: pip install "
            "rarefind-bench (in a clone: pip install ./benchmarks)\n"
        )
    helped = run(site, "--help")
    assert helped.returncode == 0
    assert "\n  bench" not in helped.stdout
    assert "pip install rarefind-bench" in " ".join(helped.stdout.split())


def test_a_package_adds_a_command_that_help_tells_by_its_summary(site):
    install(site, "greeter", ["hello = greeter:command"], [("greeter", COMMAND)])
    assert " hello Says hello." in " ".join(run(site, "--help").stdout.split())
    assert run(site, "hello").stdout == "hello\n"
    wrong = run(site, "helo")
    assert wrong.returncode == 2
    assert "There is no command 'helo'. Did you mean 'hello'?" in wrong.stderr


def test_a_package_without_a_summary_is_named_instead(site):
    install(site, "greeter", ["hello = greeter:command"], [("greeter", COMMAND)], summary="")
    assert "hello A command of greeter 1.2." in " ".join(run(site, "--help").stdout.split())


def test_no_package_takes_a_command_of_ours(site):
    install(site, "greeter", ["show = greeter:command"], [("greeter", COMMAND)])
    assert "hello" not in run(site, "show", "--help").stdout
    assert run(site, "--help").stdout.count("  show ") == 1


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ("nowhere:command", "cannot be imported (ModuleNotFoundError: No module named 'nowhere')"),
        ("greeter:no", "cannot be imported (AttributeError: module 'greeter' has no attribute"),
        ("raising:command", "cannot be imported (ValueError: two lines)"),
        ("greeter:number", "must be a click.Command and is of type int"),
    ],
)
def test_a_broken_command_is_told_in_one_sentence_and_disturbs_no_other(site, point, words):
    modules = [("greeter", COMMAND), ("raising", 'raise ValueError("two\\nlines")\n')]
    install(site, "greeter", [f"hello = {point}"], modules)
    done = run(site, "hello")
    assert done.returncode == 2
    assert done.stderr.startswith(f"rarefind: The command 'hello' of greeter 1.2 {words}")
    assert done.stderr.endswith("install that package again or remove it.\n")
    assert done.stderr.count("\n") == 1
    assert run(site, "--help").returncode == 0
    assert run(site, "show", "--help").returncode == 0


def test_the_shell_completes_names_beside_a_broken_command(site):
    install(site, "greeter", ["hello = nowhere:command"])
    asked = {"_RAREFIND_COMPLETE": "bash_complete", "COMP_WORDS": "rarefind ", "COMP_CWORD": "1"}
    code = "import sys; sys.argv[0] = 'rarefind'; from rarefind.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": f"{SOURCE}:{site}", **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "plain,demo" in done.stdout.splitlines()
    assert "plain,hello" not in done.stdout.splitlines()
    assert done.stderr == ""
