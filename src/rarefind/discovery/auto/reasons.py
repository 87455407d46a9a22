"""Why ``auto`` asks a question, in a sentence, and the numbers it rests on."""

from __future__ import annotations

from typing import NamedTuple

from rarefind.discovery.auto.evidence import in_words
from rarefind.discovery.auto.knots import Knots

Reason = tuple[str, dict[str, float]]
"""The sentence, and the numbers by name."""


class Neighbours(NamedTuple):
    """How many neighbours of a record are spoken of, and how far the first and last of them are."""

    how_many: int
    nearest: float
    outermost: float


def knot_reason(knots: Knots, knot: int, *, again: bool) -> Reason:
    """Say what is special about a knot, and whether an answer there is doubted."""
    size, radius = int(knots.size[knot]), float(knots.radius[knot])
    contrast, surprise = float(knots.contrast[knot]), float(knots.surprise[knot])
    worth = float(knots.evidence[knot])
    explained = "no answer explains it"
    if again:
        explained = "a second look tells whether what was answered there is right"
    chance = in_words(worth)
    so = f"around: {chance}, and {explained}." if chance else f"around, and {explained}."
    times = f"{contrast:,.0f}" if contrast >= 10.0 else f"{contrast:.1f}"
    why = f"{size} records lie within {radius:.3g} of it, {times} times as dense as those "
    return why + so, {
        "records_within_radius": size,
        "radius": radius,
        "contrast": contrast,
        "surprise": surprise,
        "evidence": worth,
    }


def outside_reason(near: Neighbours, away: float | None) -> Reason:
    """Say how far a record is from its neighbours and from the nearest label, if there is any."""
    apart = f"the nearest record is {near.nearest:.3g} away"
    if near.how_many > 1:
        apart += f", and its {near.how_many} nearest lie within {near.outermost:.3g}"
    evidence = {"distance_to_nearest": near.nearest, "distance_to_neighbours": near.outermost}
    if away is None:
        return f"It lies apart: {apart}.", evidence
    why = (
        f"It is unlike anything labelled so far: the nearest labelled record is {away:.3g} "
        f"away ({apart})."
    )
    return why, {"distance_to_labelled": away, **evidence}


def crowd_reason(near: Neighbours, away: float | None) -> Reason:
    """Say how close its neighbours are to a record, and how far the nearest label is."""
    within = f"{near.how_many} lie within {near.outermost:.3g} of it"
    stands = f"It stands for records close together: {within}"
    evidence = {"distance_to_neighbours": near.outermost}
    if away is None:
        return f"{stands}.", evidence
    why = f"{stands}, and the nearest labelled record is {away:.3g} away."
    return why, {"distance_to_labelled": away, **evidence}


def gap_reason(size: int, radius: float, gap: float, away: float | None) -> Reason:
    """Say how close together a few records are, how far the next one is, and the nearest label."""
    few = f"It and the {size - 1} records nearest to it lie within {radius:.3g}"
    stands = f"{few}, and the next one is {gap:.3g} away"
    evidence = {"records_within_radius": float(size), "radius": radius, "distance_of_next": gap}
    if away is None:
        return f"{stands}.", evidence
    why = f"{stands}; the nearest labelled record is {away:.3g} away."
    return why, {"distance_to_labelled": away, **evidence}
