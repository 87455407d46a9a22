"""A file of payments as a bank's spreadsheet gives it, used as it is."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.by_ending import read_table
from tests.cli.command import rarefind

ORDINARY = 2000


def payments(rng):
    """Rows of a table: ordinary payments, and four kinds of fraud that are rare among them."""

    def some(kind, amount, hour, age, country, memo):
        return [kind, amount, hour % 24, age, rng.choice(country), rng.choice(memo)]

    things = ["rent", "groceries", "dinner", "invoice", "gym", "books", "phone", "repair", "gift"]
    usual = [f"{one} and {other} for {who}" for one in things for other in things for who in "abc"]
    for _ in range(ORDINARY):
        amount, hour = rng.lognormal(4, 0.7), rng.normal(14, 3)
        yield some("ordinary", amount, hour, rng.normal(900, 200), ["se", "no", "dk"], usual)
    for _ in range(9):
        yield some("large", rng.normal(80_000, 500), 14.0, rng.normal(900, 200), ["se"], usual)
        yield some("night", 19.15 + rng.normal(0, 0.05), 3.2, 400.0, ["se"], usual)
        yield some("new account", 120 + rng.normal(0, 3), 12.0, 2.0, ["lt"], usual)
        yield some("abroad", 340 + rng.normal(0, 3), 22.5, 10.0, ["xx"], ["urgent gift cards now"])


def written(row, number, rng):
    kind, amount, hour, age, country, memo = row
    money = "unknown" if number % 97 == 5 else f"${amount:,.2f}"
    clock = f"{int(hour):02d}:{int(hour % 1 * 60):02d}"
    days = "-" if number % 53 == 7 else f"{max(age, 0):.1f} days"
    return [number, f"TX-{rng.integers(10**9):09d}", money, clock, days, country, memo, kind]


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    rows = list(payments(rng))
    path = tmp_path / "payments.csv"
    with path.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["", "reference", "amount", "time", "age", "country", "memo", "kind"])
        for number, place in enumerate(rng.permutation(len(rows))):
            writer.writerow(written(rows[place], number, rng))
    return path


def test_four_kinds_of_fraud_are_found_within_forty_labels(file):
    done = rarefind(
        "discover", file.name, "--label-column", "kind", "--budget", 40, "--json", cwd=file.parent
    )
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "Left out: index (counts the rows); reference (" in said
    kinds = {kind.name: kind for kind in detect_kinds(read_table(file))}
    assert "with signs of money, 21 cells taken for missing: 'unknown'" in kinds["amount"].why
    assert kinds["amount"].examples[0].startswith("$")
    assert kinds["time"].why.endswith("times in seconds")
    assert kinds["memo"].kind == "text"
    told = json.loads(done.stdout)
    found = {each["label"] for each in told["asked"]}
    assert found == {"ordinary", "large", "night", "new account", "abroad"}
    assert len(told["asked"]) <= 40
