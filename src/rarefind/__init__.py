"""Find rare classes in unlabelled data, then rank every record for the class found.

>>> import numpy as np, rarefind as rf
>>> rng = np.random.default_rng(0)
>>> X = np.vstack([rng.normal(size=(500, 2)), rng.normal(0.5, 0.02, size=(10, 2))])
>>> hunt = rf.Hunt(X, strategy="malice", priors=[0.02])
>>> while not hunt.found:
...     question = hunt.ask()
...     hunt.tell(question.row, "rare" if question.row >= 500 else "ordinary")
>>> len(hunt.labels) < 20
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind._version import __version__
from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind import (
        detection,
        discovery,
        evaluation,
        features,
        geometry,
        hunting,
        kernels,
        testing,
    )
    from rarefind.detection import (
        KernelFisherDiscriminant,
        KernelLogisticRegression,
        KernelMachine,
        KernelPerceptron,
        Lago,
        SimpleMKL,
    )
    from rarefind.hunting import Hunt, discover

# Members are imported when first used, so that `import rarefind` stays instant.
__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Hunt": "rarefind.hunting",
        "KernelFisherDiscriminant": "rarefind.detection",
        "KernelLogisticRegression": "rarefind.detection",
        "KernelMachine": "rarefind.detection",
        "KernelPerceptron": "rarefind.detection",
        "Lago": "rarefind.detection",
        "SimpleMKL": "rarefind.detection",
        "detection": "rarefind.detection",
        "discover": "rarefind.hunting",
        "discovery": "rarefind.discovery",
        "evaluation": "rarefind.evaluation",
        "features": "rarefind.features",
        "geometry": "rarefind.geometry",
        "hunting": "rarefind.hunting",
        "kernels": "rarefind.kernels",
        "testing": "rarefind.testing",
    },
)

__all__ = [
    "Hunt",
    "KernelFisherDiscriminant",
    "KernelLogisticRegression",
    "KernelMachine",
    "KernelPerceptron",
    "Lago",
    "SimpleMKL",
    "__version__",
    "detection",
    "discover",
    "discovery",
    "evaluation",
    "features",
    "geometry",
    "hunting",
    "kernels",
    "testing",
]
