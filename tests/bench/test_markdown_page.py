from __future__ import annotations

import pytest

from rarefind.core.errors import DataError
from rarefind_bench.markdown_page import MARK, markdown_table, write_markdown
from rarefind_bench.tables_and_charts import Findings, Grid, check_out

FOUND = Findings(
    "Labels", "How to read it.", [Grid("By set", ("set", "labels"), [("a", 2.5)])], notes=["a note"]
)


def test_tables_are_written_below_what_a_person_wrote(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"# By hand\n\n{MARK}\n\nold tables\n", encoding="utf-8")
    check_out(page)
    FOUND.write(page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# By hand\n\n{MARK}\n\n## Labels\n\nHow to read it.\n\n### By set\n\n")
    assert "| set | labels |\n|---|---|\n| a | 2.5 |\n\na note; 2" in text
    assert "old tables" not in text
    FOUND.write(page)
    assert page.read_text(encoding="utf-8") == text


def test_a_new_page_begins_with_the_mark(tmp_path):
    FOUND.write(tmp_path / "new.md")
    assert (tmp_path / "new.md").read_text(encoding="utf-8").startswith(f"{MARK}\n\n## Labels")


def test_a_page_that_is_not_ours_is_left_alone(tmp_path):
    page = tmp_path / "notes.md"
    page.write_text("dear diary\n", encoding="utf-8")
    for touch in (check_out, FOUND.write):
        with pytest.raises(DataError, match=r"holds no line '<!-- .*': add it where"):
            touch(page)
    assert page.read_text(encoding="utf-8") == "dear diary\n"


def test_paths_that_no_page_can_be_written_to_are_refused(tmp_path):
    with pytest.raises(DataError, match="in a folder that exists"):
        check_out(tmp_path / "no" / "page.md")
    with pytest.raises(DataError, match=r"a page ends in \.html"):
        check_out(tmp_path / "page.pdf")
    (tmp_path / "bytes.md").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(DataError, match="cannot be read"):
        check_out(tmp_path / "bytes.md")
    with pytest.raises(DataError, match="cannot be written"):
        write_markdown(tmp_path / "no" / "page.md", "text")


def test_a_bar_in_a_cell_ends_no_column():
    assert markdown_table(["a|b"], [["c"]]).splitlines()[0] == r"| a\|b |"
