"""Write one file of every kind of model in the present version, with the scores it gives.

``python -m tests.detection.saved.write`` makes ``v<version>.zip`` and ``v<version>.json`` beside
this file. Run it once for every new version of model files, with the code that writes it; sets
of earlier versions are never written again, since the code that could is gone.
"""

from __future__ import annotations

import json
import platform
import tempfile
import warnings
import zipfile
from pathlib import Path

import numpy as np
import scipy
import sklearn
from threadpoolctl import threadpool_info, threadpool_limits

import rarefind as rf
from tests.detection.saved.models import all_cases

HERE = Path(__file__).parent


def arithmetic():
    """Name what the last digits of scores depend on: processor, and versions of libraries."""
    blas = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return {
        "machine": platform.machine(),
        "blas": sorted({f"{pool.get('architecture')} {pool['version']}" for pool in blas}),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def judge(model, queries):
    """Score queries by whatever way of judging the model has."""
    for way in ("decision_function", "predict_proba", "__call__"):
        if hasattr(model, way):
            with threadpool_limits(limits=1):
                return np.asarray(getattr(model, way)(queries), dtype=np.float64)
    raise TypeError(f"{type(model).__name__} cannot judge")


def write():
    """Write the files and their scores."""
    scores, version = {}, None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.rarefind"
        kept = Path(folder) / "kept.zip"
        with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, case in all_cases().items():
                model = case.fitted()
                rf.detection.save(model, path)
                content = path.read_bytes()
                archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
                with zipfile.ZipFile(path) as parts:
                    version = json.loads(parts.read("model.json"))["version"]
                scores[name] = judge(model, case.queries).tolist()
        (HERE / f"v{version}.zip").write_bytes(kept.read_bytes())
    lines = [f" {json.dumps(name)}: {json.dumps(values)}" for name, values in scores.items()]
    text = f'{{"arithmetic": {json.dumps(arithmetic())},\n"scores": {{\n' + ",\n".join(lines)
    (HERE / f"v{version}.json").write_text(text + "\n}}\n")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write()
