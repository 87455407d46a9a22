"""Graphs in GraphML files.

The parser is told to refuse document types and entities, by which XML files reach for other files
or grow without bound; nothing outside the file is ever read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.parsers import expat

from rarefind.core.errors import DataError
from rarefind.records.formats.graph_fields import chosen_labels, read_graph
from rarefind.records.formats.json_lines import GRAPH, values_column
from rarefind.records.formats.limits import OBJECT_BYTES, Watch
from rarefind.records.formats.streams import open_bytes
from rarefind.records.table import Table

_BLOCK = 2**16
"""Bytes parsed between two looks at the limits."""

_NUMBERS = {"int": int, "long": int, "float": float, "double": float}
"""GraphML's types that are numbers; the others stay words."""


def read_graphml(path: Path, watch: Watch) -> Table:
    """Read a .graphml file: every graph in it is a record, with its own data beside it."""
    return graphs_table(graphs_in(path, watch), watch)


def graphs_in(path: Path, watch: Watch) -> list[dict[str, Any]]:
    """Read the graphs of a file as fields of a record each."""
    reading = _Reading(watch)
    with open_bytes(path, watch) as stream:
        try:
            while part := stream.read(_BLOCK):
                reading.parser.Parse(part, False)
            reading.parser.Parse(b"", True)
        except expat.ExpatError as problem:
            raise DataError(
                f"{watch.name}: line {problem.lineno}, character {problem.offset + 1} is not "
                f"valid XML: {expat.ErrorString(problem.code)}."
            ) from None
        except (LookupError, ValueError) as problem:
            if isinstance(problem, DataError):
                raise
            raise DataError(f"{watch.name}: the XML cannot be read ({problem!s:.100}).") from None
    if not reading.records:
        raise DataError(f"{watch.name}: there is no <graph> in the file.")
    return reading.records


def graphs_table(records: list[dict[str, Any]], watch: Watch) -> Table:
    """Make a table of graphs and their data."""
    source = watch.name
    names = dict.fromkeys(name for record in records for name in record)
    watch.columns(len(names))
    watch.cells(len(records) * len(names), OBJECT_BYTES)
    cells = {name: [record.get(name) for record in records] for name in names}
    columns = {name: values_column(values, name, source) for name, values in cells.items()}
    return Table(columns, source, cells, "json")


class _Reading:
    """What has been read so far of a GraphML file."""

    def __init__(self, watch: Watch) -> None:
        self.records: list[dict[str, Any]] = []
        self._watch = watch
        self._keys: dict[str, tuple[str, str]] = {}
        self._depth = 0
        self._owner: dict[str, Any] | None = None
        self._key: str | None = None
        self._text: list[str] = []
        self._size = 0
        self._forget()
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.StartDoctypeDeclHandler = self._refuse_types
        self.parser.EntityDeclHandler = self._refuse_types
        self.parser.ExternalEntityRefHandler = self._refuse_types

    def _forget(self) -> None:
        self._number: dict[str, int] = {}
        self._nodes: list[dict[str, Any]] = []
        self._edges: list[tuple[str, str, int]] = []
        self._marks: list[dict[str, Any]] = []
        self._graph: dict[str, Any] | None = None

    def _refuse_types(self, *arguments: Any) -> int:
        raise DataError(
            f"{self._watch.name}: line {self.parser.CurrentLineNumber} declares a document type or "
            "an entity, which is not read. Take it out."
        )

    def _refuse(self, what: str) -> DataError:
        return DataError(f"{self._watch.name}: line {self.parser.CurrentLineNumber}: {what}.")

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        line = self.parser.CurrentLineNumber
        self._watch.nesting(self._depth, f"line {line}")
        tag = name.rpartition(" ")[2]
        if tag == "key":
            title = attributes.get("attr.name", attributes.get("id", ""))
            kind = attributes.get("attr.type", "string")
            self._keys[attributes.get("id", "")] = (title, kind)
        elif tag == "graph":
            if self._graph is not None:
                raise self._refuse("a graph lies within a graph, which is not read")
            if attributes.get("edgedefault") == "directed":
                raise self._refuse(
                    "its edges are directed, and only undirected graphs are compared; write "
                    'edgedefault="undirected" to forget the directions'
                )
            self._watch.rows(len(self.records) + 1)
            self._graph = self._owner = {}
        elif tag == "node":
            self._node(attributes)
        elif tag == "edge":
            self._edges.append((attributes.get("source", ""), attributes.get("target", ""), line))
            self._owner = {}
            self._marks.append(self._owner)
        elif tag == "data":
            self._key, self._text, self._size = attributes.get("key", ""), [], 0

    def _node(self, attributes: Mapping[str, str]) -> None:
        name = attributes.get("id")
        if name is None or name in self._number:
            raise self._refuse("every node needs an id of its own")
        self._number[name] = len(self._nodes)
        self._owner = {}
        self._nodes.append(self._owner)

    def _data(self, text: str) -> None:
        if self._key is not None:
            self._size += len(text)
            self._watch.cell(self._size, f"line {self.parser.CurrentLineNumber}")
            self._text.append(text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        tag = name.rpartition(" ")[2]
        if tag == "data" and self._key is not None:
            if self._owner is not None:
                title, kind = self._keys.get(self._key, (self._key, "string"))
                self._owner[title or self._key] = self._value("".join(self._text), kind)
            self._key = None
        elif tag in ("node", "edge"):
            self._owner = self._graph
        elif tag == "graph":
            self._finish()

    def _value(self, text: str, kind: str) -> Any:
        if kind == "boolean":
            return text.strip().lower() in ("true", "1")
        try:
            return _NUMBERS[kind](text) if kind in _NUMBERS else text
        except ValueError:
            raise self._refuse(f"{text!r:.40} is no number, though its key says {kind}") from None

    def _finish(self) -> None:
        pairs = []
        for source, target, line in self._edges:
            for end in (source, target):
                if end not in self._number:
                    raise DataError(
                        f"{self._watch.name}: line {line}: an edge joins {end!r:.40}, which is no "
                        "node."
                    )
            pairs.append([self._number[source], self._number[target]])
        labels, marks = chosen_labels(self._nodes), chosen_labels(self._marks)
        graph = {"nodes": len(self._nodes) if labels is None else labels, "edges": pairs}
        if marks is not None:
            graph["edge_labels"] = marks
        fields = {name: value for name, value in (self._graph or {}).items() if name != GRAPH}
        checked = read_graph(graph, GRAPH, len(self.records), self._watch.name)
        self.records.append({GRAPH: checked, **fields})
        self._forget()
        self._owner = None
