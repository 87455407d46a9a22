from __future__ import annotations

import pytest

from rarefind.core.errors import ParameterError, TooLargeError
from rarefind.core.memory_guard import (
    VARIABLE,
    allowed_bytes,
    available_bytes,
    ensure_fits,
    memory_limit,
    parse_size,
    readable_size,
)


def test_by_default_half_of_the_free_memory_is_allowed(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert 2**20 < allowed_bytes() <= available_bytes()
    ensure_fits(8, "A number", "")
    with pytest.raises(TooLargeError, match=r"A universe would need .* TB, more than .* Go small"):
        ensure_fits(10**18, "A universe", "Go small.")


def test_no_number_of_bytes_is_too_large_to_be_refused():
    with pytest.raises(TooLargeError, match="A galaxy would need"):
        ensure_fits(10**400, "A galaxy", "Go small.")


def test_the_environment_sets_the_limit_and_a_block_overrides_it(monkeypatch):
    monkeypatch.setenv(VARIABLE, "2KB")
    assert allowed_bytes() == 2000
    with pytest.raises(TooLargeError, match=r"3\.0 kB, more than the 2\.0 kB"):
        ensure_fits(3000, "It", "")
    with memory_limit("5KB"):
        ensure_fits(3000, "It", "")
        with memory_limit(100):
            assert allowed_bytes() == 100
        assert allowed_bytes() == 5000
    assert allowed_bytes() == 2000


@pytest.mark.parametrize(
    ("text", "size"), [("12", 12), (12, 12), ("1kb", 1000), ("2 GiB", 2**31), ("0.5MB", 500_000)]
)
def test_sizes_are_read_with_their_units(text, size):
    assert parse_size(text, "It") == size


@pytest.mark.parametrize("text", ["", "much", "-3GB", "3 parsecs"])
def test_other_words_are_refused_by_name(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(ParameterError, match=f"{VARIABLE} must be a size such as 500MB"):
        allowed_bytes()


def test_sizes_are_written_for_people():
    assert [readable_size(size) for size in (5, 1500, 2 * 10**9, 10**13)] == [
        "5 B",
        "1.5 kB",
        "2.0 GB",
        "10.0 TB",
    ]
