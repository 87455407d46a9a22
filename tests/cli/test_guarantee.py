from __future__ import annotations

import json

from tests.cli.command import rarefind


def test_it_tells_what_is_promised_for_each_rare_class(folder):
    shown = rarefind("guarantee", "payments.csv", "--label-column", "kind", cwd=folder)
    assert shown.returncode == 0, shown.stderr
    assert "fraud" in shown.stdout
    assert "at least 1/3" in " ".join(shown.stdout.split())
    told = rarefind("guarantee", "payments.csv", "--label-column", "kind", "--json", cwd=folder)
    first = json.loads(told.stdout)[0]
    assert first["rounds"] >= 1
    assert first["applies"] is False
    assert first["chance"] == 1 / 3


def test_columns_without_volumes_and_unknown_classes_are_refused(folder):
    (folder / "words.jsonl").write_text('{"s": "ACGT", "k": "a"}\n{"s": "ACGA", "k": "b"}\n')
    arguments = ("words.jsonl", "--label-column", "k", "--kind", "s=sequence")
    refused = rarefind("guarantee", *arguments, cwd=folder)
    assert refused.returncode == 2
    assert "speaks of volumes" in refused.stderr
    wrong = ("payments.csv", "--label-column", "kind", "--background", "ordinry")
    refused = rarefind("guarantee", *wrong, cwd=folder)
    assert refused.returncode == 2
    assert "ordinry" in refused.stderr
