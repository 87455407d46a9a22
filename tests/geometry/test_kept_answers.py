from __future__ import annotations

import json
import os
import pickle

import numpy as np
import pytest
from scipy import sparse

from rarefind import Hunt
from rarefind.geometry import TreeEngine, kept_answers, thresholds
from rarefind.geometry.kept_answers import KeptAnswers, read_answer
from rarefind.kernels import Gaussian, Spectrum

RNG = np.random.default_rng(0)
X = RNG.normal(size=(160, 3))
WIDE = RNG.normal(size=(160, 20))
RECORDS = {
    "a tree": (X, None),
    "blocks": (WIDE, None),
    "sparse": (sparse.csr_array(np.where(WIDE > 1, WIDE, 0)), None),
    "a kernel": (X, Gaussian()),
    "strings": (["".join(RNG.choice(list("abc"), size=6)) for _ in range(160)], Spectrum(2)),
}


@pytest.fixture(autouse=True)
def everything_is_worth_keeping(monkeypatch):
    monkeypatch.setattr(thresholds, "KEPT_SECONDS", 0.0)


def asked(records, strategy, kernel=None, count=12, **options):
    """Return the questions of a hunt, whole, with two answers in seven of a rare class."""
    priors = [0.05] if strategy in ("malice", "grade") else None
    hunt = Hunt(records, strategy, kernel, priors, background=0, **options)
    questions = []
    for number in range(count):
        questions.append(hunt.ask())
        hunt.tell(questions[-1].row, number % 7 // 5)
    return questions


@pytest.mark.parametrize("kind", RECORDS)
@pytest.mark.parametrize("strategy", ["auto", "malice", "grade"])
def test_a_hunt_begun_again_asks_the_same_and_computes_nothing_twice(
    tmp_path, monkeypatch, kind, strategy
):
    records, kernel = RECORDS[kind]
    plain = asked(records, strategy, kernel)
    assert asked(records, strategy, kernel, keep=tmp_path) == plain
    files = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert files
    monkeypatch.setattr(np, "savez", lambda *_: pytest.fail("computed again"))
    assert asked(records, strategy, kernel, keep=tmp_path) == plain
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == files


def test_other_records_are_set_up_anew_and_the_files_of_the_old_ones_go(tmp_path):
    Hunt(X, keep=tmp_path)
    before = set(tmp_path.iterdir())
    other = X.copy()
    other[7] += 10.0
    assert asked(other, "auto", keep=tmp_path) == asked(other, "auto")
    assert before.isdisjoint(tmp_path.iterdir())


def test_records_added_keep_the_files_of_the_first_ones_too(tmp_path):
    hunt = Hunt(X[:100], keep=tmp_path)
    first = set(tmp_path.iterdir())
    hunt.append(X[100:])
    assert first < set(tmp_path.iterdir())


def test_another_version_counts_as_another_question(tmp_path, monkeypatch):
    Hunt(X, keep=tmp_path)
    before = set(tmp_path.iterdir())
    monkeypatch.setattr(kept_answers, "__version__", "0.0.0")
    Hunt(X, keep=tmp_path)
    assert before.isdisjoint(tmp_path.iterdir())


def cut(path):
    path.write_bytes(path.read_bytes()[:-40])


def flip(path):
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(bytes(raw))


def empty(path):
    path.write_bytes(b"")


def other_words(path):
    with np.load(path) as held:
        words, *arrays = (held[name] for name in held.files)
    about = {**json.loads(bytes(words)), "format": 0}
    with path.open("wb") as file:
        np.savez(file, np.frombuffer(json.dumps(about).encode(), np.uint8), *arrays)


def other_numbers(path):
    with np.load(path) as held:
        words, *arrays = (held[name] for name in held.files)
    with path.open("wb") as file:
        np.savez(file, words, *[array * 2 for array in arrays])


@pytest.mark.parametrize("damage", [cut, flip, empty, other_words, other_numbers])
def test_a_damaged_file_is_silently_computed_anew(tmp_path, damage):
    plain = asked(X, "auto", keep=tmp_path)
    for path in tmp_path.iterdir():
        damage(path)
        assert read_answer(path) is None
    assert asked(X, "auto", keep=tmp_path) == plain
    assert all(read_answer(path) is not None for path in tmp_path.iterdir())


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


def test_nothing_in_a_file_is_executed(tmp_path):
    Hunt(X, keep=tmp_path / "kept")
    sprung = tmp_path / "sprung"
    for path in (tmp_path / "kept").iterdir():
        with path.open("wb") as file:
            np.savez(file, np.array([Trap(sprung)], dtype=object))
        assert read_answer(path) is None
        path.write_bytes(pickle.dumps(Trap(sprung)))
        assert read_answer(path) is None
    assert not sprung.exists()


def test_no_more_is_kept_than_allowed(tmp_path, monkeypatch):
    monkeypatch.setattr(thresholds, "KEPT_BYTES", 50_000)
    with KeptAnswers(tmp_path):
        for part in range(4, 12):
            TreeEngine(X[part:]).nearest(10)
    assert 1 <= len(list(tmp_path.iterdir())) <= 3
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 53_000


def test_a_folder_nobody_can_write_to_stops_no_hunt(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    assert asked(X, "auto", keep=tmp_path / "file") == asked(X, "auto")


def test_quick_answers_are_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(thresholds, "KEPT_SECONDS", 1e9)
    Hunt(X, keep=tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def test_a_set_up_that_fails_removes_nothing(tmp_path):
    Hunt(X, keep=tmp_path)
    before = set(tmp_path.iterdir())
    with pytest.raises(RuntimeError), KeptAnswers(tmp_path):
        raise RuntimeError
    assert set(tmp_path.iterdir()) == before


class Home(Gaussian):
    """A kernel whose code may be another tomorrow."""


def test_distances_of_a_kernel_that_is_not_ours_are_not_kept(tmp_path):
    assert asked(X, "auto", Home(), keep=tmp_path / "kept") == asked(X, "auto", Home())
    assert not (tmp_path / "kept").exists()


def test_answers_of_every_shape_come_back_as_they_were(tmp_path):
    for _ in range(2):
        with KeptAnswers(tmp_path):
            engine = TreeEngine(X)
            near, least, counts = (
                engine.nearest(3),
                engine.least_kth_distance(2),
                engine.counts(0.5),
            )
        plain = TreeEngine(X)
        np.testing.assert_array_equal(near[0], plain.nearest(3)[0])
        np.testing.assert_array_equal(near[1], plain.nearest(3)[1])
        np.testing.assert_array_equal(counts, plain.counts(0.5))
        assert least == plain.least_kth_distance(2)
        assert isinstance(least, float)
