"""``rarefind demo``: the whole story on data that comes along."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.panel import Panel

from rarefind.cli.terminal.output import console, grid, print_json
from rarefind.core.errors import MissingPackageError
from rarefind.evaluation.plots import check_picture
from rarefind.records.examples import Example, buried_disc, rare_digits

if TYPE_CHECKING:
    from rarefind.discovery import Question
    from rarefind.service.showing.example_story import ExampleHunt, ExampleRanking, Looked

_SHADES = " .:-=+*#%@"
"""Characters from no ink to most, for a picture drawn on the terminal."""

_CONFIRMED = 10
"""Records looked at for a class before it is ranked again: what fits into one look; a choice."""


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
    from rarefind.service.showing.example_story import draw_overview, rank_rest

    if picture is not None:
        check_picture(picture)
    console.quiet = as_json
    digits = _hunt_digits(rare_digits(seed), seed)
    looked = _rank(digits)
    ranked = rank_rest(digits, looked[0].target)
    disc = _hunt_disc(buried_disc(seed), seed)
    written = _write(report, digits, ranked, looked, disc)
    if picture is not None:
        draw_overview(picture, digits)
    if as_json:
        print_json(_as_dict(digits, ranked, looked, disc, written))


def _hunt_digits(example: Example, seed: int) -> ExampleHunt:
    from rarefind.service.showing.example_story import hunt_in

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
            f"{drawing}\n\n[dim]Why: {escape(question.why)}[/]\nAnswer: {verdict}",
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


def _rank(found: ExampleHunt) -> list[Looked]:
    """Rank for every class found, let the person look at ten, and rank again: each answer helps."""
    from rarefind.service.showing.example_story import look_at_ranking

    console.rule("[bold]2. Detect")
    rest = len(found.example.labels) - len(found.hunt.labels)
    console.print(
        f"From the answers so far, LAGO ranks the {rest} pictures nobody looked at for each class "
        f"found. You look at the first {_CONFIRMED} for a class, and it ranks again with what you "
        "said:"
    )
    looked = [look_at_ranking(found, str(name), records=_CONFIRMED) for name in found.needed]
    lines = [(each.target, each.left, *each.hits) for each in looked]
    titles = ("class", "left to find", f"in the first {_CONFIRMED}", f"in the next {_CONFIRMED}")
    console.print(grid(titles, lines, titles[1:]))
    left, hits = sum(each.left for each in looked), sum(sum(each.hits) for each in looked)
    chance = sum(2 * _CONFIRMED * each.left / rest for each in looked)
    console.print(
        f"[bold]{hits} of the {left} left[/] were among the {2 * _CONFIRMED} looked at for their "
        f"class; a random order shows {chance:.0f}.\n"
    )
    return looked


def _hunt_disc(example: Example, seed: int) -> ExampleHunt:
    from rarefind.service.showing.example_story import hunt_in

    console.rule("[bold]3. Inside the crowd")
    found = hunt_in(example, lambda _question, _answer: None, seed)
    console.print(
        "The paper's first synthetic set: 10 records in a small disc in the middle of 1000 others, "
        f"where nothing sticks out. Found with label {len(found.hunt.labels)}; random sampling "
        f"needs {found.random_needs:,.0f} on average.\n"
    )
    return found


def _write(
    report: Path,
    digits: ExampleHunt,
    ranked: ExampleRanking,
    looked: list[Looked],
    disc: ExampleHunt,
) -> Path | None:
    from rarefind.service.showing.example_story import write_report

    try:
        write_report(report, digits, ranked, looked, disc)
    except MissingPackageError as problem:
        console.print(f"No report was written. {escape(str(problem))}")
        return None
    console.rule("[bold]What next")
    console.print(
        f"The report with maps, curves and pictures: [bold]{escape(str(report.resolve()))}[/]\n"
        "Your own table:   [bold]rarefind discover FILE.csv[/]   (it asks, you answer)\n"
        "A labelled one:   [bold]rarefind discover FILE.csv --label-column COLUMN[/]\n"
        "Then the ranking: [bold]rarefind rank FILE.csv --label-column COLUMN --target CLASS[/]"
    )
    return report


def _as_dict(
    digits: ExampleHunt,
    ranked: ExampleRanking,
    looked: list[Looked],
    disc: ExampleHunt,
    written: Path | None,
) -> dict[str, object]:
    return {
        "digits": {
            "labels": len(digits.hunt.labels),
            "found": {str(name): at for name, at in digits.needed.items()},
            "random_would_need": digits.random_needs,
        },
        "ranking": {"target": ranked.target, "average_precision": ranked.average_precision},
        "looked_at": {each.target: {"left": each.left, "hits": each.hits} for each in looked},
        "disc": {"labels": len(disc.hunt.labels), "random_would_need": disc.random_needs},
        "report": None if written is None else str(written),
    }
