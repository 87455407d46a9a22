"""Habits that no other tool checks: constants say why, and tests go through public doors."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "benchmarks" / "src").rglob("*.py")])
TESTS = sorted((ROOT / "tests").rglob("*.py"))

CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]+")
PATCHED = re.compile(r"""setattr\(\s*(?:"rarefind\w*\.[\w.]+\.|\w+,\s*")_[a-zA-Z]\w*\"""")
SAYS = re.compile(r"#(?! (fmt|noqa|type):)")  # other comments are for tools
PROTOCOLS = {"_asdict", "_replace", "_repr_html_", "_exit"}


def named(path):
    return str(path.relative_to(ROOT))


def constants_without_a_reason(path):
    """Constants of a module or class with no comment above or beside, and no docstring below."""
    text = path.read_text()
    words = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = {each.start[0] for each in words if SAYS.match(each.string)}
    bodies = [ast.parse(text).body]
    while bodies:
        body = bodies.pop()
        for statement, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(statement, ast.ClassDef):
                bodies.append(statement.body)
            if not isinstance(statement, (ast.Assign, ast.AnnAssign)):
                continue
            targets = getattr(statement, "targets", None) or [statement.target]
            names = [name for each in targets for name in ast.unparse(each).strip("()").split(", ")]
            told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            told |= after is not None and after.lineno == statement.end_lineno + 1  # one for both
            lines = range(statement.lineno - 1, statement.end_lineno + 1)
            if all(map(CONSTANT.fullmatch, names)) and not told and comments.isdisjoint(lines):
                yield f"{named(path)}:{statement.lineno} {', '.join(names)}"


def test_every_constant_has_its_reason():
    assert [each for path in OURS for each in constants_without_a_reason(path)] == []


def private_names_reached(path):
    """Private attributes of anything but a test's own objects, read or replaced."""
    text = path.read_text()
    yield from (f"{named(path)}: {found[0]}" for found in PATCHED.finditer(text))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr):
            owner = ast.unparse(node.value)
            if node.attr not in PROTOCOLS and not re.match(r"(self|cls|super\()", owner):
                yield f"{named(path)}:{node.lineno} {owner}.{node.attr}"


def test_no_test_reaches_into_what_is_private():
    assert [each for path in TESTS for each in private_names_reached(path)] == []
