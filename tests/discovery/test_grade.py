from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist

from rarefind.core.errors import DataError, ParameterError, TooLargeError
from rarefind.discovery import Grade, GradeLI, Hunt
from rarefind.discovery.strategies.jumps.graph_nearness import GraphEngine, sparse_walks, walks
from rarefind.evaluation.simulation import simulate
from tests.discovery.problems import clouds, grids, priority_of, published, rows_asked, true_priors


def row_nearness(links, decay):
    W = links.copy()
    np.fill_diagonal(W, 0.0)
    degrees = np.sqrt(W.sum(axis=1))
    return np.linalg.inv(np.eye(len(W)) - decay * W / np.outer(degrees, degrees))


def gaussian_links(X, size):
    D = cdist(X, X)
    sigma = np.sort(D, axis=1)[:, size].min()
    return np.exp(-(D**2) / (2 * sigma**2))


def naive(A, labels, sizes, priority, budget):
    """GRADE as printed, for classes named by their sizes' keys; the largest bound for ordinary."""
    n = len(A)
    names = sorted(sizes, key=sizes.get)
    level = {c: max(np.sort(row)[::-1][sizes[c] - 1] for row in A) / (1 + 1e-9) for c in names}
    count = {c: (level[c] <= A).sum(axis=1) for c in names}
    middle = 1 / np.median([1 / level[c] for c in names])
    slot, t, picks, found = 0, 2, [], set()
    end = 1 / A[A > 0].min()
    while len(picks) < min(budget, n):
        c = names[slot]
        score = [count[c][i] - count[c][A[i] >= level[c] / t].min() for i in range(n)]
        free = [j for j in range(n) if j not in picks]

        def shadowed(j, ordinary_too):
            for q in picks:
                if labels[q] == "ordinary":
                    if ordinary_too and A[q, j] >= min(level.values()):
                        return True
                elif A[q, j] >= level.get(labels[q], middle):
                    return True
            return False

        lit = [j for j in free if not shadowed(j, True)]
        lit = lit or [j for j in free if not shadowed(j, False)] or free
        picks.append(min(lit, key=lambda j: (-score[j], priority[j])))
        label = labels[picks[-1]]
        new = label == c and c not in found
        found |= {label} - {"ordinary"}
        t += 1
        if new or t / level[c] * (1 - 1e-9) > end or t > n:
            ahead = [(slot + step) % len(names) for step in range(1, len(names) + 1)]
            slot = next((s for s in ahead if names[s] not in found), slot)
            t = 2
    return picks


@settings(max_examples=40)
@given(clouds(low=8, copies=False), st.integers(0, 3), st.data())
def test_picks_equal_the_printed_algorithm_step_by_step(X, seed, data):
    n = len(X)
    kinds = st.sampled_from(["ordinary", "a", "b", "unforeseen"])
    labels = data.draw(st.lists(kinds, min_size=n, max_size=n))
    sizes = {"a": 2, "b": data.draw(st.integers(3, n // 2))}
    A = row_nearness(gaussian_links(X, sizes["b"]), 0.6)
    expected = naive(A, labels, sizes, priority_of(n, seed), 9)
    priors = {name: size / n for name, size in sizes.items()}
    assert rows_asked(X, labels, "grade", 9, priors=priors, seed=seed) == expected


@given(clouds(copies=False), st.data())
def test_copies_are_walked_through_as_the_rows_they_are(X, data):
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(X), max_size=len(X))))
    links = np.exp(-0.5 * cdist(X, X) ** 2)
    rows = np.repeat(np.arange(len(X)), times)
    expected = row_nearness(links[np.ix_(rows, rows)], 0.7)
    member = (rows[:, None] == np.arange(len(X))) / times
    for found in (
        walks(links, times, 0.7),
        sparse_walks(sparse.csr_array(links), times, 0.7, 1e-13, 1e9).toarray(),
    ):
        # Thirty steps at 0.7 leave less than 1e-4 unsaid.
        np.testing.assert_allclose(found, member.T @ expected @ member, atol=1e-4)


@given(grids(), st.integers(1, 9), st.floats(0.3, 3))
def test_sparse_and_dense_answer_the_same(X, k, radius):
    n = len(X)
    weights = np.random.default_rng(n).integers(1, 4, size=n)
    links = np.exp(-cdist(X, X))
    links[links < 0.1] = 0.0
    nearness = walks(links, weights, 0.5)
    nearness[nearness < 1e-3] = 0.0
    dense, thin = GraphEngine(nearness, weights), GraphEngine(sparse.csr_array(nearness), weights)
    assert dense.least_kth_distance(k) == pytest.approx(thin.least_kth_distance(k))
    assert dense.counts(radius).tolist() == thin.counts(radius).tolist()
    some = np.array([0, n - 1])
    assert dense.counts(radius, some).tolist() == thin.counts(radius, some).tolist()
    np.testing.assert_array_equal(dense.distances(1), thin.distances(1))
    np.testing.assert_array_equal(dense.nearest(3)[0], thin.nearest(3)[0])
    assert dense.diameter_bound() == thin.diameter_bound()


@given(grids(), st.sampled_from([0, 100]), st.sampled_from(["all", "less"]))
def test_ties_and_copies_ask_every_record_once(X, exact, which):
    kind = Grade if which == "all" else GradeLI
    rows = rows_asked(X, ["ordinary"] * len(X), kind(exact_up_to=exact), len(X), priors=[0.2])
    assert sorted(rows) == list(range(len(X)))


def test_a_graph_may_be_given_dense_or_sparse():
    X = np.random.default_rng(0).normal(size=(40, 2))
    links = gaussian_links(X, 4)
    plain = Hunt(X, "grade", priors=[0.1], scale="none")
    dense = Hunt(X, Grade(graph=links), priors=[0.1])
    thin = Hunt(X, Grade(graph=sparse.csr_array(links), cutoff=1e-12), priors=[0.1])
    for _ in range(6):
        row = plain.ask().row
        for hunt in (plain, dense, thin):
            assert hunt.ask().row == row
            hunt.tell(row, "ordinary")


def test_links_of_every_pair_and_of_the_nearest_agree_where_all_are_near():
    X = np.random.default_rng(3).normal(size=(40, 2))
    whole = Hunt(X, "grade", priors=[0.1])
    thin = Hunt(X, Grade(exact_up_to=0, n_neighbors=39, cutoff=1e-12), priors=[0.1])
    assert whole.ask().row == thin.ask().row


def test_the_reason_names_the_jump_along_the_graph():
    X = [[float(i)] for i in range(20)] + [[7.0 + i / 100] for i in range(1, 6)]
    question = Hunt(X, "grade", priors=[0.2]).ask()
    assert "records are near it along the graph of neighbours" in question.why
    assert question.evidence["records_near"] >= question.evidence["fewest_nearby"]
    assert question.evidence["expected_size"] == 5


def test_ecoli_and_glass_need_what_is_published():
    X, labels = published("ecoli")
    priors = true_priors(labels)
    assert simulate(X, labels, "grade", [0, 1], priors=priors).labels_needed() <= (6, 6)
    less = simulate(X, labels, "grade-li", [0], priors=priors)
    assert 32 <= less.labels_needed(background=True)[0] <= 40
    X, labels = published("glass")
    less = simulate(X, labels, "grade-li", range(5), priors=true_priors(labels))
    assert np.median(less.labels_needed(background=True)) <= 16


def test_records_that_hardly_any_walk_reaches_are_asked_too():
    X = np.r_[np.arange(20) / 100, [38.0, 39.0, 500.0]].reshape(-1, 1)
    rows = rows_asked(X, ["ordinary"] * len(X), "grade", len(X), priors=[0.2])
    assert sorted(rows) == list(range(len(X)))


def test_a_bound_stands_in_for_priors():
    X = np.random.default_rng(0).normal(size=(30, 2))
    bound = Hunt(X, GradeLI(largest=0.2)).ask()
    assert bound == Hunt(X, "grade-li", priors=[0.2, 0.1]).ask()
    with pytest.raises(ParameterError, match="'grade-li' needs 'priors'"):
        Hunt(X, "grade-li")
    with pytest.raises(ParameterError, match="'grade' needs 'priors'"):
        Hunt(X, "grade")


def test_a_graph_that_does_not_fit_is_refused_in_words():
    X = np.random.default_rng(0).normal(size=(200, 2))
    words = r"The graph of 200 different records needs more than the .* GiB"
    for exact in (0, 1000):
        with pytest.raises(TooLargeError, match=words):
            Hunt(X, Grade(exact_up_to=exact, gigabytes=1e-5), priors=[0.1])


@pytest.mark.parametrize(
    ("graph", "words"),
    [
        (np.ones((2, 2)), "one row and one column for each of the 3 records. Got 2 by 2"),
        (-np.ones((3, 3)), "none negative"),
        (np.full((3, 3), np.nan), "finite numbers"),
        (np.triu(np.ones((3, 3))), "must be symmetric"),
    ],
)
def test_a_wrong_graph_is_refused_in_words(graph, words):
    with pytest.raises(DataError, match=words):
        Hunt([[0.0], [1.0], [2.0]], Grade(graph=graph), priors=[0.4])


@pytest.mark.parametrize(
    "arguments", [{"decay": 1.0}, {"graph": [1]}, {"cutoff": 0}, {"gigabytes": 0}]
)
def test_wrong_parameters_are_refused(arguments):
    with pytest.raises(ParameterError, match="of Grade must be"):
        Hunt([[0.0], [1.0]], Grade(**arguments), priors=[0.5])
