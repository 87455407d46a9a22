"""Write a file of every kind of model in the present version, with the scores it gives.

``python -m tests.detection.saved.write`` adds to ``v<version>.zip`` and ``v<version>.json`` beside
this file the cases that are not yet in them. Run it for a new version of model files and whenever
something new can be saved. What is there already is never written again: the files stand for those
that people have.
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
from rarefind.detection.files.layout import VERSION
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
            return np.asarray(getattr(model, way)(queries), dtype=np.float64)
    raise TypeError(f"{type(model).__name__} cannot judge")


def kept(version):
    """Read the scores kept, as one mapping for each arithmetic they were worked out with."""
    path = HERE / f"v{version}.json"
    return json.loads(path.read_text()) if path.exists() else []


def write():
    """Write what is not yet there."""
    batches = kept(VERSION)
    known = {name for batch in batches for name in batch["scores"]}
    scores = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(HERE / f"v{VERSION}.zip", "a") as archive,
    ):
        path = Path(folder) / "model.rarefind"
        for name, case in all_cases().items():
            if name not in known:
                model = case.fitted()
                rf.detection.save(model, path)
                entry = zipfile.ZipInfo(name)
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, compresslevel=9)
                scores[name] = judge(model, case.queries).tolist()
    if scores:
        batches.append({"arithmetic": arithmetic(), "scores": scores})
    (HERE / f"v{VERSION}.json").write_text(_one_line_a_case(batches))


def _one_line_a_case(batches):
    texts = []
    for batch in batches:
        rows = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in batch["scores"].items()]
        head = f'{{"arithmetic": {json.dumps(batch["arithmetic"])},\n"scores": {{\n'
        texts.append(head + ",\n".join(rows) + "\n}}")
    return "[\n" + ",\n".join(texts) + "\n]\n"


if __name__ == "__main__":
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        warnings.simplefilter("ignore")
        write()
