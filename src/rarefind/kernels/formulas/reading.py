"""Kernels written as short formulas, read by our own small parser and never run as code.

``gap-weighted(length=3, decay=0.5) + 2*spectrum(4)``: names of kernels with their parameters in
parentheses, by position or by name; sums, products, positive multiples, whole powers (``**`` or
``^``) and parentheses; ``on(column, kernel)`` for a kernel on one column. Parameters may be lists
and ``{name: value}``; ``file=model.json`` and ``graph=edges.csv`` read them from a file.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rarefind.core.errors import ParameterError, RarefindError
from rarefind.core.names import unknown_name
from rarefind.core.params import OneOf
from rarefind.kernels.contract import A_KERNEL, Kernel
from rarefind.kernels.formulas.data_files import read_graph
from rarefind.kernels.formulas.file_parameters import DataReader, with_kernels
from rarefind.kernels.formulas.parameters import (
    example_of,
    is_call,
    is_needed,
    parameters_of,
    plain_name,
    wanted,
)
from rarefind.kernels.formulas.tokens import LONGEST, FormulaToken
from rarefind.kernels.formulas.writing import format_kernel
from rarefind.kernels.registry import registry

__all__ = ["format_kernel", "parse_kernel"]

_MOST_PARTS = 500
"""Sums and products in a formula: each holds the one before, and Python's own stack ends."""

_TAKE_WORDS = {"alphabet", "source", "sink"}
"""Parameters that may be any word."""

_WORDS = {"true": True, "false": False, "none": None}
"""Words that are values, in any case."""


SHORT_NAMES = {"hmm": "fixed-length-hmm", "diffusion": "exponential-diffusion"}
"""Other names that formulas know kernels by."""


def parse_kernel(specification: str, *, files: bool = True) -> Kernel:
    """Read a kernel from its specification; errors name the place.

    ``files`` says whether a formula may name files: not where somebody else wrote it.

    >>> parse_kernel("gap-weighted(length=3, decay=0.5) + 2*spectrum(4)")
    Sum(left=GapWeighted(), right=Multiple(factor=2.0, kernel=Spectrum(length=4)))
    >>> parse_kernel("spectrum(length=)")
    Traceback (most recent call last):
    rarefind.core.errors.ParameterError: The kernel 'spectrum(length=)' cannot be read: at \
character 17: expected a whole number after length=.
    """
    if not isinstance(specification, str):
        raise ParameterError(
            f"The specification of a kernel must be text. Got {specification!r:.60} instead."
        )
    if len(specification) > LONGEST:
        raise ParameterError(
            f"The specification of a kernel may have {LONGEST} characters. Got "
            f"{len(specification)}."
        )
    return _Parser(specification, files=files).kernel()


def with_files_inside(specification: str) -> str:
    """Return a formula that carries what it named in files; others come back as they are."""
    parser = _Parser(specification)
    kernel = parser.kernel()
    return format_kernel(kernel) if parser.files_read else specification


class _Parser(DataReader):
    """Recursive descent: a sum of products of powers of names, numbers and parentheses."""

    def __init__(self, text: str, *, files: bool = True) -> None:
        super().__init__(text, files=files)
        self._parts = 0

    def kernel(self) -> Kernel:
        """Read the whole specification."""
        if self.now.kind == "end":
            raise self.error(self.now, "expected a kernel, as in gaussian(width=2)")
        start = self.now
        value = self._sum()
        if self.now.kind != "end":
            raise self.error(self.now, f"did not expect {self.now.shown()}")
        return self._as_kernel(value, start)

    # ---- sums, products, powers --------------------------------------------------------------

    def _sum(self) -> Any:
        value = self._product()
        while sign := self.takes("+", "-"):
            if sign.text == "-":
                raise self.error(sign, "kernels cannot be subtracted, only added")
            value = self._joined(sign, value, self._product(), lambda a, b: a + b)
        return value

    def _product(self) -> Any:
        value = self._power()
        while sign := self.takes("*", "/"):
            other = self._power()
            if sign.text == "/":
                if isinstance(other, Kernel):
                    raise self.error(sign, "kernels cannot be divided by, only numbers can")
                if not other > 0:
                    raise self.error(sign, "expected a number above zero after /")
                value = self._joined(sign, value, other, lambda a, b: a / b)
            else:
                value = self._joined(sign, value, other, lambda a, b: a * b)
        return value

    def _power(self) -> Any:
        value = self._atom()
        while sign := self.takes("**", "^"):
            degree = self.now
            if degree.kind != "number" or not isinstance(degree.value, int):
                raise self.error(degree, f"expected a whole number after {sign.text}")
            self.next()
            if not isinstance(value, Kernel):
                raise self.error(sign, "only kernels are raised to a power")
            value = self._joined(sign, value, degree.value, lambda a, b: a**b)
        return value

    def _joined(
        self, sign: FormulaToken, left: Any, right: Any, join: Callable[[Any, Any], Any]
    ) -> Any:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise self.error(sign, f"more than {_MOST_PARTS} kernels and numbers are joined")
        try:
            return join(left, right)
        except RarefindError as problem:
            raise self.error(sign, str(problem).rstrip(".")) from None

    def _atom(self) -> Any:
        token = self.now
        if self.takes("("):
            value = self.deeper(self._sum)
            self.expects(")", f"to close the one at character {token.place + 1}")
            return value
        if token.kind == "number":
            return self.next().value
        if token.kind == "name":
            return self._named()
        what = "a kernel or a number" if self.place else "a kernel"
        raise self.error(token, f"expected {what}, got {token.shown()}")

    def _as_kernel(self, value: Any, start: FormulaToken) -> Kernel:
        if isinstance(value, Kernel):
            return value
        raise self.error(
            start, f"a number alone is no kernel; write constant({value:g}) for the same everywhere"
        )

    # ---- kernels by name ---------------------------------------------------------------------

    def _named(self) -> Kernel:
        token = self.next()
        kind = self._class(token)
        given: dict[str, Any] = {}
        if opening := self.takes("("):
            self.deeper(lambda: self._arguments(kind, given))
            self.expects(")", f"to close the one at character {opening.place + 1}")
        try:
            given = with_kernels(kind, given, self._part)
        except RarefindError as problem:
            raise self.error(token, str(problem).rstrip(".")) from None
        missing = [name for name, one in parameters_of(kind).items() if is_needed(one, given)]
        if missing:
            raise self.error(
                token,
                f"{token.text} needs {' and '.join(missing)}, as in {example_of(token, kind)}",
            )
        kernel: Kernel = kind(**given)
        try:
            kernel._check()
        except RarefindError as problem:
            raise self.error(token, str(problem).rstrip(".")) from None
        return kernel

    @cached_property
    def _names(self) -> dict[str, str]:
        """All kernels by their plain names: looking among installed packages takes a while."""
        return {plain_name(name): name for name in registry.names()}

    def _class(self, token: FormulaToken) -> type[Kernel]:
        name = self._names.get(plain_name(token.text)) or SHORT_NAMES.get(token.text.lower())
        if name is None:
            problem = unknown_name("kernel", token.text, sorted(self._names.values()))
            raise self.error(token, str(problem)[0].lower() + str(problem)[1:].rstrip("."))
        found: type[Kernel] = registry.get(name)
        return found

    def _arguments(self, kind: type[Kernel], given: dict[str, Any]) -> None:
        parameters = parameters_of(kind)
        positional = [n for n, one in parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
        named = False
        while not (self.now.kind == "sign" and self.now.text == ")"):
            start, name = self.now, self._keyword()
            named = named or name is not None
            if name is None:
                if named:
                    raise self.error(start, "a parameter without a name follows one with a name")
                if len(given) >= len(positional):
                    raise self.error(
                        start, f"{kind.__name__} takes {len(positional)} parameter(s) by position"
                    )
                name = positional[len(given)]
            elif name == "file" and name not in parameters:
                self.take_file(kind, given)
                if not self.takes(","):
                    break
                continue
            elif name not in parameters:
                problem = unknown_name(f"parameter of {kind.__name__} called", name, parameters)
                raise self.error(start, str(problem)[0].lower() + str(problem)[1:].rstrip("."))
            if name in given:
                raise self.error(start, f"{name} is given twice")
            given[name] = self._value(kind, name, named=named)
            if not self.takes(","):
                break

    def _keyword(self) -> str | None:
        after = self.tokens[self.place + 1] if self.now.kind == "name" else None
        if after is None or after.kind != "sign" or after.text != "=":
            return None
        name = self.next().text
        self.next()
        return name

    def _value(self, kind: type[Kernel], name: str, *, named: bool) -> Any:
        allowed = tuple(kind._params.get(name, ()))
        token = self.now
        if name == "column":
            return self._column()
        if name == "graph" and token.kind in ("name", "text"):
            return self.read_file(read_graph)
        if token.kind == "text":
            return self.next().value
        if self.takes("["):
            return self.deeper(lambda: self.list_until("]"))
        if self.takes("{"):
            return self.deeper(self.mapping)
        if self.takes("-"):
            return -self.plain_number(f"after - in {name}")
        if token.kind == "name" and not is_call(self.tokens[self.place + 1]):
            word = token.text
            if name in _TAKE_WORDS and word.lower() not in _WORDS:
                return self.next().text
            if word.lower() in _WORDS:
                self.next()
                return _WORDS[word.lower()]
            if any(isinstance(one, OneOf) and word in one.options for one in allowed):
                return self.next().text
        if token.kind not in ("name", "number") and not (
            token.kind == "sign" and token.text == "("
        ):
            where = f"after {name}=" if named else f"for {name}"
            raise self.error(token, f"expected {wanted(allowed)} {where}")
        if A_KERNEL not in allowed and token.kind == "name":
            where = f"after {name}=" if named else f"for {name}"
            raise self.error(token, f"expected {wanted(allowed)} {where}, got {token.shown()}")
        if A_KERNEL not in allowed and self.takes("("):
            return tuple(self.deeper(lambda: self.list_until(")")))
        return self._sum()

    def _part(self, text: str) -> Kernel:
        return parse_kernel(text, files=self.files)

    def _column(self) -> Any:
        token = self.now
        if self.takes("["):
            return self.deeper(lambda: self.list_until("]"))
        if token.kind in ("name", "text") or isinstance(token.value, int):
            return self.next().value
        raise self.error(token, f"expected the name of a column, got {token.shown()}")
