from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "workbench.md"


def test_the_client_in_the_docs_works_as_printed(server, tmp_path, monkeypatch):
    text = PAGE.read_text(encoding="utf-8").partition("## For programs")[2]
    (code,) = re.findall(r"```py\n(.*?)```", text, re.DOTALL)
    assert code.count("http://127.0.0.1:8737") == 1
    (tmp_path / "rarefind.files").mkdir()
    (tmp_path / "rarefind.files" / "token").write_text(server.token + "\n")
    monkeypatch.chdir(tmp_path)
    for turn in (1, 2):  # the second time it goes on with the hunt
        exec(code.replace("http://127.0.0.1:8737", server.address), {})
        hunt = next(each for each in server.api.get("/api/hunts").json() if each["name"] == "robot")
        assert (hunt["labels"], hunt["annotators"]) == (turn, ["robot"])
