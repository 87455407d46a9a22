from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from rarefind.evaluation import Band
from rarefind.evaluation.plots import (
    CLASSES,
    as_svg,
    draw_bands,
    draw_comparison,
    draw_discovery,
    draw_found,
    draw_hits,
    draw_looked_at,
    draw_map,
    figure,
    plain,
)

NASTY = 'a $x_{1 < "b" & <script>'


def drawn(draw, words="A chart"):
    with figure() as (canvas, axes):
        draw(axes)
        return as_svg(canvas, words), axes


def looks(axes):
    return [(line.get_color(), line.get_linestyle()) for line in axes.lines]


@pytest.mark.parametrize("draw", [draw_comparison, draw_bands, draw_discovery])
def test_no_two_lines_look_the_same_and_neighbours_differ_without_colour(draw):
    curves = {f"strategy {number}": [0.0, 0.5, 1.0] for number in range(12)}
    if draw is draw_comparison:
        _, axes = drawn(lambda axes: draw(axes, curves, "fraud"))
        lines = looks(axes)[1:]
    elif draw is draw_bands:
        bands = {name: Band(*[np.array(curve)] * 3) for name, curve in curves.items()}
        _, axes = drawn(lambda axes: draw(axes, bands, 1))
        lines = looks(axes)[:-1]
    else:
        _, axes = drawn(lambda axes: draw(axes, curves, 1, np.zeros(3)))
        lines = looks(axes)[1:-1]
    assert len(lines) == 12
    assert len(set(lines)) == 12
    for one, other in itertools.pairwise(lines):
        assert one[1] != other[1]


def test_the_colours_of_classes_differ_in_grey_or_for_the_colour_blind():
    # Okabe and Ito's six chromatic colours and two more: no two are near each other when red and
    # green are mixed up (Vienot's matrix for deuteranopes).
    mix = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])
    rgb = np.array([[int(code[i : i + 2], 16) for i in (1, 3, 5)] for code in CLASSES]) / 255
    seen = (rgb**2.2 @ mix.T).clip(0, 1) ** (1 / 2.2)
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=2) + np.eye(len(seen))
    assert apart.min() > 0.1


def test_names_are_words_whatever_is_in_them():
    points = np.random.default_rng(0).normal(size=(5, 2))
    labels = {0: NASTY, 1: "ordinary", 2: "$$$"}
    for draw in (
        lambda axes: draw_map(axes, points, labels, frozenset(["ordinary"])),
        lambda axes: draw_comparison(axes, {NASTY: [0.0, 1.0]}, NASTY),
        lambda axes: draw_discovery(axes, {NASTY: [0, 1]}, 1, np.zeros(2)),
    ):
        svg, _ = drawn(draw, NASTY)
        assert "<script" not in svg
        assert "$x_{1" in svg
    assert plain("$") == r"\$"


def test_a_picture_says_what_it_shows_and_is_the_same_each_time():
    draw = lambda axes: draw_found(axes, [0, 1, 1], [0.0, 0.2, 0.4], 2.0)  # noqa: E731
    one, other = drawn(draw, 'classes "seen"')[0], drawn(draw, 'classes "seen"')[0]
    assert one == other
    assert one.startswith('<svg role="img" aria-label="classes &quot;seen&quot;"')


def test_a_class_found_by_the_last_label_is_inside_the_picture():
    with figure() as (_, axes):
        draw_found(axes, [0, 0, 1], None)
        assert axes.get_xlim()[1] > 2.0


def test_pictures_on_one_page_share_no_names():
    first = drawn(lambda axes: draw_hits(axes, np.array([0.0, 1.0, 1.0]), 1), "one")[0]
    second = drawn(lambda axes: draw_hits(axes, np.array([0.0, 1.0, 1.0]), 1), "two")[0]
    clips = [set(re.findall(r'<clipPath id="(\w+)"', svg)) for svg in (first, second)]
    assert clips[0]
    assert not clips[0] & clips[1]


def test_a_hunt_of_one_label_and_a_ranking_looked_at_once_can_be_drawn():
    assert "this hunt" in drawn(lambda axes: draw_found(axes, [0, 0], None))[0]
    assert "confirmed" in drawn(lambda axes: draw_looked_at(axes, [1]))[0]
