"""What must never be written into the source."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
STATIC = ROOT / "src" / "rarefind" / "web" / "static"
PAGES = sorted(
    path for path in STATIC.rglob("*") if path.suffix in (".js", ".html", ".css", ".svg")
)
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib", "multipart"}
CALLS = {"eval", "exec", "compile", "__import__"}


def calls_by_name(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            yield (
                (function.id if isinstance(function, ast.Name) else ""),
                ast.unparse(function),
                node,
            )


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_source_runs_data_as_code(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not {name.partition(".")[0] for name in names} & MODULES, names
    for name, dotted, call in calls_by_name(tree):
        assert name not in CALLS, f"line {call.lineno}: {dotted}"
        assert dotted not in ("yaml.load", "os.system", "os.popen", "joblib.load", "np.loads")
        for keyword in call.keywords:
            value = getattr(keyword.value, "value", None)
            assert not (keyword.arg == "allow_pickle" and value is not False)
            assert not (keyword.arg == "shell" and value is not False)


FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|"
    r"setHTMLUnsafe|\beval\s*\(|new\s+Function|\bFunction\s*\(|javascript:|srcdoc|"
    r"set(Timeout|Interval)\s*\(\s*[\"'`]"
)
INLINE = re.compile(
    r"<[a-z][^>]*\s(on[a-z]+|style)\s*=|<script(?![^>]*\ssrc=)|<style", re.IGNORECASE
)


def test_there_is_a_page_to_look_at():
    assert {path.suffix for path in PAGES} >= {".js", ".html", ".css"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_page_writes_text_and_nothing_but_text(path):
    text = path.read_text(encoding="utf-8")
    found = FORBIDDEN.search(text)
    assert found is None, found
    if path.suffix in (".html", ".svg"):
        assert INLINE.search(text) is None
    without_namespace = text.replace("http://www.w3.org/", "")
    assert not re.search(r"https?://|[\"'(]//\w", without_namespace), "loads from elsewhere"
