"""The page is served as it lies in the repository: rooms of modules, nothing built."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "rarefind" / "web" / "static"
TYPES = STATIC / "lib" / "http.d.ts"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
MODULES = [path for path in FILES if path.suffix == ".js"]
IMPORT = re.compile(r'^import [^;]*? from "([^"]+)";', re.MULTILINE)


def name_of(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def test_every_file_is_served_but_the_types_for_the_checks(inside):
    kinds = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
    for path in FILES:
        answer = inside.api.get(f"/static/{name_of(path)}")
        if path == TYPES:
            assert answer.status_code == 404
            continue
        assert answer.status_code == 200, path
        assert answer.content == path.read_bytes()
        kind = kinds.get(path.suffix, "image/svg+xml")
        assert answer.headers["Content-Type"].startswith(kind), path


def test_every_import_of_a_module_is_there():
    for path in MODULES:
        for name in IMPORT.findall(path.read_text(encoding="utf-8")):
            assert name.startswith("."), f"{path} imports {name}: browsers find paths alone"
            assert (path.parent / name).resolve() in MODULES, (path, name)


def test_the_page_links_every_style_sheet_once():
    sheets = {name_of(path) for path in FILES if path.suffix == ".css"}
    joining = {name for name in sheets if name.startswith("join/")}
    assert linked(STATIC / "index.html") == sorted(sheets - joining)
    # Whoever is not signed in yet has a page of its own.
    assert joining <= set(linked(STATIC / "join" / "index.html")) <= sheets


def linked(page):
    text = page.read_text(encoding="utf-8")
    return sorted(re.findall(r'<link rel="stylesheet" href="/static/([^"]+)"', text))


def test_every_page_of_the_list_is_a_room():
    text = (STATIC / "app.js").read_text(encoding="utf-8")
    rooms = re.findall(r'^  \[/.*/, "(\w+)", "[\w ]+"\],$', text, re.MULTILINE)
    assert sorted([*rooms, "join"]) == sorted(path.parent.name for path in STATIC.rglob("page.js"))


def test_files_are_short_and_do_not_repeat_their_room():
    for path in FILES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 300 or path == TYPES, path  # written by a script, read by nobody
        assert max(len(line) for line in lines) <= 100, path
        assert path.parent == STATIC or path.stem != path.parent.name, path


def test_the_types_are_those_of_the_http_interface():
    script = ROOT / "scripts" / "page_types.py"
    written = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    place = TYPES.relative_to(ROOT)
    again = f"Write them again: python scripts/page_types.py > {place}"
    assert TYPES.read_text(encoding="utf-8") == written.stdout, again


def test_the_tools_that_check_the_page_are_pinned_and_come_from_anywhere():
    tools = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    kept = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in tools.values())
    for name, about in kept.items():
        assert "resolved" not in about, f"{name or 'the page'} names a registry"
