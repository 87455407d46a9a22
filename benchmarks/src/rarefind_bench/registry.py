"""The benchmarks by name: where each is, what it shows, and which choices it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings


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
        "rarefind_bench.discovery.paper_tables:shuttle",
        "Find six rare classes among 4515 records of Shuttle (from RAREFIND_DATA, or fetched).",
        ("seeds", "budget", "strategies", "peers"),
    ),
    "images": Bench(
        "rarefind_bench.discovery.paper_tables:images",
        "Find five rare classes among 5000 textures, a stand-in for the paper's pictures.",
        ("seeds", "budget", "strategies"),
    ),
    "synthetic": Bench(
        "rarefind_bench.discovery.paper_tables:synthetic",
        "Find classes hidden inside a Gaussian crowd, as in the papers.",
        ("seeds", "budget", "strategies", "sets"),
    ),
    "discovery": Bench(
        "rarefind_bench.discovery.every_set:discovery",
        "Play strategies and peers on every labelled set (from RAREFIND_DATA, or fetched).",
        ("seeds", "budget", "strategies", "sets", "peers"),
    ),
    "words": Bench(
        "rarefind_bench.features.words:words",
        "Weigh the words of a table in several ways: how many labels a hunt takes with each.",
        ("seeds", "budget", "strategies", "sets"),
    ),
    "discovery-cost": Bench(
        "rarefind_bench.discovery.cost:discovery_cost",
        "Seconds and memory of a hunt in all of Shuttle, and with --large of KDD'99.",
        ("budget", "strategies", "sets", "large"),
    ),
    "detection": Bench(
        "rarefind_bench.detection.every_model:detection",
        "Rank for rare classes of many data sets with every model.",
        ("seeds", "budget", "strategies", "sets", "large"),
    ),
    "quality": Bench(
        "rarefind_bench.detection.told_and_true:quality",
        "Rank from few labels, and learn how far what auto tells can be trusted.",
        ("seeds", "budget"),
    ),
    "harvest": Bench(
        "rarefind_bench.detection.harvests:harvest",
        "Bring a class home from one example: how much is found after 50, 100 and 200 looks.",
        ("seeds", "budget", "strategies", "sets", "peers"),
    ),
    "store": Bench(
        "rarefind_bench.store.durable_labels:store_speed",
        "Count durable labels a second, beside a connection for everybody.",
        ("budget",),
    ),
    "web": Bench(
        "rarefind_bench.workbench.load:web",
        "Let fifty people label on one server while it ranks: waiting times, nothing lost.",
        ("budget", "strategies", "large"),
    ),
    "siege": Bench(
        "rarefind_bench.workbench.siege:siege",
        "What strangers, listeners and ten thousand hunts cost those who label.",
        ("budget",),
    ),
    "soak": Bench(
        "rarefind_bench.workbench.soak:soak",
        "Answer as often as in a long day: what the server and the page hold must not grow.",
        ("budget", "strategies", "sets"),
    ),
    "workbench": Bench(
        "rarefind_bench.workbench.page:workbench",
        "Time the page in a real browser: from key to next question, and the map.",
        ("budget", "large"),
    ),
    "rank-a-hunt": Bench(
        "rarefind_bench.workbench.ranking_a_hunt:rank_a_hunt",
        "Rank the records of a hunt, beside loading and ranking them alone.",
        ("budget",),
    ),
    "kernels": Bench(
        "rarefind_bench.kernels.speed:kernel_speed",
        "Time the kernels of strings and graphs beside what one can install, and hunts with them.",
        ("sets", "large"),
    ),
    "mkl": Bench(
        "rarefind_bench.detection.simple_mkl:mkl",
        "Solve the stored problem of twenty kernels, and repeat the published table.",
        ("seeds", "sets", "large"),
    ),
    "scale": Bench(
        "rarefind_bench.scale.benchmark:scale",
        "Seconds and memory against rows, dimensions, classes and lengths, peers beside ours.",
        ("budget", "sets", "peers", "large"),
    ),
    "several": Bench(
        "rarefind_bench.discovery.several_at_once:several_at_once",
        "Ask for several records at a time, and several people at once, beside one at a time.",
        ("seeds", "budget", "sets"),
    ),
    "robustness": Bench(
        "rarefind_bench.robustness.study:robustness",
        "Give MALICE wrong priors, and everybody wrong answers.",
        ("seeds", "budget", "sets"),
    ),
    "disturbed": Bench(
        "rarefind_bench.robustness.disturbed:disturbed",
        "What wrong answers, columns of noise and other units cost auto on tables.",
        ("seeds", "budget", "sets"),
    ),
}
"""In the order ``rarefind bench --help`` lists them."""
