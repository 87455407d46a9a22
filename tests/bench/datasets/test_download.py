from __future__ import annotations

import gzip
import hashlib
import json
import signal
import socket
import subprocess
import sys
import threading

import numpy as np
import pytest
import sklearn.datasets._kddcup99 as intrusions
import sklearn.datasets._openml as loader

from rarefind.core.errors import DataError
from rarefind.core.progress import listen
from rarefind.records.embedding.cache_folder import cache_folder
from rarefind.records.formats.by_ending import read_table
from rarefind_bench.datasets import download
from rarefind_bench.datasets.catalogue import open_set
from rarefind_bench.datasets.download import CannotFetchError, cached, fetch
from rarefind_bench.datasets.fingerprints import EXPECTED, Expected
from rarefind_bench.datasets.location import data_file
from rarefind_bench.datasets.openml import RECIPES
from tests.bench.datasets.openml_server import OpenML
from tests.outside import outside
from tests.waiting import PATIENCE

FILE = "glass.parquet"


def glass():
    rng = np.random.default_rng(0)
    names = ["build wind float"] * 30 + ["vehic wind float"] * 6 + ["headlamps"] * 4
    columns = {name: rng.normal(size=40) for name in EXPECTED[FILE].columns}
    return {**columns, "Type": np.array(names, dtype=object)}


def expected_glass(columns):
    features = list(columns.values())[:-1]
    return Expected(
        tuple(EXPECTED[FILE].columns),
        {"1": 30, "3": 6, "7": 4},
        tuple(float(column.mean()) for column in features),
    )


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("RAREFIND_CACHE", str(folder))
    return folder


@pytest.fixture
def server(cache, monkeypatch):
    with OpenML() as server:
        for name, value in server.constants(loader).items():
            monkeypatch.setattr(loader, name, value)
        monkeypatch.setattr(download, "ADDRESS", server.address)
        yield server


@pytest.fixture
def no_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path / "no-folder"))


@pytest.fixture
def openml(server, no_folder, monkeypatch):
    monkeypatch.setitem(EXPECTED, FILE, expected_glass(glass()))
    server.offer(41, glass())
    return server


def left_in(folder):
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.mark.usefixtures("openml")
def test_a_set_is_fetched_in_the_form_of_our_file(cache):
    table = read_table(fetch(FILE))
    assert list(table.columns) == [*EXPECTED[FILE].columns, "label"]
    assert table.words("label") == ["1"] * 30 + ["3"] * 6 + ["7"] * 4
    for name, cells in list(glass().items())[:-1]:
        np.testing.assert_array_equal(table.columns[name], cells)
    assert left_in(cache) == [FILE, f"{FILE}.sha256"]


def test_what_is_in_the_cache_is_not_fetched_again(openml):
    steps = []
    with listen(steps.append):
        first = open_set("glass")
    assert [step.task for step in steps] == ["fetching glass.parquet from OpenML"] * 2
    assert openml.downloads == 1
    assert open_set("glass").read.labels == first.read.labels
    assert openml.downloads == 1


def test_a_file_of_the_folder_comes_first(openml, tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE).write_bytes(b"mine")
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path / "data"))
    assert data_file(FILE, "A test").read_bytes() == b"mine"
    assert openml.downloads == 0


def test_a_damaged_file_of_the_cache_is_fetched_again(openml):
    path = fetch(FILE)
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    assert cached(FILE) is None
    assert data_file(FILE, "A test").read_bytes() == whole
    assert openml.downloads == 2


@pytest.mark.parametrize("fault", ["cut", "wrong_digest"])
def test_a_broken_download_leaves_nothing_behind(openml, cache, fault):
    setattr(openml, fault, True)
    with pytest.raises(CannotFetchError, match="OpenML gave"):
        fetch(FILE)
    assert left_in(cache) == []
    setattr(openml, fault, False)
    assert cached(FILE) is None
    assert fetch(FILE).exists()


def test_a_download_that_stops_in_the_middle_is_given_up(openml, cache, monkeypatch):
    openml.stall = True
    monkeypatch.setattr(download, "EVERY_ANSWER", 0.2)
    with pytest.raises(DataError, match=r"glass needs the file glass\.parquet.*OpenML gave"):
        open_set("glass")
    assert not openml.broke_off  # the loader gave up, not the server
    assert left_in(cache) == []
    assert socket.getdefaulttimeout() is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda columns: {k: v[:-1] for k, v in columns.items()}, "40 rows were expected, 39 came"),
        (lambda columns: {k: v for k, v in columns.items() if k != "Fe"}, "9 features"),
        (
            lambda columns: {**columns, "Type": columns["Type"][::-1].copy()[[*range(39), 0]]},
            "class",
        ),
        (lambda columns: {**columns, "Na": columns["Mg"]}, "a mean of .* in column 'Na'"),
    ],
)
def test_other_records_than_ours_are_refused(openml, cache, change, words):
    openml.offer(41, change(glass()))
    with pytest.raises(CannotFetchError, match=words):
        fetch(FILE)
    assert left_in(cache) == []


PROCESS = """
import json, sys
import sklearn.datasets._kddcup99 as intrusions
import sklearn.datasets._openml as loader
from rarefind_bench.datasets import download
from rarefind_bench.datasets.fingerprints import EXPECTED, Expected
told = json.loads(sys.argv[1])
for name, value in told["constants"].items():
    setattr(loader, name, value)
download.ADDRESS = told["address"]
columns, classes, means = told["expected"]
EXPECTED["glass.parquet"] = Expected(tuple(columns), classes, tuple(means))
print(download.fetch("glass.parquet"))
"""


def start(openml):
    expected = EXPECTED[FILE]
    told = {
        "constants": openml.constants(loader),
        "address": openml.address,
        "expected": [expected.columns, dict(expected.classes), expected.means],
    }
    return subprocess.Popen(
        [sys.executable, "-c", PROCESS, json.dumps(told)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_two_processes_that_fetch_at_once_do_not_collide(openml, cache):
    openml.together = threading.Barrier(2)  # both are in the middle of it
    both = [start(openml) for _ in range(2)]
    for process in both:
        _, complaint = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, complaint
    assert openml.downloads == 2
    assert cached(FILE) == cache / FILE
    assert read_table(cache / FILE).words("label").count("7") == 4
    assert left_in(cache) == [FILE, f"{FILE}.sha256"]


def test_a_process_killed_in_the_middle_leaves_no_file_that_looks_whole(openml, cache, monkeypatch):
    openml.stall = True
    process = start(openml)
    assert openml.stalling.wait(PATIENCE)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert cached(FILE) is None
    assert not (cache / FILE).exists()
    openml.stall = False
    assert fetch(FILE).exists()
    drafts = [name for name in left_in(cache) if name.startswith(".fetching-")]
    assert drafts  # of the one that was killed; it may as well be at work
    monkeypatch.setattr(download, "OLD", -1.0)
    fetch(FILE)
    assert left_in(cache) == [FILE, f"{FILE}.sha256"]


def refusing_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@pytest.mark.usefixtures("no_folder")
def test_without_a_network_one_sentence_names_both_ways(cache, monkeypatch):
    monkeypatch.setattr(download, "ADDRESS", f"http://127.0.0.1:{refusing_port()}")
    with pytest.raises(DataError) as caught:
        open_set("glass")
    said = str(caught.value)
    assert "The data set glass needs the file glass.parquet" in said
    assert "there is no network" in said
    assert "RAREFIND_DATA" in said
    assert "RAREFIND_CACHE" in said
    assert left_in(cache) == []


@pytest.mark.usefixtures("cache")
def test_a_network_that_never_answers_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(download, "FIRST_ANSWER", 0.3)
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        monkeypatch.setattr(download, "ADDRESS", f"http://127.0.0.1:{deaf.getsockname()[1]}")
        with pytest.raises(CannotFetchError, match="no network"):
            fetch(FILE)


def test_a_set_that_nobody_offers_must_be_put_into_the_folder(openml):
    with pytest.raises(DataError, match=r"surnames\.parquet.*no place to fetch it from is known"):
        open_set("surnames")
    assert openml.downloads == 0


def test_an_empty_cache_variable_forbids_fetching(openml, monkeypatch):
    monkeypatch.setenv("RAREFIND_CACHE", "")
    with pytest.raises(DataError, match="RAREFIND_CACHE forbids it"):
        open_set("glass")
    assert openml.downloads == 0


@pytest.mark.usefixtures("openml")
def test_a_cache_that_cannot_be_written_is_a_sentence(cache):
    cache.write_text("a file", encoding="utf-8")
    with pytest.raises(DataError, match=r"not fetched: it cannot be kept in .*cache"):
        open_set("glass")


def test_the_cache_is_where_the_platform_keeps_caches(monkeypatch, tmp_path):
    monkeypatch.delenv("RAREFIND_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "rarefind"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "rarefind"


def test_every_recipe_says_what_it_must_give():
    assert set(RECIPES) == set(EXPECTED)
    assert EXPECTED["shuttle_train.parquet"].rows == 43_500
    assert EXPECTED["kdd99_10.parquet"].rows == 494_021
    assert len(EXPECTED["kdd99_10.parquet"].columns) == 41


def as_openml_has(name, table):
    """The columns of one of our files as they lie in OpenML, the class last."""
    labels = table.columns["label"]
    columns = {k: v for k, v in table.columns.items() if k not in ("label", "split", "color")}
    if name == "glass":
        words = {"1": "build wind float", "2": "build wind non-float", "3": "vehic wind float"}
        words |= {"5": "containers", "6": "tableware", "7": "headlamps"}
        labels = np.array([words[f"{float(label):g}"] for label in labels], dtype=object)
    if name == "splice":
        letters = [list(word) for word in columns.pop("sequence")]
        columns = {f"a{i}": np.array(c, dtype=object) for i, c in enumerate(zip(*letters))}  # noqa: B905
        columns["Instance_name"] = np.array([f"row{i}" for i in range(len(labels))], dtype=object)
    return {**columns, "class": labels}


@pytest.mark.parametrize(
    ("name", "number"),
    [("ecoli", 39), ("glass", 41), ("abalone", 183), ("nursery", 26), ("splice", 46)],
)
def test_our_files_come_back_from_a_server_as_they_are(name, number, server):
    ours = read_table(outside("RAREFIND_DATA", f"{name}.parquet"))
    server.offer(number, as_openml_has(name, ours))
    fetched = read_table(fetch(f"{name}.parquet"))
    assert list(fetched.columns) == list(ours.columns)
    for column, cells in ours.columns.items():
        np.testing.assert_array_equal(fetched.columns[column], cells)


def test_red_and_white_wine_are_put_together_with_their_grades(server):
    ours = read_table(outside("RAREFIND_DATA", "winequality.parquet"))
    red = ours.columns["color"] == "red"
    columns = as_openml_has("winequality", ours)
    server.offer(40691, {name: cells[red] for name, cells in columns.items()})
    white = {name: cells[~red] for name, cells in columns.items()}
    anew = [str(int(grade) - 2) for grade in white["class"]]  # numbered from 1
    server.offer(40498, {**white, "class": np.array(anew, dtype=object)})
    fetched = read_table(fetch("winequality.parquet"))
    for column, cells in ours.columns.items():
        np.testing.assert_array_equal(fetched.columns[column], cells)


KDD = [
    b"0,tcp,http,SF,181,5450,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,8,8,0.00,0.00,0.00,0.00,1.00,0.00,0.00,"
    b"9,9,1.00,0.00,0.11,0.00,0.00,0.00,0.00,0.00,normal.",
    b"0,icmp,ecr_i,SF,1032,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,511,511,0.00,0.00,0.00,0.00,1.00,0.00,"
    b"0.00,255,255,1.00,0.00,1.00,0.00,0.00,0.00,0.00,0.00,smurf.",
]


def test_intrusions_come_through_scikit_learns_own_loader(server, monkeypatch):
    packed = gzip.compress(b"\n".join(KDD) + b"\n")
    server.files["/kdd"] = packed
    archive = intrusions.ARCHIVE_10_PERCENT._replace(
        url=f"{server.address}/kdd", checksum=hashlib.sha256(packed).hexdigest()
    )
    monkeypatch.setattr(intrusions, "ARCHIVE_10_PERCENT", archive)
    names = EXPECTED["kdd99_10.parquet"].columns
    means = (0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 132.0, 0.0, 0.0)
    expected = Expected(names, {"normal": 1, "smurf": 1}, means)
    monkeypatch.setitem(EXPECTED, "kdd99_10.parquet", expected)
    table = read_table(fetch("kdd99_10.parquet"))
    assert table.words("label") == ["normal", "smurf"]
    assert table.words("protocol_type") == ["tcp", "icmp"]
    assert table.columns["src_bytes"].tolist() == [181.0, 1032.0]


@pytest.mark.parametrize(
    "file", [file for file, expected in EXPECTED.items() if expected.rows < 20_000]
)
def test_what_is_expected_is_what_our_files_hold(file):
    table = read_table(outside("RAREFIND_DATA", file))
    expected = EXPECTED[file]
    features = [table.columns[name] for name in expected.columns]
    assert expected.fault(features, [str(word) for word in table.words("label")]) is None
