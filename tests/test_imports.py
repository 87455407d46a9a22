"""The package starts with little loaded and keeps its layers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rarefind.cli.main import COMMANDS

ROOT = Path(__file__).parents[1]
HEAVY = [
    "matplotlib",
    "alembic",
    "psycopg",
    "sqlalchemy",
    "fastapi",
    "dask",
    "pandas",
    "numba",
    "sklearn",
    "scipy",
]


def heavy_modules(code):
    probe = f"""
import json, sys
{code}
print(json.dumps([name for name in {HEAVY} if name in sys.modules]))
"""
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_importing_rarefind_loads_nothing_heavy():
    assert heavy_modules("import rarefind") == []


def test_help_loads_nothing_heavy():
    code = """
from click.testing import CliRunner
from rarefind.cli.main import cli
assert CliRunner().invoke(cli, ["--help"]).exit_code == 0
"""
    assert heavy_modules(code) == []


def test_help_and_the_store_need_no_learner(tmp_path):
    helped = [[name, "--help"] for name in (*COMMANDS, "bench")]
    code = f"""
from click.testing import CliRunner
from rarefind.cli.main import cli
from rarefind.store.opening import open_store
store = {str(tmp_path / "kept.db")!r}
open_store(store).close()
for arguments in {[*helped, ["hunts", "--store"], ["check", "--store"]]}:
    arguments += [store] if arguments[-1] == "--store" else []
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, (arguments, done.output)
"""
    assert not {"sklearn", "numba", "matplotlib", "pandas"} & set(heavy_modules(code))


def test_every_public_name_is_there():
    import rarefind

    for name in rarefind.__all__:
        assert getattr(rarefind, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Hnut'"):
        rarefind.Hnut  # noqa: B018


def lint_imports(folder):
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": f"{folder}/src:{folder}/benchmarks/src", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("kernels/contract.py", "import rarefind.geometry"),
        ("discovery/hunt.py", "import rarefind.records"),
        ("detection/lago/estimator.py", "import rarefind.discovery"),
        ("geometry/space.py", "import click"),
        ("evaluation/plots.py", "import pyarrow"),
        ("cli/__init__.py", "import rarefind.testing"),
        ("service/__init__.py", "import rarefind.testing"),
        ("testing/rules.py", "import rarefind.service"),
        ("testing/rules.py", "import pytest"),
    ],
)
def test_an_import_against_the_layers_is_caught(tmp_path, module, line):
    assert_caught(tmp_path, f"src/rarefind/{module}", line)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("src/rarefind/__init__.py", "import rarefind_bench"),
        ("src/rarefind/cli/main.py", "import rarefind_bench.command"),
        ("benchmarks/src/rarefind_bench/plan.py", "import rarefind.web"),
        ("benchmarks/src/rarefind_bench/store/durable_labels.py", "import sqlalchemy"),
    ],
)
def test_benchmarks_stay_outside_and_use_the_same_doors(tmp_path, module, line):
    assert_caught(tmp_path, module, line)


def assert_caught(tmp_path, module, line):
    for source in ("src", "benchmarks/src"):
        shutil.copytree(ROOT / source, tmp_path / source)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / module
    future = "from __future__ import annotations\n"
    path.write_text(path.read_text().replace(future, f"{future}{line}\n", 1))
    broken = lint_imports(tmp_path)
    assert broken.returncode == 1
    assert "BROKEN" in broken.stdout


def test_the_layers_as_they_are_pass():
    whole = lint_imports(ROOT)
    assert whole.returncode == 0, whole.stdout
