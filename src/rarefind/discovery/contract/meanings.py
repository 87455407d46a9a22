"""What the numbers behind a question mean, in words.

One list for all strategies, so that a number is told alike on the page, the terminal and in a
notebook. A strategy of your own may give numbers that are not in it: they stand by their names.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

_DISTANCE = "in the distances of this hunt"
"""Numbers that are distances have no unit of their own."""


def _odds(value: float) -> str:
    """Say how often chance does what has this as minus its logarithm.

    >>> _odds(12.3), _odds(0.7)
    ('once in 200,000 times', 'every 2nd time or more often')
    """
    number = math.exp(min(value, 20.0))
    if number > 1e6:
        return "less than once in a million times"
    if number < 2.5:
        return "every 2nd time or more often"
    return f"once in {float(f'{number:.1g}'):,.0f} times"


def _surprise(value: float) -> str:
    return f"chance packs records this densely at a place chosen beforehand {_odds(value)}"


def _evidence(value: float) -> str:
    if value <= 0.0:
        return "so many places were looked at that chance alone makes one like it"
    return f"with all the places that were looked at, chance makes one like it {_odds(value)}"


def _probability(value: float) -> str:
    return f"how likely it is of a class nobody would expect there: {value:.0%}"


def _lifted(value: float) -> str:
    if value:
        return "everything was near an answer by now, so nearness counts no longer"
    return "records near an answer are passed over"


_MEANINGS: Mapping[str, str | Callable[[float], str]] = {
    "alpha": "how ready the model is to see one more class",
    "answers": "people who answered this record so far",
    "bandwidth": f"how far a record is felt around it, {_DISTANCE}",
    "component": "the part of the mixture it was taken from",
    "components": "parts the mixture has",
    "contrast": "times as dense inside as just around it",
    "distance_inside": f"how far apart the records of its group are, {_DISTANCE}",
    "distance_of_next": f"how far the first record outside the group is, {_DISTANCE}",
    "distance_to_fewest": "how far the place with fewest records nearby is",
    "distance_to_labelled": "how far the nearest record with an answer is",
    "distance_to_looked_at": "how far the nearest record looked at is",
    "distance_to_nearest": "how far the record most like it is",
    "distance_to_neighbours": "how far the last of its neighbours spoken of is",
    "distance_to_next": f"how far its group is from the one nearest to it, {_DISTANCE}",
    "distance_to_representative": "how far the nearest record looked at is",
    "evidence": _evidence,
    "expected_size": "records that the class looked for is thought to have",
    "fewest_nearby": "the fewest records that are as near to one close to it",
    "gap_ratio": "times as far to the next record as between those of the group",
    "group": "records of the group, it included",
    "groups_lifted": _lifted,
    "lifetime": "how much longer its group stands than it took to form, as a logarithm",
    "log_likelihood": "how well it fits its part of the mixture; lower fits less",
    "log_odds_of_new": "above 0 a class not seen yet is likelier than all others together",
    "log_slope": "how steeply density changes here, as a logarithm",
    "mean_distance_inside": f"how far apart the records of the group are, {_DISTANCE}",
    "nearness": "how alike records must be to count as near",
    "neighbourhoods_lifted": _lifted,
    "probability": _probability,
    "radius": f"how far from it the records spoken of reach, {_DISTANCE}",
    "records_asked": "records looked at so far",
    "records_equally_good": "records that would do as well; it was drawn among them",
    "records_in_component": "records of that part",
    "records_in_group": "records of its group",
    "records_left": "records nobody has looked at",
    "records_near": "records near it",
    "records_within_radius": "records so close together, it included",
    "relative_density": "records around it, beside the densest place",
    "scale": "how far around it density is compared; it grows as the search goes on",
    "shadows_lifted": _lifted,
    "slope_rank": "its place among all records, the steepest first",
    "surprise": _surprise,
}
"""What each number that our strategies give means; some are easier told by what they amount to."""


def meanings(evidence: Mapping[str, float]) -> dict[str, str]:
    """Say what each number behind a question means; empty for a number nobody has explained.

    >>> meanings({"surprise": 12.3, "my_own": 1.0})["surprise"]
    'chance packs records this densely at a place chosen beforehand once in 200,000 times'
    """
    said = {}
    for name, value in evidence.items():
        meaning = _MEANINGS.get(name, "")
        said[name] = meaning if isinstance(meaning, str) else meaning(float(value))
    return said


def told(evidence: Mapping[str, float]) -> list[str]:
    """Write each number with its name and what it means.

    >>> told({"contrast": 5.04, "my_own": 1.0})
    ['contrast 5.04: times as dense inside as just around it', 'my own 1']
    """
    words = meanings(evidence)
    lines = []
    for name, value in evidence.items():
        number = f"{value:,.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"
        line = f"{name.replace('_', ' ')} {number}"
        lines.append(f"{line}: {words[name]}" if words[name] else line)
    return lines
