from __future__ import annotations

import pytest
from scripts.changelog import ROOT, bullets, faults, gathered

LOG = """# Changelog

## 0.2.0 (unreleased)

**Store.** Much.

## 0.1.0 (2026-01-01)

- Old.
"""


def test_the_fragments_of_this_repository_are_well_formed():
    assert faults(ROOT / "changelog.d") == []


def test_a_bullet_may_go_over_lines(tmp_path):
    (tmp_path / "topic.md").write_text("- One\n  and more.\n- Two.\n")
    assert faults(tmp_path) == []
    assert bullets(tmp_path / "topic.md") == ["- One\n  and more.", "- Two."]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("Topic.md", "- One.\n", "name it after its topic"),
        ("topic.txt", "- One.\n", "name it after its topic"),
        ("topic.md", "", "one to 3 bullets that begin with '- '. Got 0."),
        ("topic.md", "- A.\n- B.\n- C.\n- D.\n", "Got 4."),
        ("topic.md", "One.\n", "every bullet must begin"),
        ("topic.md", "- One\n", "end with a full stop"),
        ("topic.md", "- One.\nand more.\n", "indent its other lines"),
        ("topic.md", "- Fixed #12.\n", "instead of the number"),
    ],
)
def test_what_is_not_well_formed_is_told_in_a_sentence(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    (said,) = faults(tmp_path)
    assert said.startswith(f"{name}: ")
    assert words in said


def test_news_go_to_the_end_of_their_version():
    told = gathered(LOG, ["- New.", "- Newer."], "0.2.0", "unreleased")
    assert told == LOG.replace("Much.\n", "Much.\n\n- New.\n- Newer.\n")
    assert gathered(LOG, [], "0.2.0", "unreleased") == LOG
    released = gathered(LOG, [], "0.1.0", "2026-02-02")
    assert released == LOG.replace("2026-01-01", "2026-02-02")


def test_a_new_version_comes_first():
    told = gathered(LOG, ["- New."], "0.3.0", "2026-03-03")
    assert told == LOG.replace("## 0.2.0", "## 0.3.0 (2026-03-03)\n\n- New.\n\n## 0.2.0")
