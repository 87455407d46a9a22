"""Where pictures lie in a folder."""

from __future__ import annotations

from pathlib import Path

from rarefind.records.pictures.cell import names_a_picture


def pictures_in(folder: Path | str) -> list[Path]:
    """List the pictures of a folder and of those within it, in the order of their names."""
    begin = Path(folder)
    found = (place for place in begin.rglob("*") if names_a_picture(place.name) and place.is_file())
    shown = (place for place in found if not is_hidden(place.relative_to(begin).parts))
    return sorted(shown, key=lambda place: place.relative_to(begin).as_posix())


def is_hidden(parts: tuple[str, ...]) -> bool:
    """Whether a file, or a folder above it, is one that systems keep for themselves."""
    return any(part.startswith((".", "__MACOSX")) for part in parts)
