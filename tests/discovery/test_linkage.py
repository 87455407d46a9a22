from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from rarefind.core.errors import ParameterError
from rarefind.discovery import Hunt, Linkage
from rarefind.discovery.strategies.groups.linkage import Hierarchy
from rarefind.discovery.strategies.groups.representatives import cover
from rarefind.evaluation.simulation import simulate
from tests.discovery.problems import clouds, grids, priority_of, problem, published, rows_asked


def naive_groups(D, method):
    """Merge the two nearest groups until one is left: {members: (born, dies)}."""
    far = max if method == "complete" else (lambda values: float(np.mean(values)))
    groups = [frozenset([j]) for j in range(len(D))]
    born = dict.fromkeys(groups, 0.0)
    dies = {}
    while len(groups) > 1:
        pairs = [(a, b) for i, a in enumerate(groups) for b in groups[:i]]
        a, b = min(pairs, key=lambda pair: far([D[i, j] for i in pair[0] for j in pair[1]]))
        height = far([D[i, j] for i in a for j in b])
        groups = [group for group in groups if group not in (a, b)] + [a | b]
        born[a | b] = height
        dies[a] = dies[b] = height
    dies[groups[0]] = born[groups[0]]
    least = min(height for height in born.values() if height > 0)
    return {group: (max(born[group], least), max(dies[group], least)) for group in born}


@given(clouds(high=12, copies=False), st.sampled_from(["complete", "average"]))
def test_the_hierarchy_equals_merging_the_nearest_groups(X, method):
    D = cdist(X, X)
    tree = Hierarchy(D, method)
    found = {
        frozenset(tree.order[a:b].tolist()): (born, dies)
        for a, b, born, dies in zip(tree.start, tree.stop, tree.born, tree.dies, strict=True)
    }
    expected = naive_groups(D, method)
    assert found.keys() == expected.keys()
    for group, heights in expected.items():
        assert found[group] == pytest.approx(heights)


@given(clouds(high=10, copies=False), st.integers(0, 3))
def test_picks_are_the_middles_of_the_longest_lived_untouched_groups(X, seed):
    D = cdist(X, X)
    groups = naive_groups(D, "complete")
    priority, picks = priority_of(len(X), seed), []
    while len(picks) < len(X):
        open_groups = [group for group in groups if not group & set(picks)]
        life = {group: round(np.log(np.divide(*groups[group][::-1])), 9) for group in open_groups}
        group = min(open_groups, key=lambda g: (-life[g], min(priority[j] for j in g)))
        spread = {j: round(sum(D[j, i] ** 2 for i in group), 9) for j in group}
        picks.append(min(group, key=lambda j: (spread[j], priority[j])))
    assert rows_asked(X, ["ordinary"] * len(X), "linkage", len(X), seed=seed) == picks


@given(grids(), st.integers(2, 12))
def test_any_number_of_representatives_asks_every_record_once(X, size):
    strategy = Linkage("average", representatives=size)
    rows = rows_asked(X, ["ordinary"] * len(X), strategy, len(X))
    assert sorted(rows) == list(range(len(X)))


@given(clouds(low=8, copies=False), st.integers(2, 7))
def test_a_cover_is_chosen_farthest_first_and_knows_who_stands_for_whom(X, size):
    D = cdist(X, X)
    chosen = cover(problem(X).space.engine, size, start=3)
    expected = [3]
    while len(expected) < size:
        expected.append(int(np.argmax(D[expected].min(axis=0))))
    assert chosen.points.tolist() == expected
    np.testing.assert_allclose(chosen.between, D[np.ix_(expected, expected)])
    np.testing.assert_allclose(chosen.away, D[expected].min(axis=0))
    assert chosen.owner.tolist() == np.argmin(D[expected], axis=0).tolist()


def test_the_reason_names_the_group():
    X = np.array([[0.0], [1.0], [2.0], [9.0], [9.1]])
    hunt = Hunt(X, "linkage", scale="none")
    question = hunt.ask()
    assert "group" in question.why or "stands alone" in question.why
    assert question.evidence["distance_to_next"] > question.evidence["distance_inside"]
    few = Hunt(X, Linkage(representatives=2), scale="none")
    for row in [question.row for question in few.ask(2)]:
        few.tell(row, "x")
    assert "A record from every group has been looked at" in few.ask().why


def test_ecoli_and_glass_need_what_was_measured_before():
    for name, most in [("ecoli", 12), ("glass", 22)]:
        X, labels = published(name)
        assert simulate(X, labels, "linkage", [0]).labels_needed(background=True)[0] <= most


@pytest.mark.parametrize("arguments", [{"method": "single"}, {"representatives": 1}])
def test_wrong_parameters_are_refused(arguments):
    with pytest.raises(ParameterError, match="of Linkage must be"):
        Hunt([[0.0], [1.0]], Linkage(**arguments))
