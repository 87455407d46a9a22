"""ALICE and MALICE as printed, on the full distance matrix, one loop at a time."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist


def naive_picks(
    X, labels, priors, background, priority, *, malice, budget, descending=False, frozen=False
):
    """Rows asked in order. Copies of an asked record are asked after everything else."""
    X = np.asarray(X, float)
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, np.inf)
    D = cdist(X, X)
    slack = 1 + 1e-9
    n = len(X)
    names = sorted(priors, key=priors.get, reverse=descending)
    sizes = [min(round(n * priors[name]), n - 1) for name in names]
    radii, counts = {}, {}
    for name, size in zip(names, sizes, strict=True):
        kth = np.sort(D, axis=1)[:, size]
        radii[name] = kth[kth > 0].min() if (kth > 0).any() else D[D > 0].min()
        counts[name] = (radii[name] * slack >= D).sum(axis=1)
    widest, middle = max(radii.values()), float(np.median(list(radii.values())))
    picks, found = [], set()
    end = 2 * D[0].max()
    slot, t = 0, 2

    def next_slot():
        for step in range(1, len(names) + 1):
            candidate = (slot + step) % len(names)
            if names[candidate] not in found:
                return candidate
        return slot

    while len(picks) < min(budget, n):
        name = names[slot]
        radius, count = radii[name], counts[name]
        score = [count[j] - count[D[j] <= t * radius * slack].min() for j in range(n)]
        free = [j for j in range(n) if j not in picks]
        open_rows = [j for j in free if not any(D[j, q] == 0 for q in picks)] or free

        def shadowed(j, ordinary_too):
            for q in picks:
                if labels[q] == background:
                    if ordinary_too and D[j, q] <= widest * slack:
                        return True
                elif D[j, q] <= radii.get(labels[q], middle) * slack:
                    return True
            return False

        lit = open_rows
        if malice:
            lit = [j for j in open_rows if not shadowed(j, True)]
            lit = lit or [j for j in open_rows if not shadowed(j, False)] or open_rows
        pick = min(lit, key=lambda j: (-score[j], priority[j]))
        picks.append(pick)
        label = labels[pick]
        new = label != background and label not in found
        if label != background:
            found.add(label)
        if new and label == name:
            slot, t = next_slot(), 2
        elif (label == background or not malice) and not frozen:
            t += 1
            if t * radius > end:
                slot, t = next_slot(), 2
    return picks
