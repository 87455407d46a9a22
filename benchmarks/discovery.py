"""The study of discovery for the docs: as ``rarefind bench discovery``, with what the outlook said.

    python benchmarks/discovery.py --out docs/discovery-results.md
    python benchmarks/discovery.py --sets glass,"set 1" --strategies auto,malice --seeds 2

Data are read from the folder in RAREFIND_DATA (default: ../shared/datasets). Every seed draws
another sample of the rows and another order. What has been played is kept next to the output in
a .jsonl file, so an interrupted run goes on where it stopped; --again plays some strategies anew.

Which class is ordinary is told to nobody: as in a hunt, the class told most often is taken for it.
alice, malice, grade and grade-li are given the true shares of all classes but the largest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from rarefind.bench.contest import Spaces
from rarefind.bench.data import is_kernel_set, open_set, set_names
from rarefind.bench.discovery_study import ROWS, TO_THE_END, play
from rarefind.bench.discovery_study import ratio as ratio_to_random
from rarefind.bench.synthetic import SYNTHETIC, draw_synthetic
from rarefind.core.errors import DataError
from rarefind.discovery import registry
from rarefind.discovery.outlook import outlook

MARK = "<!-- Everything below is written by benchmarks/discovery.py. -->"
OURS = "auto"
CHANCES = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 1.0)
SECONDS_PER_RUN = 60.0
"""A strategy that took longer for one run is not played again on other draws of that set."""


def main() -> None:
    options = read_options()
    cache = options.out.with_suffix(".jsonl")
    results = read_cache(cache, options)
    strategies = options.strategies.split(",") if options.strategies else registry.names()
    names = options.sets.split(",") if options.sets else [*SYNTHETIC, *set_names()]
    with cache.open("a", encoding="utf-8") as file:
        for name in names:
            missing = [
                (seed, strategy)
                for seed in range(options.seeds)
                for strategy in strategies
                if key(name, strategy, seed, options) not in results
            ]
            for played in play_set(name, missing, options):
                results[key(name, played["strategy"], played["seed"], options)] = played
                if "failed" not in played:  # what failed is played again next time
                    file.write(json.dumps(played) + "\n")
                    file.flush()
    write(options.out, report(results, names, strategies, options))
    print(f"Written to {options.out}")


def write(out: Path, tables: str) -> None:
    """Write the tables below what somebody wrote about them, if the file has such a part."""
    before = out.read_text(encoding="utf-8") if out.exists() else MARK
    reading = before.split(MARK)[0] if MARK in before else ""
    out.write_text(f"{reading}{MARK}\n\n{tables}", encoding="utf-8")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("discovery-study.md"))
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of each set at most")
    parser.add_argument("--seeds", type=int, default=3, help="draws of each set")
    parser.add_argument("--budget", type=int, default=250, help="labels of each hunt")
    parser.add_argument("--sets", help="names with commas; all if left out")
    parser.add_argument("--strategies", help="names with commas; all if left out")
    parser.add_argument("--again", default="", help="strategies to play anew, with commas")
    return parser.parse_args()


def key(name: str, strategy: str, seed: int, options: argparse.Namespace) -> tuple:
    return name, strategy, seed, options.rows, options.budget


def read_cache(cache: Path, options: argparse.Namespace) -> dict[tuple, dict]:
    """Read what was played before; lines of strategies to be played anew are dropped for good."""
    if not cache.exists():
        return {}
    again = set(options.again.split(",")) if options.again else set()
    kept = []
    for line in cache.read_text(encoding="utf-8").splitlines():
        try:
            played = json.loads(line)
        except json.JSONDecodeError:
            continue  # the last line of a run that was stopped
        if played["strategy"] not in again:
            kept.append(played)
    cache.write_text("".join(json.dumps(played) + "\n" for played in kept), encoding="utf-8")
    fields = ("set", "strategy", "seed", "rows", "budget")
    return {tuple(played[field] for field in fields): played for played in kept}


def play_set(name, missing, options):
    """Play what is missing on one set; yields one dictionary for every hunt."""
    if not missing:
        return
    try:
        source = None if name in SYNTHETIC else open_set(name)
    except DataError as problem:
        sys.exit(str(problem))
    slow = set()
    for seed in sorted({seed for seed, _ in missing}):
        drawn = draw_synthetic(name, seed) if source is None else source.draw(seed, options.rows)
        spaces = Spaces(drawn)
        for strategy in [strategy for other, strategy in missing if other == seed]:
            begun = time.perf_counter()
            played = {
                "set": name,
                "strategy": strategy,
                "seed": seed,
                "rows": options.rows,
                "budget": options.budget,
                "n": len(drawn.labels),
                "sizes": drawn.sizes,
                "rare": drawn.rare,
            }
            if strategy in slow:
                played["cannot"] = f"over {SECONDS_PER_RUN:g} seconds for one hunt"
            else:
                played |= tried(drawn, spaces, strategy, seed, options.budget)
            seconds = time.perf_counter() - begun
            if seconds > SECONDS_PER_RUN:
                slow.add(strategy)
            print(f"{name:18} seed {seed} {strategy:15} {seconds:6.1f} s", flush=True)
            yield played


def tried(*hunt):
    """Play one hunt; whatever goes wrong is listed in the end."""
    try:
        return play(*hunt)
    except Exception as problem:
        return {"cannot": str(problem), "failed": type(problem).__name__}


def ratio(played: dict) -> float:
    return ratio_to_random(played["seen"], played["sizes"], played["rare"], played["budget"])


def report(results, names, strategies, options) -> str:
    shown = [name for name in strategies if name != "random"]
    table: dict[str, dict[str, np.ndarray]] = {}
    for name in names:
        table[name] = {}
        for strategy in shown:
            hunts = [
                results.get(key(name, strategy, seed, options)) for seed in range(options.seeds)
            ]
            # A strategy counts only where it played every draw.
            if all(played is not None and "cannot" not in played for played in hunts):
                table[name][strategy] = np.array([ratio(played) for played in hunts])
    lines = [
        "## Labels needed, as a share of what random sampling needs",
        "",
        f"At most {options.rows} rows of each set, {options.seeds} draws, {options.budget} labels "
        "for each hunt. Numbers are labels at first sight over those of random sampling, the mean "
        "over rare classes (below 5 %) and draws: below 1 is better than chance. A dash: the "
        "strategy needs features, or took too long. The last columns are the best single "
        "strategy, and how far auto is from it.",
        "",
        *ratio_table(results, names, shown, table, options),
        *failures(results),
        *where_short(names, table),
        *calibration(results, names, options),
    ]
    return "\n".join(lines) + "\n"


def ratio_table(results, names, shown, table, options) -> list[str]:
    lines = [
        "| set | n | rare classes | " + " | ".join(shown) + " | best single | auto ÷ best |",
        "|---|---|---|" + "---|" * (len(shown) + 2),
    ]
    for name in names:
        first = results.get(key(name, shown[0], 0, options)) or next(
            (played for played in results.values() if played["set"] == name), None
        )
        if first is None:
            continue
        sizes = ", ".join(str(first["sizes"][label]) for label in first["rare"])
        cells = [
            f"{table[name][strategy].mean():.2f}" if strategy in table[name] else "-"
            for strategy in shown
        ]
        best, apart = compared(table[name])
        lines.append(
            f"| {name} | {first['n']} | {sizes} | {' | '.join(cells)} | {best} | {apart} |"
        )
    groups = {
        "vectors": [name for name in names if name not in SYNTHETIC and not is_kernel_set(name)],
        "kernels": [name for name in names if name not in SYNTHETIC and is_kernel_set(name)],
        "all of the folder": [name for name in names if name not in SYNTHETIC],
        "all": list(names),
    }
    for title, members in groups.items():
        cells = []
        for strategy in shown:
            means = [table[name][strategy].mean() for name in members if strategy in table[name]]
            whole = len(means) == len(members) and means
            cells.append(f"**{np.exp(np.mean(np.log(means))):.3f}**" if whole else "-")
        lines.append(f"| geometric mean, {title} | | | {' | '.join(cells)} | | |")
    return [*lines, *against_each(groups["all of the folder"], shown, table)]


def against_each(members, shown, table) -> list[str]:
    """Compare auto with every single strategy over the sets both played, with its uncertainty."""
    lines = [
        "",
        "auto against each, over the sets of the folder that both could play: the geometric mean "
        "of the ratio of their labels, from which to which it may lie when the sets are drawn "
        "anew (two standard errors), and on how many sets auto was better.",
        "",
        "| strategy | sets | auto ÷ strategy | from | to | auto better on |",
        "|---|---|---|---|---|---|",
    ]
    for strategy in shown:
        both = [table[name] for name in members if {OURS, strategy} <= set(table[name])]
        if strategy == OURS or len(both) < 2:
            continue
        logs = np.log([row[OURS].mean() / row[strategy].mean() for row in both])
        middle, error = logs.mean(), logs.std(ddof=1) / np.sqrt(len(logs))
        low, ratio, high = np.exp([middle - 2 * error, middle, middle + 2 * error])
        lines.append(
            f"| {strategy} | {len(both)} | {ratio:.2f} | {low:.2f} | {high:.2f} | "
            f"{(logs < 0).sum()} |"
        )
    return lines


def failures(results) -> list[str]:
    """List hunts that ended in an error."""
    failed = [played for played in results.values() if "failed" in played]
    if not failed:
        return []
    lines = [
        f"- {played['set']}, seed {played['seed']}, {played['strategy']}: {played['failed']}: "
        f"{played['cannot']}"
        for played in failed
    ]
    return ["", "Hunts that failed:", "", *lines]


def compared(row: dict[str, np.ndarray]) -> tuple[str, str]:
    singles = {name: values.mean() for name, values in row.items() if name != OURS}
    if not singles or OURS not in row:
        return "-", "-"
    best = min(singles, key=singles.get)
    return f"{best} {singles[best]:.2f}", f"{row[OURS].mean() / singles[best]:.2f}"


def where_short(names, table) -> list[str]:
    """List the sets where auto needs over half as many labels again as the best single."""
    lines = ["", "## Where auto falls short", ""]
    for name in names:
        row = table[name]
        singles = {other: values for other, values in row.items() if other != OURS}
        if not singles or OURS not in row:
            continue
        best = min(singles, key=lambda other: singles[other].mean())
        apart = row[OURS].mean() / singles[best].mean()
        if apart > 1.5:
            own, other = row[OURS], singles[best]
            difference = own - other
            error = difference.std(ddof=1) / np.sqrt(len(own)) if len(own) > 1 else np.nan
            lines.append(
                f"- {name}: auto {own.mean():.2f} ({', '.join(f'{v:.2f}' for v in own)}), {best} "
                f"{other.mean():.2f} ({', '.join(f'{v:.2f}' for v in other)}): {apart:.1f} times; "
                f"difference {difference.mean():.2f} ± {error:.2f} (standard error)."
            )
    return lines if len(lines) > 3 else [*lines, "Nowhere above 1.5 times the best single one."]


def calibration(results, names, options) -> list[str]:
    """Judge what the outlook said at every moment of the hunts of auto, and of random sampling."""
    lines = ["", "## Is the outlook right?", ""]
    for strategy in TO_THE_END:
        moments = []
        for name in names:
            for seed in range(options.seeds):
                played = results.get(key(name, strategy, seed, options))
                if played is not None and "told" in played:
                    moments += judged(played)
        if not moments:
            continue
        lines += calibration_table(strategy, np.array(moments))
    return lines


def judged(played: dict) -> list[tuple[float, float, float, float]]:
    """Return for every moment: stated chance, whether new, stated share, largest unseen share."""
    told, n = played["told"], played["n"]
    shares = {name: size / n for name, size in played["sizes"].items()}
    seen: set[str] = set()
    moments = []
    for moment in range(1, len(told)):
        seen.add(told[moment - 1])
        look = outlook(told[:moment])
        unseen = max((share for name, share in shares.items() if name not in seen), default=0.0)
        new = told[moment] not in seen
        moments.append((look.chance_of_new, float(new), look.largest_unseen_share, unseen))
    return moments


def calibration_table(strategy: str, moments: np.ndarray) -> list[str]:
    chance, new, bound, unseen = moments.T
    wrong = (unseen > bound).mean()
    open_ones = unseen > 0
    lines = [
        f"**{strategy}**, {len(moments)} moments: the largest unseen class was larger than the "
        f"share stated at 95 % in {wrong:.1%} of them"
        + (
            f" ({(unseen > bound)[open_ones].mean():.1%} of those where something was unseen)."
            if open_ones.any()
            else "."
        ),
        "",
        "| stated chance of a new class | moments | mean stated | came true |",
        "|---|---|---|---|",
    ]
    for low, high in pairwise(CHANCES):
        inside = (chance > low) & (chance <= high)
        if inside.any():
            lines.append(
                f"| {low:g} to {high:g} | {inside.sum()} | {chance[inside].mean():.3f} | "
                f"{new[inside].mean():.3f} |"
            )
    return [*lines, ""]


if __name__ == "__main__":
    main()
