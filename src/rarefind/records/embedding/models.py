"""Models by name: our own, and those that other installed packages bring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol

import numpy as np

from rarefind._version import __version__
from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError, RarefindError
from rarefind.core.names import unknown_name
from rarefind.records.embedding.own_models import Looks, Pixels

GROUP = "rarefind.embeddings"
"""The entry-point group of added models. A promise to other packages: it never changes."""


class Model(Protocol):
    """Turns records into rows of numbers.

    Attributes
    ----------
    takes
        ``"pictures"``, handed over as ``PIL.Image.Image`` in red, green and blue, upright, at most
        1,024 points a side; or ``"texts"``, handed over as words.
    """

    takes: str

    def __call__(self, records: Sequence[Any], /) -> Any:
        """Return an array with a row of numbers for each record."""
        ...


class ModelError(RarefindError, ImportError):
    """A model of another distribution cannot be imported, or does not do what models do."""


_OURS: dict[str, Callable[[], Model]] = {"looks": Looks, "pixels": Pixels}
"""Models that come along."""


def model_names() -> list[str]:
    """Name the models there are, sorted."""
    return sorted({*_OURS, *entry_points(group=GROUP).names})


def about_models() -> dict[str, str]:
    """Say of each model in a line what it is; those of other packages are not imported for it.

    >>> sorted(about_models())[:2]
    ['looks', 'pixels']
    """
    ours = {name: (made.__doc__ or "").strip().partition("\n")[0] for name, made in _OURS.items()}
    return {name: ours.get(name, f"Of {model_version(name)}.") for name in model_names()}


def model(name: str) -> Model:
    """Return a model by name; what is imported is a model, or a class or function that makes one.

    >>> model("looks").takes
    'pictures'
    """
    if name in _OURS:
        return _OURS[name]()
    point = next(iter(entry_points(group=GROUP, name=name)), None)
    if point is None:
        raise unknown_name("model (for embeddings)", name, model_names())
    try:
        loaded = point.load()
        made = loaded if hasattr(loaded, "takes") and not isinstance(loaded, type) else loaded()
    except Exception as problem:  # whatever the import of other people's code may come up with
        words = " ".join(f"{type(problem).__name__}: {problem}".split())[:200].rstrip(".")
        raise _broken(point, f"cannot be made ({words})") from problem
    if getattr(made, "takes", None) not in ("pictures", "texts") or not callable(made):
        raise _broken(point, "must be callable and say that it takes 'pictures' or 'texts'")
    return made


def model_version(name: str) -> str:
    """Tell the version of a model: what it gives may differ from version to version."""
    point = next(iter(entry_points(group=GROUP, name=name)), None)
    if name in _OURS or point is None or point.dist is None:
        return f"rarefind {__version__}"
    return f"{point.dist.name} {point.dist.version}"


def vectors_by(chosen: Model, name: str, records: Sequence[Any]) -> FloatArray:
    """Let a model work on some records, and look at what it gives."""
    try:
        given = np.asarray(chosen(records), dtype=np.float64)
    except RarefindError:
        raise
    except Exception as problem:  # other people's code
        words = " ".join(f"{type(problem).__name__}: {problem}".split())[:200].rstrip(".")
        raise DataError(f"The model {name!r} failed on the records: {words}.") from problem
    if given.ndim != 2 or len(given) != len(records) or not given.shape[1]:
        raise DataError(
            f"The model {name!r} must give a row of numbers for each of {len(records)} records. "
            f"Got the shape {given.shape} instead."
        )
    if not np.isfinite(given).all():
        raise DataError(f"The model {name!r} gave numbers that are not finite.")
    return given


def _broken(point: EntryPoint, why: str) -> ModelError:
    owner = "an installed package" if point.dist is None else f"{point.dist.name}"
    return ModelError(f"The model {point.name!r} of {owner} {why}.")
