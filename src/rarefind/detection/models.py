"""Models by name."""

from __future__ import annotations

from typing import Any

from rarefind.core.names import Registry

_HERE = "rarefind.detection.recipes"
"""The module of the recipes; named as text, so that it is imported only when a model is made."""

_OTHERS_KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")
"""What scikit-learn's support vector machine calls its own; other names and formulas are ours."""

registry = Registry(
    "model",
    "rarefind.models",
    {
        "auto": f"{_HERE}:auto",
        "boosting": f"{_HERE}:boosting",
        "fisher": f"{_HERE}:fisher",
        "forest": f"{_HERE}:forest",
        "kernel-fisher": f"{_HERE}:kernel_fisher",
        "kernel-logistic": f"{_HERE}:kernel_logistic",
        "kernel-pca": f"{_HERE}:kernel_pca",
        "kernel-perceptron": f"{_HERE}:kernel_perceptron",
        "lago": f"{_HERE}:lago",
        "lago-density": f"{_HERE}:lago_density",
        "lda": f"{_HERE}:lda",
        "logistic": f"{_HERE}:logistic",
        "logistic-ml": f"{_HERE}:logistic_ml",
        "logistic-sgd": f"{_HERE}:logistic_sgd",
        "mkl": f"{_HERE}:mkl",
        "neighbours": f"{_HERE}:neighbours",
        "pca": f"{_HERE}:pca",
        "perceptron": f"{_HERE}:perceptron",
        "sphere-lago": f"{_HERE}:sphere_lago",
        "svm": f"{_HERE}:svm",
        "svm-hard": f"{_HERE}:svm_hard",
    },
)


def make(name: str, *, target: Any = None, scale: bool = True, **params: Any) -> Any:
    """Make the model of that name, ready for raw records: scaling is inside.

    Records are rows of numbers, or a table of pandas, polars or Arrow with words, dates, lists of
    numbers and gaps too, which is compared as :class:`rarefind.Hunt` compares it.

    With a kernel for strings, texts, sets or graphs, the models that take one rank lists of these.

    Every model has ``fit(X, y)`` and ``decision_function(X)``, where higher means more like the
    rare class. "pca" and "kernel-pca" rank by a linear discriminant in the components, which
    ``transform(X)`` gives; they can be fitted without labels for the components alone.

    Parameters
    ----------
    name
        One of ``registry.names()``.
    target
        The class to rank for, or a list of classes; as in Lago.
    scale
        Whether numbers are scaled first. False for vectors that are comparable already, such as
        those of ``hunt.features_``.
    params
        Parameters of the learner itself, for example ``make("svm", C=1.0)`` or
        ``make("svm", kernel=Spectrum(3))``. A kernel may be a formula, as on the command line:
        ``kernel="normalized(spectrum(3))"``.

    Examples
    --------
    >>> model = make("logistic", C=10.0)
    >>> X, y = [[1.0], [2.0], [1.5], [900.0]], ["plain", "plain", "plain", "odd"]
    >>> model.fit(X, y).predict([[800.0], [3.0]]).tolist()
    ['odd', 'plain']
    """
    kernel = params.get("kernel")
    if isinstance(kernel, str) and kernel not in _OTHERS_KERNELS:
        from rarefind.kernels.registry import make_kernel

        params["kernel"] = make_kernel(kernel)
    made = registry.get(name)(target=target, **params)
    if scale:
        return made
    from rarefind.detection.recipes import without_scaling

    return without_scaling(made)
