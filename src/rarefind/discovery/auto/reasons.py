"""Why ``auto`` asks a question, in a sentence, and the numbers it rests on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rarefind.discovery.auto.knots import Pockets

Reason = tuple[str, dict[str, float]]
"""The sentence, and the numbers by name."""


class Neighbours(NamedTuple):
    """How many neighbours of a record are spoken of, and how far the first and last of them are."""

    how_many: int
    nearest: float
    outermost: float


def knot_reason(knots: Pockets, pocket: int, *, again: bool) -> Reason:
    """Say what is special about a knot, and whether an answer there is doubted."""
    size, radius = int(knots.size[pocket]), float(knots.radius[pocket])
    contrast, surprise = float(knots.contrast[pocket]), float(knots.surprise[pocket])
    explained = "no answer explains it"
    if again:
        explained = "a second look tells whether what was answered there is right"
    why = (
        f"{size} records lie within {radius:.3g} of it, {contrast:.1f} times as dense as those "
        f"around: chance does that once in {_once_in(surprise)}, and {explained}."
    )
    return why, {
        "records_within_radius": size,
        "radius": radius,
        "contrast": contrast,
        "surprise": surprise,
    }


def outside_reason(near: Neighbours, away: float | None) -> Reason:
    """Say how far a record is from its neighbours and from the nearest label, if there is any."""
    apart = f"the nearest record is {near.nearest:.3g} away"
    if near.how_many > 1:
        apart += f", the nearest {near.how_many} reach out to {near.outermost:.3g}"
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
    stands = f"It stands for records close together: {near.how_many} lie within {near.outermost:.3g} of it"
    evidence = {"distance_to_neighbours": near.outermost}
    if away is None:
        return f"{stands}.", evidence
    why = f"{stands}, and the nearest labelled record is {away:.3g} away."
    return why, {"distance_to_labelled": away, **evidence}


def _once_in(surprise: float) -> str:
    """Write e to the power of the surprise for people."""
    number = np.exp(min(surprise, 20.0))
    return "over a million" if number > 1e6 else f"{float(f'{number:.1g}'):,.0f}"
