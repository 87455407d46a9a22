"""Write the types of what the HTTP interface answers, for the checks of the page.

They follow from docs/openapi.json.

Usage: python scripts/page_types.py > src/rarefind/web/static/lib/http.d.ts
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[1] / "docs" / "openapi.json"
HEAD = """\
// What the HTTP interface answers: written from docs/openapi.json by scripts/page_types.py, for the
// checks alone. No browser ever asks for this file.
"""
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def written(document: dict[str, Any]) -> str:
    """Write an interface for every schema that an answer of an OpenAPI document holds."""
    schemas = document["components"]["schemas"]
    routes = [route for methods in document["paths"].values() for route in methods.values()]
    names: set[str] = set()
    found = _named(json.dumps([route["responses"] for route in routes]))
    while found - names:
        names |= found
        found = _named(json.dumps([schemas[name] for name in sorted(names)]))
    return "\n".join([HEAD, *(_interface(name, schemas[name]) for name in sorted(names))])


def _named(text: str) -> set[str]:
    return set(re.findall(r"#/components/schemas/(\w+)", text))


def _interface(name: str, schema: dict[str, Any]) -> str:
    always = schema.get("required", [])
    about = " ".join(schema["description"].partition("\n\n")[0].split())
    lines = [f"/** {about} */", f"export interface {name} {{"]
    for field, kind in schema["properties"].items():
        lines.append(f"  {field}{'' if field in always else '?'}: {_type(kind)};")
    return "\n".join([*lines, "}\n"])


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(option) for option in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        return f"Array<{_type(schema['items'])}>"
    if kind == "object":
        inside = schema.get("additionalProperties", True)
        return f"Record<string, {'any' if inside is True else _type(inside)}>"
    return "null" if kind == "null" else _PLAIN.get(str(kind), "any")


if __name__ == "__main__":
    sys.stdout.write(written(json.loads(DOCUMENT.read_text(encoding="utf-8"))))
