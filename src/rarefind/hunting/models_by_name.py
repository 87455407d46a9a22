"""Models by name, for vectors or for the records of a kernel."""

from __future__ import annotations

from typing import Any

from rarefind.core.errors import ParameterError, RarefindError, Remedy
from rarefind.core.names import unknown_name
from rarefind.detection.formula import parse_model
from rarefind.detection.models import make
from rarefind.detection.models import registry as models
from rarefind.hunting.learnt_kernel import Learnt
from rarefind.kernels.algebra.on import On
from rarefind.kernels.contract import Kernel
from rarefind.kernels.formulas.writing import format_kernel

TRANSFORMERS = frozenset({"pca", "kernel-pca"})
"""Names in the registry that stand for pictures of the data, not for rankings."""

MEMBERS = {
    "trees": "forest",
    "class trees": "forest",
    "component trees": "forest",
    "catboost": "boosting",
    **{
        f"{view} {model}": f"svm with the kernel {kernel}"
        for view, kernel in (
            ("positional", "weighted-degree"),
            ("circular", "circular"),
            ("pieces", "blended-spectrum"),
            ("words", "vector-space"),
        )
        for model in ("svm", "logistic", "trees")
    },
}
"""What members of ``auto`` are called that are no models, and which model is nearest."""

ON_KERNELS = (
    "auto",
    "kernel-fisher",
    "kernel-logistic",
    "kernel-perceptron",
    "lago",
    "mkl",
    "sphere-lago",
    "svm",
)
"""Models that rank records which only a kernel can compare."""


def model_names(kernel: Kernel | None = None) -> list[str]:
    """List the models that can rank vectors, or the records of a kernel."""
    if needs_kernel(kernel):
        return list(ON_KERNELS)
    return [name for name in models.names() if name not in TRANSFORMERS]


def _without_special(kernel: Kernel | None) -> list[Remedy]:
    """Say which columns of a table keep it from being vectors, if they can be told by name."""
    parts = [] if kernel is None else kernel.get_params(deep=True).values()
    columns = [each.column for each in parts if isinstance(each, On) and needs_kernel(each.kernel)]
    words = "Without what only a kernel compares, the table is vectors: {leave_out}."
    return [Remedy(words, leave_out=name) for name in columns if isinstance(name, str)][:1]


def needs_kernel(kernel: Kernel | None) -> bool:
    """Whether only the kernel can compare the records."""
    return kernel is not None and not kernel.takes_vectors


def make_detector(name: str, kernel: Kernel | None) -> Any:
    """Make a model, named or with parameters as in ``svm(C=1)``.

    Its labels are True for the class looked for, and False for others.
    """
    name, params = parse_model(name)
    if name not in model_names(kernel):
        if name in model_names():
            raise ParameterError(
                f"The model {name!r} needs vectors, and these records are compared by a kernel. "
                f"Choose one of {', '.join(ON_KERNELS)}."
            ).advising(*_without_special(kernel))
        if name in MEMBERS:
            raise ParameterError(
                f"{name!r} is a member of auto, fitted five times to parts of the labels, and no "
                f"model by itself. The nearest is {MEMBERS[name]}."
            )
        raise unknown_name("model", name, model_names(kernel))
    if name == "mkl" and kernel is not None and "kernels" not in params:
        # The terms of a sum are what this model weighs.
        return make(name, target=True, scale=False, kernels=named_terms(kernel), **params)
    if needs_kernel(kernel):
        return make(name, target=True, kernel=kernel, **params)
    # The vectors of a hunt are comparable already, and are compared as the hunt does.
    return make(name, target=True, scale=False, **params)


def named_terms(kernel: Kernel) -> list[tuple[str, Kernel]]:
    """Name the terms of a sum of kernels by their formulas.

    >>> from rarefind.kernels import Gaussian, On, Spectrum
    >>> [name for name, _ in named_terms(On("seq", Spectrum(4)) + On("size", Gaussian(2.0)))]
    ['on(seq, spectrum(4))', 'on(size, gaussian(2))']
    """
    return [(_formula(term), term) for term in kernel.terms()]


def _formula(kernel: Kernel) -> str:
    written = kernel.kernel if isinstance(kernel, Learnt) else kernel
    try:
        return format_kernel(written, short=True)
    except RarefindError:  # a function stands in it, say
        return repr(written)
