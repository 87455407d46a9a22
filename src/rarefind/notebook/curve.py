"""How many rare classes a hunt has seen after each label."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable


def classes_seen(labels: Iterable[Hashable], ordinary: Collection[Hashable]) -> list[int]:
    """Count the classes but the ordinary, before the first label and after each.

    >>> classes_seen(["plain", "odd", "plain", "odd", "new"], {"plain"})
    [0, 0, 1, 1, 1, 2]
    """
    seen: set[Hashable] = set()
    curve = [0]
    for label in labels:
        if label not in ordinary:
            seen.add(label)
        curve.append(len(seen))
    return curve
