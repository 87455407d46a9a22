"""What is handed to people who install rarefind, and what is not."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from rarefind import __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """The two distributions, built as pip builds them, with what each file in them holds."""
    folder, built = tmp_path_factory.mktemp("wheels"), []
    for source in (ROOT, ROOT / "benchmarks"):
        wheel = next(WheelBuilder(str(source)).build(directory=str(folder), versions=["standard"]))
        with zipfile.ZipFile(wheel) as files:
            built.append({name: files.read(name) for name in files.namelist()})
    return built


def about(wheel, file):
    (name,) = (name for name in wheel if name.endswith(f".dist-info/{file}"))
    return wheel[name].decode("utf-8")


def test_no_benchmark_is_in_the_wheel_of_rarefind(wheels):
    rarefind, _ = wheels
    packages = {name.partition("/")[0] for name in rarefind}
    assert packages == {"rarefind", f"rarefind-{__version__}.dist-info"}
    assert "rarefind/cli/main.py" in rarefind
    assert [name for name in rarefind if "bench" in Path(name).parts] == []
    assert "rarefind.commands" not in about(rarefind, "entry_points.txt")
    assert "Provides-Extra: bench" not in about(rarefind, "METADATA").splitlines()


def test_the_wheel_of_the_benchmarks_holds_them_alone_and_adds_their_command(wheels):
    _, benchmarks = wheels
    packages = {name.partition("/")[0] for name in benchmarks}
    assert packages == {"rarefind_bench", f"rarefind_bench-{__version__}.dist-info"}
    assert "rarefind_bench/py.typed" in benchmarks
    points = about(benchmarks, "entry_points.txt")
    assert points.split() == ["[rarefind.commands]", "bench", "=", "rarefind_bench.command:bench"]


def test_benchmarks_need_the_rarefind_they_came_with(wheels):
    _, benchmarks = wheels
    lines = about(benchmarks, "METADATA").splitlines()
    assert f"Version: {__version__}" in lines
    assert f"Requires-Dist: rarefind[workbench]=={__version__}" in lines


def test_rooms_of_the_benchmarks_are_small_and_no_file_repeats_its_room():
    source = ROOT / "benchmarks" / "src" / "rarefind_bench"
    for folder in (source, *(path for path in source.rglob("*") if path.is_dir())):
        files = list(folder.glob("*.py"))
        assert len(files) <= 15
        for file in files:
            assert folder.name.rstrip("s") not in file.stem
            assert len(file.read_text(encoding="utf-8").splitlines()) <= 300
