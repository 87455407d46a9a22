"""Embeddings: read beside records, by order or by key, or made by a model."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.records import detect_kinds, prepare, read_table
from rarefind.records.columns.vectors import vectors_of
from rarefind.records.embedding.making import embed
from rarefind.records.embedding.models import model_names
from rarefind.records.embedding.own_models import Looks
from rarefind.records.pictures.places import pictures_in
from rarefind.records.read_as import ReadAs
from tests.records.pictures.conftest import RARE, draw

VECTORS = np.random.default_rng(0).normal(size=(40, 5)).round(3)
TAKES_WORDS = """
import numpy as np
made = 0

class Lengths:
    takes = "texts"
    def __init__(self):
        global made
        made += 1
    def __call__(self, texts):
        return np.array([[len(text), text.count(" ")] for text in texts])

def nothing():
    return 3
"""


@pytest.fixture
def beside(album, tmp_path):
    """Read the album with embeddings of a file, written as is said."""

    def read(name, write, key=""):
        write(tmp_path / name)
        return read_table(album, how=ReadAs(embeddings=f"{tmp_path / name}{key}"))

    return read


def test_embeddings_without_a_key_follow_the_order(beside):
    table = beside("v.npy", lambda path: np.save(path, VECTORS))
    assert np.array_equal(vectors_of(table, "embedding"), VECTORS)
    kinds = {kind.name: kind for kind in detect_kinds(table)}
    assert kinds["embedding"].kind == "vector"
    assert kinds["embedding"].why == "lists of 5 numbers, from v.npy, by order"
    prepared = prepare(table, tuple(kinds.values()))
    assert prepared.records.shape == (40, 5)  # pictures are looked at, embeddings compared
    assert prepared.left_out == ("file",)
    with pytest.raises(DataError, match=r"v.npy holds 39 embeddings and album\d* 40 records"):
        beside("v.npy", lambda path: np.save(path, VECTORS[:39]))


@pytest.mark.parametrize("ending", ["parquet", "csv", "npz"])
@pytest.mark.parametrize("names", ["whole", "stem", "folder"])
def test_embeddings_with_a_key_are_found_by_it(ending, names, album, beside):
    order = np.random.default_rng(1).permutation(40)[:38]
    files = [file.name for file in pictures_in(album)]
    keys = {
        "whole": [files[row] for row in order],
        "stem": [files[row].partition(".")[0] for row in order],
        "folder": [f"/elsewhere/{files[row]}" for row in order],
    }[names]

    def write(path):
        columns = {f"e{place}": VECTORS[order, place] for place in range(5)}
        if ending == "parquet":
            frame = pd.DataFrame({"picture": keys, "vector": list(VECTORS[order])})
            frame.to_parquet(path)
        elif ending == "csv":
            pd.DataFrame({"picture": keys, **columns}).to_csv(path, index=False)
        else:
            np.savez(path, picture=np.array(keys), vector=VECTORS[order])

    found = vectors_of(beside(f"v.{ending}", write, ":picture"), "embedding")
    assert np.array_equal(found[order], VECTORS[order])
    assert np.isnan(found).any(axis=1).sum() == 2


def test_what_does_not_fit_is_said(beside, album):
    frame = pd.DataFrame({"name": ["x"] * 40, "e": np.arange(40.0)})

    def write(path):
        frame.to_csv(path, index=False)

    with pytest.raises(DataError, match=r"No record of album\d* has an embedding in v.csv: no 'fi"):
        beside("v.csv", write, ":name")
    with pytest.raises(UnknownNameError, match=r"v.csv: .*'nam'.*'name'"):
        beside("v.csv", write, ":nam")
    with pytest.raises(DataError, match=r"holds no embeddings. Expected a column of lists"):
        beside("w.csv", lambda path: frame[["name"]].to_csv(path, index=False))
    with pytest.raises(DataError, match="There is no file"):
        read_table(album, how=ReadAs(embeddings="nowhere.npy"))
    with pytest.raises(ParameterError, match="Got both"):
        read_table(album, how=ReadAs(embeddings="v.npy", embed="looks"))


def test_our_own_model_tells_what_looks_different(album):
    files = pictures_in(album)
    vectors = embed(files, "looks")
    assert vectors.shape == (40, 251)
    rare = np.array([file.stem in RARE for file in files])
    apart = np.linalg.norm(vectors[:, None] - vectors, axis=2)
    np.fill_diagonal(apart, np.inf)
    assert rare[apart.argmin(axis=1)][rare].all()


def test_looks_are_what_a_slow_count_gives():
    picture = draw(True, 3).resize((64, 64))
    grey = np.asarray(picture, dtype=float) / 255 @ [0.299, 0.587, 0.114]
    colours, edges, patterns = np.zeros(64), np.zeros(128), {}
    down, right = np.gradient(grey)
    for row in range(64):
        for column in range(64):
            red, green, blue = (min(value // 64, 3) for value in picture.getpixel((column, row)))
            colours[16 * red + 4 * green + blue] += 1
            angle = np.degrees(np.arctan2(down[row, column], right[row, column])) % 180
            place = (row // 16 * 4 + column // 16) * 8 + min(int(angle // 22.5), 7)
            edges[place] += np.hypot(down[row, column], right[row, column])
            if 0 < row < 63 and 0 < column < 63:
                ring = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
                bits = [grey[row + r, column + c] - grey[row, column] > 1 / 255 for r, c in ring]
                turns = sum(a != b for a, b in zip(bits, bits[1:] + bits[:1], strict=True))
                name = "other" if turns > 2 else tuple(bits)
                patterns[name] = patterns.get(name, 0) + 1
    [found] = Looks()([picture])
    for part, counts in ((found[:64], colours), (found[64:192], edges)):
        assert part == pytest.approx(np.sqrt(counts) / np.sqrt(counts.sum()), abs=1e-12)
    expected = np.sqrt(np.array(sorted(patterns.values())) / sum(patterns.values()))
    assert np.sort(found[192:])[-len(patterns) :] == pytest.approx(expected)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package with models, with real metadata on a real path."""
    about = tmp_path / "site" / "lengths-2.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lengths\nVersion: 2.0\n")
    points = "lengths = lengths:Lengths\nthree = lengths:nothing\nlost = lengths:Lost\n"
    (about / "entry_points.txt").write_text(f"[rarefind.embeddings]\n{points}")
    (tmp_path / "site" / "lengths.py").write_text(TAKES_WORDS)
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "lengths", raising=False)


@pytest.mark.usefixtures("installed")
def test_models_of_other_packages_are_found_by_name(tmp_path):
    assert {"looks", "pixels", "lengths"} <= set(model_names())
    texts = ["one", "two words", "three words here"]
    assert embed(texts, "lengths").tolist() == [[3, 0], [9, 1], [16, 2]]
    path = tmp_path / "t.csv"
    pd.DataFrame({"id": ["a", "b", "c"], "said": texts}).to_csv(path, index=False)
    table = read_table(path, how=ReadAs(embed="lengths"))
    assert vectors_of(table, "embedding")[:, 0].tolist() == [3, 9, 16]
    with pytest.raises(DataError, match="the model 'looks' takes pictures, and no column holds"):
        read_table(path, how=ReadAs(embed="looks"))
    with pytest.raises(ImportError, match="'three' of lengths must be callable and say that it"):
        embed(texts, "three")
    with pytest.raises(ImportError, match="'lost' of lengths cannot be made"):
        embed(texts, "lost")
    with pytest.raises(UnknownNameError, match="'looks'"):
        embed(texts, "look")


@pytest.mark.usefixtures("installed")
def test_what_a_model_made_is_kept_for_the_next_time(tmp_path, monkeypatch):
    monkeypatch.setenv("RAREFIND_CACHE", str(tmp_path / "cache"))
    texts = [f"text {'x' * (number % 50)}" for number in range(250)]
    first = embed(texts, "lengths")
    monkeypatch.setattr(sys.modules["lengths"].Lengths, "__call__", None)
    assert np.array_equal(embed(texts, "lengths"), first)
    [kept] = (tmp_path / "cache" / "embeddings").iterdir()
    kept.write_bytes(kept.read_bytes()[:100])
    with pytest.raises(DataError, match="The model 'lengths' failed on the records"):
        embed(texts, "lengths")  # damaged: made anew, which this model no longer can
    with pytest.raises(DataError, match="failed"):
        embed([*texts[1:], "another"], "lengths")


def test_bytes_and_paths_are_pictures_and_arrays_are_not(album):
    path = album / "p00.png"
    assert np.array_equal(embed([path]), embed([path.read_bytes()]))
    with pytest.raises(DataError, match="must be a path or the bytes of a file"):
        embed([Image.new("RGB", (2, 2))])
    with pytest.raises(DataError, match=r"There is no picture nowhere.png.* It is record 1."):
        embed([path, "nowhere.png"])


def test_one_embedding_of_very_many_records_is_weighed_first(tmp_path):
    (tmp_path / "t.csv").write_text("id,x\n" + "a,1\n" * 40_000)
    vectors = tmp_path / "e.jsonl"
    vectors.write_text("".join(f'{{"id": "{id}", "v": [{"1,2," * 5000}3]}}\n' for id in "ab"))
    with pytest.raises(DataError, match="when its cells are unfolded"):
        read_table(tmp_path / "t.csv", how=ReadAs(embeddings=f"{vectors}:id"))
