from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom

from rarefind.discovery import Hunt, discover
from rarefind.discovery.auto.credit import KNOT, REACH, SECOND_LOOK
from rarefind.discovery.auto.knots import NEIGHBOURS, VOLUME, find_knots, intrinsic_dimension
from rarefind.geometry import BlockEngine, Euclidean, Precomputed, TreeEngine, fold
from rarefind.kernels import Linear, Normalized, Spectrum

KNOTS = (KNOT, SECOND_LOOK)


def found(engine, seed=0):
    order = np.random.default_rng(seed).permutation(engine.n)
    return find_knots(engine, engine.nearest(min(NEIGHBOURS, engine.n - 1)), order)


def disc(rng, n, radius, centre):
    angle, away = rng.uniform(0, 2 * np.pi, n), radius * np.sqrt(rng.uniform(size=n))
    return np.asarray(centre) + np.column_stack([away * np.cos(angle), away * np.sin(angle)])


def outlying_and_buried(seed):
    """A crowd in four dimensions, one small class inside it, one far outside."""
    rng = np.random.default_rng(seed)
    inside = 0.8 + 0.05 * rng.normal(size=(15, 4))
    outside = 7.0 + 0.5 * rng.normal(size=(4, 4))
    X = np.vstack([rng.normal(size=(800, 4)), inside, outside])
    labels = ["ordinary"] * 800 + ["inside"] * 15 + ["outside"] * 4
    order = rng.permutation(len(X))
    return X[order], [labels[row] for row in order]


def four_knots(seed):
    """A crowd in three dimensions with four small classes inside it."""
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=(800, 3))]
    for corner in ([1, 1, 0], [-1, 0, 1], [0, -1, -1], [0.2, 0.3, 0.6]):
        parts.append(corner + 0.05 * rng.normal(size=(15, 3)))
    return np.vstack(parts), ["ordinary"] * 800 + [f"knot {n // 15}" for n in range(60)]


def labels_of(hunt, name):
    return list(hunt.labels.values()).count(name)


def test_reach_asks_what_slow_measuring_of_labels_room_and_familiar_classes_finds():
    rng = np.random.default_rng(3)
    X = np.vstack([rng.normal(size=(60, 3)), 4 + rng.normal(size=(6, 3)), [[-7.0, 0, 0]]])
    D = np.linalg.norm(X[:, None] - X, axis=2)
    labels = ["common"] * 60 + ["other"] * 6 + ["far"]
    second, eighth = np.sort(D, axis=1)[:, [2, 8]].T
    room = np.exp(0.35 * (_floored(second) + _floored(eighth)) / 2)
    hunt = Hunt(Precomputed(D), "auto", random_state=0)
    checked = 0
    for _ in range(25):
        question = hunt.ask()
        told = list(hunt.labels)
        if told and question.asked_by.member == REACH:
            nearest = np.argmin(D[:, told], axis=1)
            _, *others = Counter(hunt.labels.values()).most_common()
            most = others[0][1] if others else 1
            often = np.minimum([labels_of(hunt, labels[row]) for row in told], most)
            scores = room * D[:, told].min(axis=1) / often[nearest] ** 0.45
            scores[told] = -np.inf
            assert question.row == np.argmax(scores)
            checked += len(set(often)) > 1
        hunt.tell(question.row, labels[question.row])
    assert checked >= 3


def _floored(distances):
    return np.log(np.maximum(distances, np.quantile(distances, 0.02)))


class TestKnots:
    def test_surprise_and_contrast_are_what_counting_by_hand_gives(self):
        rng = np.random.default_rng(0)
        X = np.vstack([rng.normal(size=(300, 2)), disc(rng, 20, 0.1, (1.0, 0.0))])
        engine = TreeEngine(X)
        knots = found(engine)
        dimension = intrinsic_dimension(engine.nearest(NEIGHBOURS)[0][:, :20])
        checked = 0
        for number in np.argsort(-knots.surprise)[:5]:
            away = np.linalg.norm(X - X[knots.point[number]], axis=1)
            radius = knots.radius[number]
            inside = int((away <= radius * (1 + 1e-9)).sum())
            assert knots.size[number] == inside
            for d in (dimension, _dimension_of_level(engine, knots, number)):
                whole = int((away <= radius * VOLUME ** (1 / d) * (1 + 1e-9)).sum())
                chance = sum(binom.pmf(k, whole - 1, 1 / VOLUME) for k in range(inside - 1, whole))
                if knots.surprise[number] == pytest.approx(-np.log(chance), rel=1e-6):
                    checked += 1
                    break
        assert checked >= 1

    def test_the_most_surprising_knot_is_the_buried_class(self):
        for seed in range(5):
            X, labels = outlying_and_buried(seed)
            knots = found(TreeEngine(X), seed)
            best = int(np.argmax(knots.surprise))
            near = np.linalg.norm(X - X[knots.point[best]], axis=1) <= knots.radius[best]
            held = [labels[row] for row in np.flatnonzero(near)]
            assert held.count("inside") > held.count("ordinary")

    def test_large_classes_are_found_among_fewer_records(self):
        rng = np.random.default_rng(1)
        X = np.vstack([rng.normal(size=(3000, 2)), disc(rng, 250, 0.25, (0.0, 1.2))])
        knots = found(TreeEngine(X))
        best = int(np.argmax(knots.surprise))
        assert knots.point[best] >= 3000 or np.linalg.norm(X[knots.point[best]] - [0, 1.2]) < 0.4
        assert knots.size[best] > 100
        assert knots.contrast[best] > 2

    def test_every_engine_finds_the_same_and_copies_count_as_records(self):
        rng = np.random.default_rng(2)
        X = np.vstack([rng.normal(size=(200, 3)), np.repeat(rng.normal(size=(2, 3)), 12, axis=0)])
        folded = fold(X)
        tree = found(TreeEngine(folded.records, folded.weights))
        block = found(BlockEngine(Euclidean(), folded.records, folded.weights))
        np.testing.assert_array_equal(tree.point, block.point)
        np.testing.assert_array_equal(tree.size, block.size)
        np.testing.assert_allclose(tree.surprise, block.surprise, rtol=1e-9)
        best = int(np.argmax(tree.surprise))
        centre = folded.records[tree.point[best]]
        piles = folded.records[folded.weights == 12]
        assert np.linalg.norm(piles - centre, axis=1).min() <= tree.radius[best]
        assert tree.size[best] >= 12

    def test_large_piles_of_copies_are_no_problem(self):
        rng = np.random.default_rng(5)
        X = np.vstack([rng.normal(size=(300, 2)), np.zeros((3000, 2)), np.ones((2000, 2))])
        folded = fold(X)
        assert np.isfinite(found(TreeEngine(folded.records, folded.weights)).surprise).all()
        hunt = discover(X, lambda row: "pile" if row >= 300 else "other", budget=20)
        assert len(hunt.labels) == 20

    @pytest.mark.parametrize("n", [2, 3, 8, 40])
    def test_few_records_are_no_problem(self, n):
        knots = found(TreeEngine(np.random.default_rng(n).normal(size=(n, 2))))
        assert np.isfinite(knots.surprise).all()

    def test_the_dimension_of_a_cube_is_about_its_own(self):
        for d in (1, 2, 4):
            X = np.random.default_rng(d).uniform(size=(2000, d))
            near = TreeEngine(X).nearest(20)[0]
            assert intrinsic_dimension(near) == pytest.approx(d, rel=0.2)


def _dimension_of_level(engine, knots, number):
    half = np.random.default_rng(0).permutation(engine.n)[: engine.n // 2]
    return intrinsic_dimension(engine.subset(np.sort(half)).nearest(NEIGHBOURS)[0][:, :20])


class TestAuto:
    def test_classes_outside_and_inside_the_crowd_are_both_found_with_few_labels(self):
        needed = []
        for seed in range(5):
            X, labels = outlying_and_buried(seed)
            hunt = discover(X, labels.__getitem__, budget=200, classes=2, background="ordinary")
            assert set(hunt.found) == {"inside", "outside"}
            needed.append(len(hunt.labels))
        assert np.median(needed) <= 12  # random sampling needs 176 on average

    def test_an_ordinary_record_in_a_knot_does_not_silence_it(self):
        # Half the records in the knot are ordinary: asking once is not enough.
        rng = np.random.default_rng(3)
        spot = (1.0, 0.0)
        X = np.vstack(
            [rng.normal(size=(1000, 2)), disc(rng, 8, 0.06, spot), disc(rng, 8, 0.06, spot)]
        )
        labels = ["ordinary"] * 1008 + ["rare"] * 8
        hunt = Hunt(X, background="ordinary")
        hunt.tell(1000, "ordinary")
        while not hunt.found and len(hunt.labels) < 60:
            row = hunt.ask().row
            hunt.tell(row, labels[row])
        assert hunt.found

    def test_a_class_found_is_not_asked_for_again(self):
        X, labels = outlying_and_buried(0)
        hunt = discover(X, labels.__getitem__, budget=60, background="ordinary")
        told = list(hunt.labels.values())
        assert told.count("inside") <= 3

    @pytest.mark.parametrize("wrong", ["knot 0", "ordinary"])
    def test_a_wrong_answer_inside_a_knot_does_not_hide_its_class(self, wrong):
        for seed in range(4):
            X, labels = four_knots(seed)
            hunt, first = Hunt(X, background="ordinary"), True
            while labels_of(hunt, "knot 3") == 0 and len(hunt.labels) < 120:
                row = hunt.ask().row
                errs = first and labels[row] == "knot 3"
                first &= not errs
                hunt.tell(row, wrong if errs else labels[row])
            assert len(hunt.labels) <= 50

    def test_two_wrong_names_in_a_row_do_not_hide_a_class_either(self):
        X, labels = four_knots(0)
        hunt, wrong = Hunt(X, background="ordinary"), ["knot 0", "knot 1"]
        while labels_of(hunt, "knot 3") == 0 and len(hunt.labels) < 120:
            row = hunt.ask().row
            hunt.tell(row, wrong.pop() if wrong and labels[row] == "knot 3" else labels[row])
        assert not wrong
        assert len(hunt.labels) <= 60

    def test_with_right_answers_every_knot_is_looked_into_at_most_twice(self):
        X, labels = four_knots(1)
        hunt, reasons = Hunt(X, background="ordinary"), []
        for _ in range(80):
            question = hunt.ask()
            reasons.append(question.why)
            hunt.tell(question.row, labels[question.row])
        again = [turn for turn, why in enumerate(reasons) if "a second look tells" in why]
        assert len(again) <= 4
        assert min(again) > 15  # what is new comes first
        looked = [each.label for each in hunt.events if each.asked_by.member in KNOTS]
        assert all(looked.count(f"knot {number}") <= 2 for number in range(4))

    def test_scaling_and_giants_do_not_matter(self):
        X, labels = outlying_and_buried(1)
        plain = discover(X, labels.__getitem__, budget=15, background="ordinary")
        stretched = discover(
            X * [1.0, 1e3, 1e-3, 7.0] + 5.0, labels.__getitem__, budget=15, background="ordinary"
        )
        assert list(plain.labels) == list(stretched.labels)

    def test_reasons_are_told_in_words(self):
        X, labels = outlying_and_buried(2)
        hunt = Hunt(X, background="ordinary")
        first = hunt.ask()
        assert "lies apart" in first.why
        reasons = []
        for _ in range(12):
            question = hunt.ask()
            reasons.append(question.why)
            hunt.tell(question.row, labels[question.row])
        assert any("times as dense as those around" in why for why in reasons)
        assert any("unlike anything labelled" in why for why in reasons)

    def test_several_people_are_sent_to_different_places(self):
        X, _ = outlying_and_buried(4)
        rows = [question.row for question in Hunt(X).ask(6)]
        away = np.linalg.norm(X[rows][:, None] - X[rows][None], axis=2)[np.triu_indices(6, 1)]
        assert away.min() > 0.3

    def test_strings_are_hunted_in_through_a_kernel(self):
        rng = np.random.default_rng(0)
        words = ["".join(rng.choice(list("abcd"), 8)) for _ in range(150)]
        odd = ["xyzzyxyz", "zyxxyzzy", "yxzzyxzy"]
        labels = ["ordinary"] * 150 + ["odd"] * 3
        hunt = discover(
            words + odd,
            labels.__getitem__,
            budget=20,
            kernel=Normalized(Spectrum(2)),
            classes=1,
            background="ordinary",
        )
        assert hunt.found

    def test_the_linear_kernel_asks_what_its_distances_ask(self):
        X, labels = outlying_and_buried(0)
        vectors = Hunt(X).space.vectors
        between = np.linalg.norm(vectors[:, None] - vectors, axis=2)
        through = discover(vectors, labels.__getitem__, budget=10, kernel=Linear())
        given = discover(Precomputed(between), labels.__getitem__, budget=10)
        assert list(through.labels) == list(given.labels)

    def test_knots_that_show_nothing_new_end_the_belief_in_them(self):
        rng = np.random.default_rng(4)
        knots = np.vstack([disc(rng, 12, 0.03, centre) for centre in rng.normal(size=(20, 2))])
        X = np.vstack([rng.normal(size=(1000, 2)), knots])
        hunt = discover(X, lambda row: "ordinary", budget=60)
        asked = Counter(event.asked_by.member for event in hunt.events)
        assert 2 <= asked["knot"] <= 12
        assert asked["reach"] > asked["crowd"] > 2  # whose turn it is then
