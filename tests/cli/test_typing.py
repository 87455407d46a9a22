"""Typing as people do it: whatever was typed, what is kept is what was shown."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from rarefind.records.formats.by_ending import read_table
from tests.cli.command import rarefind
from tests.cli.terminal import Terminal

HUNT = ("discover", "raw.csv", "--strategy", "random")
PASTE = "\x1b[200~{}\x1b[201~"
UP, DOWN, LEFT, RIGHT, DELETE, F1 = "\x1b[A", "\x1bOB", "\x1b[1;5D", "\x1b[C", "\x1b[3~", "\x1bOP"

UNDONE = object()

# What is typed, prompt by prompt, and what it makes of the record shown: a class, a skip (None), or
# nothing yet ("").
TYPED = [
    (["spam\r"], "spam"),  # the keys of commands begin names
    (["normal\r"], "normal"),
    (["unusual\r"], "unusual"),
    (["queer\r"], "queer"),
    (["?what\r"], "?what"),
    (["1st class\r"], "1st class"),
    (["SPAM\r"], "spam"),
    (["1\r"], "spam"),
    (["2\r"], "normal"),
    (["99\r"], ""),
    (["=99\r"], "99"),
    (["\r"], ""),
    (["   \r"], ""),
    (["=\r"], ""),
    (["?\r"], ""),
    (["help\r"], ""),
    (["s\r"], None),
    (["Skip\r"], None),
    (["n\r", "odd\r"], "odd"),
    (["new\r", "new one\r"], "new one"),
    (["n\r", "\r"], ""),  # thought better of it
    (["spma\r", "y\r"], "spam"),  # close to a class: asked first
    (["normla\r", "spam\r"], "spam"),
    (["norml\r", "\r"], ""),
    (["unus\r", "n\r"], "unus"),
    (["x\r", "n\r"], ""),
    (["z\r", "y\r"], "z"),
    (["n nova\r", "y\r"], "nova"),
    (["812 spam\r", "y\r"], "spam"),  # a row is not named here
    (["unknown\r", "s\r"], None),  # more often a skip than a class
    (["Not sure\r", "n\r"], ""),
    (["maybe\r", "y\r"], "maybe"),
    (["spax\x7fm\r"], "spam"),
    (["wrong\x15normal\r"], "normal"),
    (["wrong\x1b", "normal\r"], "normal"),
    (["new wrong\x17day\r"], "new day"),
    (["nor\t\r"], "normal"),
    ([UP + DOWN + "sp" + LEFT + RIGHT + DELETE + F1 + "am\r"], "spam"),
    ([UP + "\r"], ""),
    (["spam\x04\r"], "spam"),  # Control-D ends nothing that is begun
    ([PASTE.format("spam") + "\r"], "spam"),
    ([PASTE.format("spam\r\nnormal\r\nq\r\n") + "\r", "n\r"], "spam normal q"),
    (["normal, I think\r", "y\r"], "normal"),
    ([PASTE.format("a\x07b\tc") + "\r"], "ab c"),
    (["naïve 漢字\r"], "naïve 漢字"),
    (["漢\x7f\x7fspam\r"], "spam"),
    (["normal\rspam\rqueer\r"], "normal"),  # pasted by a terminal that does not say so
    (["u\r"], UNDONE),
    (["UNDO\r"], UNDONE),
]


@pytest.fixture
def home(folder, tmp_path):
    shutil.copy(folder / "raw.csv", tmp_path / "raw.csv")
    return tmp_path


def kept(home):
    """The labels in the store by row, and how many skips."""
    done = rarefind("export", "raw", "labels.csv", "--what", "labels", cwd=home)
    assert done.returncode == 0, done.stderr
    table = read_table(home / "labels.csv")
    labels = dict(zip(map(int, table.column("row")), table.words("label"), strict=True))
    shown = json.loads(rarefind("show", "raw", "--json", cwd=home).stdout)
    return labels, shown["progress"]["skipped"]


def said(shown):
    """What the sentences say about each row; None for a skip, nothing for what was taken back."""
    pattern = (
        r"Row (\d+) is (.+?), the (?:first of a new class|[\d,]+(?:st|nd|rd|th) of it)\. \(u takes"
        r"|Row (\d+) stays undecided\. \(u takes"
        r"|The (?:answer about|skip of) row (\d+) is taken back"
    )
    told = {}
    for row, label, skipped, undone in re.findall(pattern, " ".join(shown.split())):
        if undone:
            del told[int(undone)]
        else:
            told[int(row or skipped)] = label or None
    return told


def test_whatever_is_typed_only_what_is_shown_is_kept(home):
    terminal = Terminal(*HUNT, cwd=home)
    seen = terminal.prompt()
    expected = {}
    for parts, meaning in TYPED:
        row = int(re.findall(r"what is row (\d+)", seen)[-1])
        for part in parts:
            terminal.type(part)
            seen += terminal.prompt() if part.endswith("\r") else terminal.wait_for("\b")
        if meaning == UNDONE:
            expected.popitem()
        elif meaning != "":
            expected[row] = meaning
        assert said(seen) == expected, parts
    terminal.type("q\r")
    assert terminal.end()[1] == 0
    labels = {row: label for row, label in expected.items() if label is not None}
    assert kept(home) == (labels, len(expected) - len(labels))
    assert seen.count("typed before this record was shown is no answer to it") == 1


@pytest.mark.parametrize("parts", [["spa"], ["n\r", "od"], ["spma\r", "y"], ["=", "q"]])
def test_control_c_in_the_middle_keeps_nothing_of_it(home, parts):
    terminal = Terminal(*HUNT, cwd=home)
    terminal.prompt()
    terminal.type("spam\r")
    seen = terminal.prompt()
    for part in parts:
        terminal.type(part)
        seen += terminal.prompt() if part.endswith("\r") else terminal.wait_for(part)
    terminal.type("\x03")
    shown, code = terminal.end()
    assert code == 130
    assert "Every answer is kept in rarefind.db" in shown
    assert kept(home) == (said(seen), 0)
    assert list(said(seen).values()) == ["spam"]


def test_the_end_of_input_keeps_nothing_that_is_only_begun(home):
    terminal = Terminal(*HUNT, cwd=home)
    terminal.prompt()
    terminal.type("spam\r")
    seen = terminal.prompt()
    terminal.type("\x04")
    assert terminal.end()[1] == 0
    assert kept(home) == (said(seen), 0)
