"""A kernel computed along the paths of a small graph of kernels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, ClassVar, Self

import numpy as np

from rarefind.core.arrays import FloatArray, Records, count
from rarefind.core.errors import ParameterError
from rarefind.core.params import Constraint, Is
from rarefind.kernels.contract import Kernel

Edge = tuple[Hashable, Hashable, "Kernel | float"]


def _are_edges(value: Any) -> bool:
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(
        isinstance(edge, list | tuple)
        and len(edge) == 3
        and (isinstance(edge[2], Kernel) or (isinstance(edge[2], int | float) and edge[2] > 0))
        for edge in value
    )


class PathSum(Kernel):
    """``Σ ∏ k_e(x, z)``: over all paths from source to sink, the product of their edges' kernels.

    The book's "graph kernels": polynomial, all-subsets and ANOVA kernels are such sums, and
    many others that count some combinations of features and not others. The graph may not have
    cycles; the cost is one kernel per edge.

    Parameters
    ----------
    edges
        Triples (from, to, kernel), or (from, to, positive number). The kernels' parameters are
        reached as ``edge0__...``, ``edge1__...`` in the order given.
    source, sink
        Names of the nodes where paths begin and end.

    Examples
    --------
    (1 + x_0 z_0)(1 + x_1 z_1), the all-subsets kernel of two coordinates:

    >>> from rarefind.kernels import Linear, On
    >>> edges = [("s", "m", 1), ("s", "m", On(0, Linear())),
    ...          ("m", "t", 1), ("m", "t", On(1, Linear()))]
    >>> import numpy as np
    >>> PathSum(edges, source="s", sink="t")(np.array([[1.0, 2.0]]), np.array([[3.0, 0.5]]))
    array([[8.]])
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "edges": [
            Is("a list of triples (from, to, kernel), or (from, to, positive number)", _are_edges)
        ],
    }

    def __init__(self, edges: Sequence[Edge], *, source: Hashable, sink: Hashable) -> None:
        self.edges = edges
        self.source = source
        self.sink = sink

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters, with those of the kernels on the edges if ``deep``."""
        params: dict[str, Any] = super().get_params(deep=False)
        if deep and _are_edges(self.edges):
            for name, kernel in self._inner().items():
                params[name] = kernel
                nested = kernel.get_params(deep=True)
                params |= {f"{name}__{key}": value for key, value in nested.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``edge0=...`` replaces the kernel on the first edge."""
        if "edges" in params:
            super().set_params(edges=params.pop("edges"))
        replaced = {name: params.pop(name) for name in list(params) if name in self._inner()}
        if replaced:
            self.edges = [
                (start, end, replaced.get(f"edge{i}", kernel))
                for i, (start, end, kernel) in enumerate(self.edges)
            ]
        super().set_params(**params)
        return self

    def _inner(self) -> dict[str, Kernel]:
        if not _are_edges(self.edges):
            return {}
        kernels = (edge[2] for edge in self.edges)
        return {f"edge{i}": one for i, one in enumerate(kernels) if isinstance(one, Kernel)}

    def _part(self, name: str) -> Kernel:
        parts: dict[str, Kernel] = getattr(self, "parts_", {})
        return parts.get(name) or self._inner()[name]

    def _check(self) -> None:
        super()._check()
        nodes = {node for start, end, _ in self.edges for node in (start, end)}
        for name in ("source", "sink"):
            if getattr(self, name) not in nodes:
                raise ParameterError(
                    f"The {name!r} parameter of PathSum must be a node of its edges. "
                    f"Got {getattr(self, name)!r} instead."
                )
        self._order()

    def _order(self) -> list[Hashable]:
        before: dict[Hashable, set[Hashable]] = {}
        for start, end, _ in self.edges:
            before.setdefault(end, set()).add(start)
            before.setdefault(start, set())
        try:
            return list(TopologicalSorter(before).static_order())
        except CycleError as problem:
            circle = " -> ".join(str(node) for node in problem.args[1][::-1])
            raise ParameterError(
                f"The 'edges' parameter of PathSum must be a graph without cycles. Got {circle}."
            ) from None

    def _read(self, A: Records) -> Any:
        return count(A), {name: self._part(name)._read(A) for name in self._inner()}

    def _gram(self, left: Any, right: Any | None) -> FloatArray:
        rows, columns = left[0], left[0] if right is None else right[0]

        def similarity(name: str) -> FloatArray:
            other = None if right is None else right[1][name]
            return self._part(name)._gram(left[1][name], other)

        return self._along_paths(similarity, (rows, columns))

    def _diag(self, left: Any) -> FloatArray:
        return self._along_paths(lambda name: self._part(name)._diag(left[1][name]), (left[0],))

    def _along_paths(self, similarity: Any, shape: tuple[int, ...]) -> FloatArray:
        sums: dict[Hashable, FloatArray] = {self.source: np.ones(shape)}
        into: dict[Hashable, list[tuple[int, Hashable, Any]]] = {}
        for i, (start, end, kernel) in enumerate(self.edges):
            into.setdefault(end, []).append((i, start, kernel))
        for node in self._order():
            if node == self.source:
                continue
            total = np.zeros(shape)
            for i, start, kernel in into.get(node, []):
                if not sums[start].any():
                    continue  # no path from the source comes along here
                factor = similarity(f"edge{i}") if isinstance(kernel, Kernel) else float(kernel)
                total += sums[start] * factor
            sums[node] = total
        return sums[self.sink]
