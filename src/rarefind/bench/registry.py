"""The benchmarks by name: where each is, what it shows, and which choices it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from rarefind.bench.findings import Findings
from rarefind.bench.plan import Plan


@dataclass(frozen=True)
class Bench:
    """One benchmark: where its function is, one line about it, and the choices it takes."""

    where: str
    words: str
    takes: tuple[str, ...]

    def run(self, plan: Plan) -> Findings:
        """Run it."""
        module, _, name = self.where.partition(":")
        function: Callable[[Plan], Findings] = getattr(import_module(module), name)
        return function(plan)


BENCHES: dict[str, Bench] = {
    "shuttle": Bench(
        "rarefind.bench.contests:shuttle",
        "Find six rare classes among 4515 records of Shuttle (from RAREFIND_DATA, or fetched).",
        ("seeds", "budget", "strategies", "peers"),
    ),
    "synthetic": Bench(
        "rarefind.bench.contests:synthetic",
        "Find classes hidden inside a Gaussian crowd, as in the papers.",
        ("seeds", "budget", "strategies", "sets"),
    ),
    "discovery": Bench(
        "rarefind.bench.discovery_study:discovery",
        "Play every strategy on every labelled set (from RAREFIND_DATA, or fetched).",
        ("seeds", "budget", "strategies", "sets"),
    ),
    "detection": Bench(
        "rarefind.bench.detection_study:detection",
        "Rank for rare classes of many data sets with every model.",
        ("seeds", "strategies", "sets", "large"),
    ),
    "store": Bench(
        "rarefind.bench.store_speed:store_speed",
        "Count durable labels a second, beside a connection for everybody.",
        ("budget",),
    ),
    "kernels": Bench(
        "rarefind.bench.kernel_speed:kernel_speed",
        "Time the kernels of strings and graphs beside what one can install.",
        ("sets", "large"),
    ),
    "mkl": Bench(
        "rarefind.bench.mkl:mkl",
        "Solve the stored problem of twenty kernels, and repeat the published table.",
        ("seeds", "sets", "large"),
    ),
    "scale": Bench(
        "rarefind.bench.scale.benchmark:scale",
        "Seconds and memory against rows, dimensions, classes and lengths, peers beside ours.",
        ("budget", "sets", "peers", "large"),
    ),
    "several": Bench(
        "rarefind.bench.several_at_once:several_at_once",
        "Ask for several records at a time, and several people at once, beside one at a time.",
        ("seeds", "budget", "sets"),
    ),
    "robustness": Bench(
        "rarefind.bench.robustness:robustness",
        "Give MALICE wrong priors, and everybody wrong answers.",
        ("seeds", "budget", "sets"),
    ),
}
