"""``rarefind demo``: the whole story on data that comes along."""

from __future__ import annotations

from pathlib import Path

import click
from rich.panel import Panel

from rarefind.cli.output import console, print_json
from rarefind.core.errors import MissingPackageError
from rarefind.discovery import Question
from rarefind.evaluation.plots import check_picture
from rarefind.records.examples import Example, buried_disc, rare_digits
from rarefind.service.story import (
    Found,
    Ranked,
    draw_overview,
    hunt_in,
    rank_rest,
    write_report,
)

_SHADES = " .:-=+*#%@"
_CONFIRMED = 10


@click.command()
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    default=Path("report.html"),
    show_default=True,
    help="Where to write the report.",
)
@click.option("--picture", type=click.Path(path_type=Path), help="Also draw the map and the curve.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Random seed.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
def demo(report: Path, picture: Path | None, seed: int, as_json: bool) -> None:
    """Show the whole story on data that comes along, and write a report."""
    if picture is not None:
        check_picture(picture)
    console.quiet = as_json
    digits = _hunt_digits(rare_digits(seed), seed)
    target = max(digits.needed, key=lambda name: digits.example.sizes()[str(name)])
    ranked = _rank(digits, str(target))
    disc = _hunt_disc(buried_disc(seed), seed)
    written = _write(report, digits, ranked, disc)
    if picture is not None:
        draw_overview(picture, digits)
    if as_json:
        print_json(_as_dict(digits, ranked, disc, written))


def _hunt_digits(example: Example, seed: int) -> Found:
    rare = ", ".join(example.sizes())
    console.rule("[bold]1. Discover")
    console.print(
        f"{len(example.labels)} small pictures of {example.title}, none labelled. The digits "
        f"{', '.join(example.background)} are ordinary. Unknown to rarefind, a few pictures of "
        f"{rare} hide among them: {min(example.sizes().values())} to "
        f"{max(example.sizes().values())} of each. You are the one who answers.\n"
    )
    seen: set[str] = set()
    count = 0

    def tell(question: Question, answer: str) -> None:
        nonlocal count
        count += 1
        new = answer not in example.background and answer not in seen
        seen.add(answer)
        if new or count == 1:
            _show_question(example, question, answer, count, new=new)

    found = hunt_in(example, tell, seed)
    console.print(
        f"[bold]All {len(found.needed)} rare classes were seen after {len(found.hunt.labels)} "
        f"labels.[/] Random sampling needs {found.random_needs:,.0f} on average.\n"
    )
    return found


def _show_question(
    example: Example, question: Question, answer: str, count: int, *, new: bool
) -> None:
    verdict = f"[bold green]{answer}, a new class![/]" if new else f"{answer} (ordinary)"
    drawing = _drawing(example, question.row)
    console.print(
        Panel(
            f"{drawing}\n\n[dim]Why: {question.why}[/]\nAnswer: {verdict}",
            title=f"Question {count}: what is picture {question.row}?",
            title_align="left",
        )
    )


def _drawing(example: Example, row: int) -> str:
    """Draw a picture with characters, two wide for each point."""
    assert example.picture is not None
    grid = example.X[row].reshape(example.picture)
    steps = (grid / max(float(grid.max()), 1e-9) * (len(_SHADES) - 1)).round().astype(int)
    return "\n".join("".join(_SHADES[step] * 2 for step in line) for line in steps)


def _rank(found: Found, target: str) -> Ranked:
    """Rank, let the person look at the first ten, and rank again: each answer helps."""
    console.rule("[bold]2. Detect")
    first = rank_rest(found, target)
    console.print(
        f"LAGO ranks the {len(first.rows)} pictures nobody looked at for class {target}, from "
        f"{first.known} labelled example{'s' if first.known != 1 else ''} and the other answers. "
        f"{first.wanted} belong to it."
    )
    _show_ranked(found, first)
    second = rank_rest(found, target, [int(row) for row in first.rows[:_CONFIRMED]])
    console.print(f"You look at those {_CONFIRMED}, and it ranks again:")
    _show_ranked(found, second)
    console.print()
    return second


def _show_ranked(found: Found, ranked: Ranked) -> None:
    labels = [found.example.labels[row] for row in ranked.rows[:_CONFIRMED]]
    marked = " ".join(
        f"[bold green]{label}[/]" if label == ranked.target else f"[dim]{label}[/]"
        for label in labels
    )
    console.print(
        f"  first ten: {marked}   average precision [bold]{ranked.average_precision:.2f}[/] "
        f"(a random order: {ranked.chance:.3f})"
    )


def _hunt_disc(example: Example, seed: int) -> Found:
    console.rule("[bold]3. Inside the crowd")
    found = hunt_in(example, lambda _question, _answer: None, seed)
    console.print(
        "The paper's first synthetic set: 10 records in a small disc in the middle of 1000 others, "
        f"where nothing sticks out. Found with label {len(found.hunt.labels)}; random sampling "
        f"needs {found.random_needs:,.0f} on average.\n"
    )
    return found


def _write(report: Path, digits: Found, ranked: Ranked, disc: Found) -> Path | None:
    try:
        write_report(report, digits, ranked, disc)
    except MissingPackageError as problem:
        console.print(f"No report was written. {problem}")
        return None
    console.rule("[bold]What next")
    console.print(
        f"The report with maps, curves and pictures: [bold]{report.resolve()}[/]\n"
        "Your own table:   [bold]rarefind discover FILE.csv[/]   (it asks, you answer)\n"
        "A labelled one:   [bold]rarefind discover FILE.csv --label-column COLUMN[/]\n"
        "Then the ranking: [bold]rarefind rank FILE.csv --label-column COLUMN --target CLASS[/]"
    )
    return report


def _as_dict(digits: Found, ranked: Ranked, disc: Found, written: Path | None) -> dict[str, object]:
    return {
        "digits": {
            "labels": len(digits.hunt.labels),
            "found": {str(name): at for name, at in digits.needed.items()},
            "random_would_need": digits.random_needs,
        },
        "ranking": {"target": ranked.target, "average_precision": ranked.average_precision},
        "disc": {"labels": len(disc.hunt.labels), "random_would_need": disc.random_needs},
        "report": None if written is None else str(written),
    }
