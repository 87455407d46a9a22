"""Draw the pictures of the pages: ``python docs/pictures.py``."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from rarefind import Hunt
from rarefind.detection import KernelFisherDiscriminant
from rarefind.evaluation.plots import ACCENT, CLASSES, FAINT, figure
from rarefind.kernels import Linear
from rarefind_bench.detection.told_and_true import draw_told
from rarefind_bench.robustness.cases import FACTORS, cases
from rarefind_bench.robustness.outcomes import Outcome, draw_outcomes

HERE = Path(__file__).parent
IMAGES = HERE / "images"
ROBUSTNESS = {"shuttle": "Shuttle", "set 2": "Set 2", "six balls": "Six balls"}
BUDGET = 400
TRUE, NOTHING = "MALICE, shares x 1", "auto, told nothing"
ERRORS = {
    "shares": [
        *(f"MALICE, shares x {factor:g}" for factor in FACTORS),
        "MALICE, every other share x 4 and x 0.25",
        NOTHING,
    ],
    "number": [
        TRUE,
        "MALICE, smallest class forgotten",
        "MALICE, two classes made up",
        "MALICE, one share for all: the mean",
        "MALICE, a guess: one class of 1 %",
        NOTHING,
    ],
    "answers": [TRUE, NOTHING, *(case.name for case in cases() if case.noise)],
}
"""The cases of the study that each picture shows."""


def save(drawn: Figure, name: str) -> None:
    """Write a picture with few colours, which makes the file a third as large."""
    whole = io.BytesIO()
    drawn.savefig(whole, dpi=110)
    few = Image.open(whole).convert("RGB").quantize(64, dither=Image.Dither.NONE)
    few.save(IMAGES / name, optimize=True)


def two_classes() -> tuple[np.ndarray, np.ndarray]:
    """Two long, parallel clouds: what varies most is not what separates them."""
    rng = np.random.default_rng(4)
    along = np.column_stack([rng.normal(0, 3.0, 120), rng.normal(0, 0.5, 120)])
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    y = np.repeat([0, 1], 60)
    return (along + np.where(y[:, None] == 1, [0.0, 2.4], 0.0)) @ turn.T, y


def fisher_direction(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The direction that a Fisher discriminant with the linear kernel projects on."""
    model = KernelFisherDiscriminant(Linear()).fit(X, y)
    origin, unit = model.transform(np.zeros((1, 2))), model.transform(np.eye(2))
    direction = (unit - origin).ravel()
    return direction / np.linalg.norm(direction)


def pca_and_lda() -> None:
    X, y = two_classes()
    centre = X.mean(axis=0)
    directions = {
        "PCA: the direction that varies most": PCA(1).fit(X).components_[0],
        "LDA: the direction that separates": fisher_direction(X, y),
    }
    with figure(10.5, 4.4) as (drawn, axes):
        axes.remove()
        left, *right = drawn.subplots(1, 3, width_ratios=[1.4, 1, 1])
        for label, colour in zip((0, 1), CLASSES, strict=False):
            left.scatter(*X[y == label].T, s=14, color=colour, linewidths=0)
        for (title, direction), style, other in zip(
            directions.items(), ("--", "-"), right, strict=True
        ):
            ends = centre + np.outer([-6.0, 6.0], direction)
            left.plot(*ends.T, style, color=ACCENT, linewidth=2, label=title[:3])
            projected = (X - centre) @ direction
            bins = np.linspace(projected.min(), projected.max(), 25)
            for label, colour in zip((0, 1), CLASSES, strict=False):
                other.hist(projected[y == label], bins, color=colour, alpha=0.75)
            other.set(title=title, yticks=[], xlabel="records projected on it")
            other.title.set_fontsize(10)
            other.spines["left"].set_visible(False)
        left.set(xticks=[], yticks=[], aspect="equal")
        left.legend(frameon=False, loc="lower right")
        left.spines[["left", "bottom"]].set_color(FAINT)
        save(drawn, "pca-and-lda.png")


def robustness_outcomes(name: str) -> list[Outcome]:
    """What ``rarefind bench robustness --json`` wrote about a set."""
    kept = json.loads((HERE / "robustness.json").read_text(encoding="utf-8"))[name]
    labels = {case: [np.inf if one is None else one for one in kept[case]] for case in kept}
    return [Outcome(case, tuple(labels[case.name])) for case in cases()]


def robustness() -> None:
    """One picture for each kind of error, the sets side by side."""
    played = {title: robustness_outcomes(name) for name, title in ROBUSTNESS.items()}
    for name, wanted in ERRORS.items():
        with figure(9.6, 1.2 + 0.27 * len(wanted)) as (drawn, axes):
            axes.remove()
            panels = drawn.subplots(1, len(played), sharey=True)
            for panel, (title, outcomes) in zip(panels, played.items(), strict=True):
                by_name = {outcome.case.name: outcome for outcome in outcomes}
                draw_outcomes([by_name[case] for case in wanted], BUDGET, panel)
                panel.set_title(title, loc="left", fontsize=11)
                panel.set_xlabel("labels needed")
            panels[0].set_ylim(len(wanted) - 0.5, -0.5)  # they share it, and each turned it round
            save(drawn, f"robustness-{name}.png")


def figures_told() -> list[dict[str, Any]]:
    """Figures that ``auto`` told of problems in ``rarefind bench quality``, and the true ones."""
    kept = json.loads((HERE / "told-and-true.json").read_text(encoding="utf-8"))
    return [row for row in kept if row["told"] is not None]


def told_and_true() -> None:
    with figure(5.2, 4.6) as (drawn, axes):
        draw_told(figures_told(), axes)
        save(drawn, "told-and-true.png")


def hunt_in_a_notebook() -> None:
    """The curve and the map of the hunt that the data scientist's page plays."""
    X, digits = load_digits(return_X_y=True)
    few = np.flatnonzero(digits == 9)[:8]
    rows = np.concatenate([np.flatnonzero(digits < 5)[:500], few])
    X, truth = X[rows], np.where(digits[rows] == 9, "nine", "ordinary")
    hunt = Hunt(X, background="ordinary")
    for _ in range(30):
        row = hunt.ask().row
        hunt.tell(row, truth[row])
    with figure(9.6, 3.8) as (drawn, axes):
        axes.remove()
        left, right = drawn.subplots(1, 2)
        hunt.plot_discovery(axes=left)
        hunt.plot_map("pca", axes=right)
        save(drawn, "story-science-plots.png")


if __name__ == "__main__":
    hunt_in_a_notebook()
    pca_and_lda()
    robustness()
    told_and_true()
