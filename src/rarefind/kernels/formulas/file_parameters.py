"""Parameters of kernels that come from files, brought into the form that kernels take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rarefind.core.errors import DataError, ParameterError, RarefindError
from rarefind.kernels.contract import A_KERNEL, Kernel
from rarefind.kernels.formulas.data_files import read_parameters
from rarefind.kernels.formulas.parameters import parameters_of
from rarefind.kernels.formulas.token_reader import TokenReader


class DataReader(TokenReader):
    """Reads formulas that may name files, where that is allowed."""

    def __init__(self, text: str, *, files: bool) -> None:
        super().__init__(text)
        self.files = files
        self.files_read = False

    def take_file(self, kind: type[Kernel], given: dict[str, Any]) -> None:
        """Take parameters from a file; those written in the formula are not read from it."""
        found = self.read_file(lambda path: from_file(path, kind))
        given.update({name: value for name, value in found.items() if name not in given})

    def read_file(self, read: Callable[[str], Any]) -> Any:
        """Read the file that is named next."""
        path = self.now
        if path.kind not in ("name", "text"):
            raise self.error(path, "expected the name of a file, in quotes if it has signs in it")
        self.next()
        if not self.files:
            raise self.error(
                path,
                "files are read on the command line and in Python only; write the values into the "
                "formula",
            )
        self.files_read = True
        try:
            return read(str(path.value))
        except RarefindError as problem:
            raise self.error(path, str(problem).rstrip(".")) from None


def from_file(path: str, kind: type[Kernel]) -> dict[str, Any]:
    """Read parameters of a kernel from a JSON file; names that it does not have are refused."""
    found = read_parameters(path)
    known = parameters_of(kind)
    for name in found:
        if name not in known:
            raise DataError(
                f"{path}: {kind.__name__} has no parameter {name!r:.40}. It has {', '.join(known)}."
            )
    return found


def with_kernels(
    kind: type[Kernel], given: dict[str, Any], read: Callable[[str], Kernel]
) -> dict[str, Any]:
    """Read the kernels that stand as formulas in a file or a list; others stay as they are."""
    ready = dict(given)
    for name, value in given.items():
        if isinstance(value, str) and A_KERNEL in tuple(kind._params.get(name, ())):
            ready[name] = read(value)
    edges = given.get("edges")
    if isinstance(edges, list) and {"source", "sink"} <= set(parameters_of(kind)):
        ready["edges"] = [_edge(edge, read) for edge in edges]
    return ready


def _edge(edge: Any, read: Callable[[str], Kernel]) -> Any:
    """Read the kernel of an edge: a formula in quotes, the name of a kernel, or a number."""
    if not isinstance(edge, list) or len(edge) != 3:
        raise ParameterError(
            f"An edge is [from, to, kernel], with the kernel in quotes. Got {edge!r:.60}."
        )
    start, end, kernel = edge
    return start, end, read(kernel) if isinstance(kernel, str) else kernel
