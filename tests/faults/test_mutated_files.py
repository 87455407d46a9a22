"""Damaged files: no crash, no hang, no traceback, and one sentence that names the file.

``RAREFIND_MUTATIONS=2000`` damages more of them.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from tests.faults.damage import damaged, seeds
from tests.waiting import PATIENCE

MUTATIONS = int(os.environ.get("RAREFIND_MUTATIONS", "300"))


def read_all(paths):
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("reader.py")],
        input="".join(f"{path}\n" for path in paths),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE * (1 + len(paths) / 20),  # on a machine that others use as well
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(paths), (
        f"the reader died or hung at {paths[len(answers)].name}: {done.stderr[-2000:]}"
    )
    return answers


def test_damaged_files_of_every_format_are_read_or_refused_in_one_sentence(tmp_path):
    sound = tmp_path / "sound"
    broken = tmp_path / "broken"
    sound.mkdir()
    broken.mkdir()
    originals = seeds(sound)
    answers = read_all(originals)
    assert [answer for answer in answers if answer["outcome"] != "prepared"] == []
    chance = random.Random(0)
    paths = []
    for number in range(MUTATIONS):
        original = originals[number % len(originals)]
        path = broken / f"m{number}{''.join(original.suffixes)}"
        path.write_bytes(damaged(original.read_bytes(), chance))
        paths.append(path)
    answers = read_all(paths)
    assert [answer for answer in answers if answer["outcome"] == "crashed"] == []
    for answer in answers:
        if answer["said"]:
            assert answer["file"] in answer["said"]
            assert "\n" not in answer["said"]
            assert len(answer["said"]) < 1000
    refused = sum(bool(answer["said"]) for answer in answers)
    assert 0.1 * MUTATIONS < refused < MUTATIONS
