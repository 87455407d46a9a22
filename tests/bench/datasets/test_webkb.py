"""WebKB built from a small archive of the same form, served by a server of our own."""

from __future__ import annotations

import io
import json
import socket
import tarfile
from dataclasses import replace

import pytest
from click.testing import CliRunner

from rarefind.core.errors import DataError, RarefindError
from rarefind.records.formats.by_ending import read_table
from rarefind_bench.command import bench
from rarefind_bench.datasets import fingerprints, resumed, webkb
from rarefind_bench.datasets.openml import RECIPES
from rarefind_bench.datasets.resumed import BrokenOffError, fetch_resumed
from tests.bench.datasets.archive_server import OneFile

PAGES = {"course": (1, 2, 0, 0, 1), "student": (0, 3, 1, 0, 1)}


def archive(pages=PAGES, extra=()):
    """Pages as the published archive has them: class, university, address with ^ for /."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as file:

        def put(name, content):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            file.addfile(member, io.BytesIO(content))

        for label, counts in pages.items():
            for university, count in zip(webkb.UNIVERSITIES, counts, strict=True):
                for number in range(count):
                    html = f"<html><title>{label} {number}</title><b>at&nbsp;{university}</b>"
                    content = f"Date: x\r\nServer: y\r\n\r\n{html}".encode("latin-1")
                    put(f"webkb/{label}/{university}/http:^^www^{number}^", content)
        for name, content in extra:
            put(name, content)
    return packed.getvalue()


@pytest.fixture
def small(monkeypatch):
    """Expect the small archive's pages in place of WebKB's."""
    monkeypatch.setattr(webkb, "PAGES", PAGES)
    classes = {label: sum(counts) for label, counts in PAGES.items()}
    expected = fingerprints.Expected(("text", "university", "split"), classes, None)
    monkeypatch.setitem(fingerprints.EXPECTED, "webkb.parquet", expected)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("RAREFIND_CACHE", str(folder))
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path / "none"))
    return folder


def come_from(address, monkeypatch):
    """Let WebKB come from this address."""
    monkeypatch.setattr(webkb, "ADDRESS", address)
    recipe = replace(RECIPES["webkb.parquet"], address=address)
    monkeypatch.setitem(RECIPES, "webkb.parquet", recipe)


def run(*arguments):
    return CliRunner().invoke(bench, [*map(str, arguments)])


@pytest.mark.usefixtures("small")
def test_the_file_is_built_from_the_archive_that_is_served(cache, monkeypatch):
    with OneFile(archive()) as server:
        come_from(server.address, monkeypatch)
        done = run("fetch", "webkb", "--json")
        assert done.exit_code == 0, done.output
        place = json.loads(done.stdout.splitlines()[-1])["webkb"]
        again = run("fetch", "webkb")
        assert again.exit_code == 0
    assert server.asked == [0]  # the second time it was there and whole
    table = read_table(cache / "webkb.parquet")
    assert place == str(cache / "webkb.parquet")
    assert table.words("label") == ["course"] * 4 + ["student"] * 5
    assert table.words("text")[0] == "course 0 at cornell"
    assert set(table.words("split")) == {"train", "test"}
    tested = [row for row, part in enumerate(table.words("split")) if part == "test"]
    assert [table.words("university")[row] for row in tested] == ["wisconsin"] * 2


def test_a_download_that_broke_off_goes_on_where_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(resumed, "PIECE", 100)
    content = bytes(range(256)) * 40
    with OneFile(content) as server:
        server.stop_after = 4000
        with pytest.raises(BrokenOffError, match=r"4,000 of 10,240 bytes came"):
            fetch_resumed(server.address, tmp_path / "a", largest=10**6)
        assert not (tmp_path / "a").exists()
        server.stop_after = None
        path = fetch_resumed(server.address, tmp_path / "a", largest=10**6)
    assert path.read_bytes() == content
    assert server.asked == [0, 4000]


def test_a_server_that_knows_no_parts_is_asked_for_the_whole_again(tmp_path):
    content = b"x" * 5000
    with OneFile(content, ranges=False) as server:
        (tmp_path / "a.part").write_bytes(b"y" * 100)
        assert fetch_resumed(server.address, tmp_path / "a", largest=10**6).read_bytes() == content


def test_what_is_there_and_whole_is_not_fetched_and_what_is_damaged_is(tmp_path):
    with OneFile(b"abc") as server:
        fetch_resumed(server.address, tmp_path / "a", largest=10)
        fetch_resumed(server.address, tmp_path / "a", largest=10)
        assert server.asked == [0]
        (tmp_path / "a").write_bytes(b"abd")
        assert fetch_resumed(server.address, tmp_path / "a", largest=10).read_bytes() == b"abc"


def test_a_file_larger_than_expected_is_not_taken(tmp_path):
    with OneFile(b"x" * 5000) as server, pytest.raises(OSError, match="larger than 100 bytes"):
        fetch_resumed(server.address, tmp_path / "a", largest=100)


@pytest.mark.usefixtures("small", "cache")
def test_without_a_network_it_says_what_to_do_and_an_archive_at_hand_will_do(tmp_path, monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and nobody listens
        come_from(f"http://127.0.0.1:{unused.getsockname()[1]}/", monkeypatch)
        done = run("fetch", "webkb")
    assert isinstance(done.exception, DataError)
    assert "there is no network" in str(done.exception)
    assert "--archive" in str(done.exception)
    assert webkb.ADDRESS in str(done.exception)
    path = tmp_path / "webkb-data.gtar.gz"
    path.write_bytes(archive())
    done = run("fetch", "webkb", "--archive", path)
    assert done.exit_code == 0, done.output


@pytest.mark.usefixtures("small")
def test_another_archive_is_refused(tmp_path):
    path = tmp_path / "a.gtar.gz"
    path.write_bytes(archive({"course": (1, 2, 0, 0, 0), "student": (0, 3, 1, 0, 1)}))
    with pytest.raises(DataError, match="1 pages of class 'course' from wisconsin were expected"):
        webkb.build(path)
    path.write_bytes(archive()[:200])
    with pytest.raises(DataError, match=r"were expected|no whole archive"):
        webkb.build(path)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(DataError, match="no whole archive"):
        webkb.build(path)


@pytest.mark.usefixtures("small")
def test_names_in_the_archive_lead_nowhere_and_other_files_are_left_out(tmp_path):
    path = tmp_path / "a.gtar.gz"
    path.write_bytes(archive(extra=[("../../evil", b"x"), ("webkb/readme", b"x")]))
    labels = webkb.build(path)[1]
    assert len(labels) == 9
    assert sorted(file.name for file in tmp_path.parent.glob("evil*")) == []


def test_names_that_cannot_be_fetched_are_said(tmp_path):
    for arguments, words in ((["webkbb"], "webkb"), (["glass", "--archive", "x"], "webkb alone")):
        done = run("fetch", *arguments)
        assert isinstance(done.exception, RarefindError)
        assert words in str(done.exception)


def test_scripts_comments_and_headers_are_no_words():
    page = b"A: b\n\n<script>x()</script><!-- c --><style>p{}</style>caf\xe9 &lt;3<br>end"
    assert webkb.page_text(page) == "café <3 end"
