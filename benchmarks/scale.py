"""Seconds and memory at size, on one machine.

    python benchmarks/scale.py                                  100,000 to 1,000,000 records x 9
    python benchmarks/scale.py --rows 200000 --dimensions 100   many dimensions
    python benchmarks/scale.py --data shuttle                   Shuttle's records, jittered up
    python benchmarks/scale.py --parts stream --rows 10000000   ranking from Parquet to Parquet

Parts: ``hunt`` sets up Hunt(auto), asks and tells 100 questions; ``rank`` fits Lago with tuning and
scores all; ``stream`` scores a Parquet file larger than memory should hold. Times stand beside the
same machine's time for a plain reference in the same process: one ``cKDTree(X).query(X, k=10)``
for a hunt, the distances of all records from the examples for ranking. Seconds of processors are
printed too: others on the machine disturb them less. Every measurement runs in a process of its own
and is kept in a file, so that the benchmark goes on where it was stopped; ``--fresh`` begins again.
Goals: set-up 10 times the query, the next question within 0.3 s (95 %), 4 GB, growth at most
n^1.2; the stream at 60 % of the speed of the distances and in 1 GB.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

QUESTIONS = 100
EXAMPLES = 32
ROWS = {"hunt": "100000,300000,1000000", "rank": "100000,1000000", "stream": "10000000"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default="hunt,rank,stream", help="names with commas")
    parser.add_argument("--rows", help="numbers with commas")
    parser.add_argument("--dimensions", type=int, default=9)
    parser.add_argument("--data", choices=["clusters", "shuttle"], default="clusters")
    parser.add_argument("--results", default=".benchmarks/scale.jsonl", help="file of results")
    parser.add_argument("--fresh", action="store_true", help="measure again what is known")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(json.loads(options.one))))
        return
    known = Path(options.results)
    known.parent.mkdir(parents=True, exist_ok=True)
    done = [] if options.fresh or not known.exists() else read(known)
    for part in options.parts.split(","):
        for rows in (options.rows or ROWS[part]).split(","):
            what = {
                "part": part,
                "rows": int(float(rows)),
                "dimensions": options.dimensions,
                "data": options.data,
            }
            same = [result for result in done if what.items() <= result.items()]
            result = same[-1] if same else run(what)
            if not same:
                done.append(result)
                with known.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(result) + "\n")
            print(SAY[part](result), flush=True)
        grown(done, part, options)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(what: dict[str, Any]) -> dict[str, Any]:
    """Measure in a process of its own, whose peak of memory is that of the work alone."""
    answer = subprocess.run(
        [sys.executable, __file__, "--one", json.dumps(what)], stdout=subprocess.PIPE, check=True
    )
    return what | json.loads(answer.stdout.splitlines()[-1])


def grown(done: list[dict[str, Any]], part: str, options: argparse.Namespace) -> None:
    """Say how fast the time grows with the rows."""
    chosen = {
        result["rows"]: result["processors"]
        for result in done
        if result["part"] == part
        and result["dimensions"] == options.dimensions
        and result["data"] == options.data
    }
    if len(chosen) < 2:
        return
    slope = np.polyfit(np.log(list(chosen)), np.log(list(chosen.values())), 1)[0]
    print(f"{part}: seconds of processors grow like n^{slope:.2f}", flush=True)


def measure(what: dict[str, Any]) -> dict[str, Any]:
    X = records(what["data"], what["rows"] if what["part"] != "stream" else 1, what["dimensions"])
    return {"hunt": hunt, "rank": rank, "stream": stream}[what["part"]](X, what)


def records(kind: str, rows: int, dimensions: int) -> np.ndarray:
    """Twelve overlapping crowds with six small knots hidden among them, or Shuttle jittered up."""
    random = np.random.default_rng(0)
    if kind == "shuttle":
        from rarefind.bench.data import open_set

        known = np.asarray(open_set("shuttle").read.records, dtype=np.float64)
        drawn = known[random.integers(len(known), size=rows)]
        return drawn + random.normal(0.0, 0.02, size=drawn.shape) * known.std(axis=0)
    spread = min(dimensions, 12)
    centres = random.normal(0.0, 3.0, size=(12, spread))
    widths = random.uniform(0.3, 1.5, size=(12, spread))
    crowd = random.integers(12, size=rows)
    X = centres[crowd] + widths[crowd] * random.normal(size=(rows, spread))
    for knot in range(min(6, rows // 1000)):
        size = 20 + 20 * knot
        X[knot * 200 : knot * 200 + size] = X[-1 - knot] + random.normal(
            0.0, 0.02, size=(size, spread)
        )
    if spread < dimensions:
        X = X @ random.normal(size=(spread, dimensions)) / np.sqrt(spread)
        X += random.normal(0.0, 0.05, size=X.shape)
    return X[random.permutation(rows)]


def hunt(X: np.ndarray, what: dict[str, Any]) -> dict[str, Any]:
    from scipy.spatial import cKDTree

    from rarefind.discovery import Hunt
    from rarefind.geometry.scaling import standardized

    scaled = standardized(X)
    # Beyond a few dimensions the tree looks at everything: a part of the queries tells the time.
    part = slice(None) if what["dimensions"] <= 15 else slice(2000)
    tree = timed(lambda: cKDTree(scaled).query(scaled[part], k=10, workers=-1))
    share = len(scaled[part]) / len(scaled)
    made: list[Hunt] = []
    setup = timed(lambda: made.append(Hunt(X, "auto", background=0)))
    asking, telling = [], []
    for number in range(QUESTIONS):
        asked: list[Any] = []
        asking.append(timed(lambda asked=asked: asked.append(made[0].ask()))[0])
        row, label = asked[0].row, number % 7  # a class comes again every seventh time
        telling.append(timed(lambda row=row, label=label: made[0].tell(row, label))[0])
    next_question = np.add(asking, telling)
    return {
        "query": tree[0] / share,
        "query processors": tree[1] / share,
        "seconds": setup[0],
        "processors": setup[1],
        "ask": float(np.quantile(asking, 0.95)),
        "tell": float(np.quantile(telling, 0.95)),
        "next": float(np.quantile(next_question, 0.95)),
        "gigabytes": peak(),
    }


def say_hunt(result: dict[str, Any]) -> str:
    clock = result["seconds"] / result["query"]
    used = result["processors"] / result["query processors"]
    return (
        f"hunt {size(result)}: set-up {result['seconds']:.1f} s ({result['processors']:.1f} of "
        f"processors), {clock:.1f} times one query of 10 neighbours ({used:.1f} of processors); "
        f"next question {result['next']:.3f} s (95 %: ask {result['ask']:.3f}, tell "
        f"{result['tell']:.3f}); peak {result['gigabytes']:.2f} GB"
    )


def rank(X: np.ndarray, what: dict[str, Any]) -> dict[str, Any]:
    from rarefind.detection import Lago

    random = np.random.default_rng(1)
    rare = random.random(len(X)) < 0.001
    X[rare] = X[0] + random.normal(0.0, 0.3, size=(int(rare.sum()), X.shape[1]))
    model = Lago(target=True)
    fit = timed(lambda: model.fit(X, rare))
    score = timed(lambda: model.decision_function(X))
    bare = timed(lambda: distances(X, np.asarray(model.centres_)))
    return {
        "seconds": fit[0],
        "processors": fit[1],
        "score": score[0],
        "score processors": score[1],
        "distances": bare[0],
        "distances processors": bare[1],
        "examples": int(rare.sum()),
        "gigabytes": peak(),
    }


def say_rank(result: dict[str, Any]) -> str:
    return (
        f"rank {size(result)}, {result['examples']} examples: fit with tuning "
        f"{result['seconds']:.1f} s ({result['processors']:.1f} of processors), score "
        f"{result['score']:.1f} s, {result['score'] / result['distances']:.2f} times the distances "
        f"alone ({result['score processors'] / result['distances processors']:.2f} of processors); "
        f"peak {result['gigabytes']:.2f} GB"
    )


def distances(X: np.ndarray, centres: np.ndarray) -> float:
    """Compute all distances block by block, and keep none."""
    from scipy.spatial.distance import cdist

    return sum(
        float(cdist(X[start : start + 8192], centres)[0, 0]) for start in range(0, len(X), 8192)
    )


def stream(X: np.ndarray, what: dict[str, Any]) -> dict[str, Any]:
    """Score a file twice: numbers as they are, and with their preparation learnt and applied."""
    from rarefind.core.threads import workers
    from rarefind.detection import Lago
    from rarefind.service.streaming import rank_parquet, score_parquet

    dimensions = what["dimensions"]
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "in.parquet", Path(folder) / "out.parquet"
        first = write_blocks(source, what)
        labels = {row: "rare" if row < EXAMPLES else "ordinary" for row in range(10 * EXAMPLES)}
        known = np.array([labels[row] == "rare" for row in labels])
        model = Lago(target=True).fit(first[: len(known)], known)

        def score(table: Any) -> np.ndarray:
            return model.decision_function(np.column_stack(list(table.columns.values())))

        bare_file = timed(lambda: score_parquet(source, out, score, keep=[]))
        plain = timed(lambda: score_parquet(source, out, score))
        gigabytes = peak()
        ranked = timed(lambda: rank_parquet(source, out, "rare", labels=labels))
        gigabytes_ranked = peak()
        size_in = source.stat().st_size
    block, centres = first[:8192], np.asarray(model.centres_)
    starts = range(0, what["rows"], len(block))
    bare = timed(lambda: [distances(block, centres) for _ in starts])
    return {
        "processors": plain[1],
        "whole": plain[0],
        "whole processors": plain[1],
        "scores only": bare_file[0],
        "scores only processors": bare_file[1],
        "prepared": ranked[0],
        "prepared processors": ranked[1],
        "distances": bare[0],
        "distances processors": bare[1],
        "threads": workers(),
        "gigabytes": max(gigabytes, gigabytes_ranked),
        "file": size_in / 1e9,
        "dimensions": dimensions,
    }


def write_blocks(path: Path, what: dict[str, Any]) -> np.ndarray:
    """Write a Parquet file block by block; return the first block."""
    import pyarrow as pa
    from pyarrow import parquet

    rows = min(250_000, what["rows"])
    first = records(what["data"], rows, what["dimensions"])
    names = [f"x{feature}" for feature in range(what["dimensions"])]
    writer = None
    for start in range(0, what["rows"], rows):
        shift = np.random.default_rng(start).normal(0.0, 0.01, size=first.shape)
        block = pa.table(dict(zip(names, (first + shift * bool(start)).T, strict=True)))
        writer = writer or parquet.ParquetWriter(path, block.schema, use_dictionary=False)
        writer.write_table(block)
    assert writer is not None
    writer.close()
    return first


def say_stream(result: dict[str, Any]) -> str:
    alone, used = result["distances"], result["distances processors"]
    said = [
        f"{title} {result[name]:.1f} s ({result[f'{name} processors']:.1f} of processors), "
        f"{alone / result[name]:.0%} of the speed of the distances alone in one thread "
        f"({used / result[f'{name} processors']:.0%} by processors)"
        for title, name in (
            ("only the scores written", "scores only"),
            ("all columns written", "whole"),
            ("and features prepared", "prepared"),
        )
    ]
    return (
        f"stream {size(result)}, {EXAMPLES} examples, {result['file']:.2f} GB of Parquet, "
        f"{result['threads']} threads: {'; '.join(said)}; peak {result['gigabytes']:.2f} GB"
    )


SAY: dict[str, Callable[[dict[str, Any]], str]] = {
    "hunt": say_hunt,
    "rank": say_rank,
    "stream": say_stream,
}


def size(result: dict[str, Any]) -> str:
    return f"{result['data']} {result['rows']:,} x {result['dimensions']}"


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds on the clock and of processors."""
    begun, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - begun, time.process_time() - used


def peak() -> float:
    """Gigabytes this process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


if __name__ == "__main__":
    main()
