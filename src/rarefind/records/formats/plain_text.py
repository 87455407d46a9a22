"""Texts, sequences and molecules, one after the other in a file or one per file in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.formats.graphml import graphs_in, graphs_table
from rarefind.records.formats.limits import Watch
from rarefind.records.formats.streams import endings, open_bytes, text_lines
from rarefind.records.table import Table, word_array


def read_texts(path: Path, watch: Watch) -> Table:
    """Read a .txt file: one text per line, empty lines passed over."""
    with open_bytes(path, watch) as stream:
        texts: list[str | None] = [line.strip() for _, line in _filled(stream, watch)]
    return _table({"text": texts}, watch, "one text per line")


def read_fasta(path: Path, watch: Watch) -> Table:
    """Read a .fasta file: a line '>name description', then lines of the sequence."""
    names: list[str] = []
    notes: list[str | None] = []
    parts: list[list[str]] = []
    size = 0
    with open_bytes(path, watch) as stream:
        for number, line in _filled(stream, watch):
            if line.startswith(">"):
                name, _, note = line[1:].strip().partition(" ")
                watch.rows(len(names) + 1)
                names.append(name)
                notes.append(note.strip() or None)
                parts.append([])
                size = 0
            elif line.startswith(";"):
                continue
            elif not parts:
                raise DataError(
                    f"{watch.name}: line {number} comes before the first '>'. Expected a line such "
                    "as '>name', then the sequence."
                )
            else:
                size += len(line)
                watch.cell(size, f"line {number}, column 'sequence'")
                parts[-1].append("".join(line.split()))
    sequences = ["".join(part) for part in parts]
    for name, sequence in zip(names, sequences, strict=True):
        if not sequence:
            raise DataError(f"{watch.name}: the sequence {name!r:.40} has no letters.")
    cells: dict[str, list[str | None]] = {"name": [name or None for name in names]}
    if any(notes):
        cells["description"] = notes
    return _table({**cells, "sequence": [*sequences]}, watch, "lines that begin with '>'")


def read_smiles(path: Path, watch: Watch) -> Table:
    """Read a .smi file: a molecule per line, its name after a blank; a header line may come."""
    molecules: list[str] = []
    names: list[str | None] = []
    with open_bytes(path, watch) as stream:
        for number, line in _filled(stream, watch):
            molecule, *rest = line.split(maxsplit=1)
            if number == 1 and molecule.lower() in ("smiles", "canonical_smiles"):
                continue
            molecules.append(molecule)
            names.append(rest[0].strip() if rest else None)
    cells: dict[str, list[str | None]] = {"smiles": [*molecules]}
    if any(names):
        cells["name"] = names
    return _table(cells, watch, "one molecule per line")


def read_folder(path: Path, watch: Watch) -> Table:
    """Read a folder: every .txt file a text, or every .graphml file a graph or more."""
    entries = sorted(path.iterdir(), key=lambda entry: entry.name)
    files = [entry for entry in entries if entry.is_file() and not entry.name.startswith(".")]
    texts = [file for file in files if endings(file)[0] == ".txt"]
    graphs = [file for file in files if endings(file)[0] == ".graphml"]
    if bool(texts) == bool(graphs):
        raise DataError(
            f"{path} is a folder with {len(texts)} .txt and {len(graphs)} .graphml files. Expected "
            "texts, graphs or tables, one kind of them; name a file to read another kind."
        )
    watch.rows(len(files))
    watch = replace(watch, file_bytes=sum(file.stat().st_size for file in files))
    if graphs:
        records = [
            {"file": file.name, **fields}
            for file in graphs
            for fields in graphs_in(file, Watch(f"{path.name}/{file.name}", watch.limits))
        ]
        return graphs_table(records, watch)
    total = 0
    cells = []
    for file in texts:
        inner = Watch(f"{path.name}/{file.name}", watch.limits)
        with open_bytes(file, inner) as stream:
            lines = []
            for line in text_lines(stream, inner):
                lines.append(line)
                total += len(line)
                watch.size(total)
        text = "".join(lines)
        inner.cell(len(text), "the whole text")
        cells.append(text)
    names = [file.name for file in texts]
    columns: dict[str, list[str | None]] = {"file": [*names], "text": [*cells]}
    return _table(columns, watch, ".txt files")


def _filled(stream: object, watch: Watch) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold something, with their numbers."""
    count = 0
    for number, line in enumerate(text_lines(stream, watch), start=1):  # type: ignore[arg-type]
        if line.strip():
            count += 1
            watch.rows(count)
            watch.cell(len(line), f"line {number}")
            yield number, line


def _table(cells: dict[str, list[str | None]], watch: Watch, expected: str) -> Table:
    if not next(iter(cells.values())):
        raise DataError(f"{watch.name}: the file is empty. Expected {expected}.")
    return Table({name: word_array(values) for name, values in cells.items()}, watch.name)
