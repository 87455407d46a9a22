"""What a question claims about chance: nothing on noise, something where classes hide."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.discovery import Hunt
from rarefind.discovery.auto.evidence import TELLS, apart, evidence, in_words

NOISE = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "uniform": lambda rng, shape: rng.uniform(size=shape),
    "heavy tails": lambda rng, shape: rng.standard_t(3, size=shape),
    "skewed": lambda rng, shape: rng.lognormal(size=shape),
}


def claims(X, questions=40):
    """What the questions of a hunt in which all is ordinary say about chance."""
    hunt = Hunt(X)
    for _ in range(questions):
        question = hunt.ask()
        yield question.why, question.evidence.get("evidence")
        hunt.tell(question.row, "ordinary")


@pytest.mark.parametrize("kind", NOISE)
def test_on_noise_no_question_claims_anything(kind):
    for draw in range(5):
        rng = np.random.default_rng(draw)
        X = NOISE[kind](rng, (800, (2, 3, 5, 8, 12)[draw]))
        for why, worth in claims(X):
            assert "chance does that" not in why
            assert worth is None or worth < TELLS


@pytest.mark.parametrize("seed", range(3))
def test_where_classes_hide_the_claim_stays(seed):
    rng = np.random.default_rng(seed)
    knots = [centre + 0.05 * rng.normal(size=(20, 4)) for centre in ([1, 1, 0, 0], [-1, 0, 1, 0])]
    X = np.vstack([rng.normal(size=(2500, 4)), *knots])
    hidden = {row >= 2520 for row, why in _asked(X) if "chance does that once in" in why}
    assert hidden == {False, True}  # one claim or more about each of the two classes


def _asked(X, questions=25):
    hunt = Hunt(X)
    for _ in range(questions):
        question = hunt.ask()
        yield question.row, question.why
        label = "ordinary" if question.row < 2500 else f"class {(question.row - 2500) // 20}"
        hunt.tell(question.row, label)


def test_the_more_places_were_looked_at_the_less_a_knot_says():
    rng = np.random.default_rng(0)
    surprise = np.append(rng.exponential(size=500), 30.0)
    above = apart(surprise, 3.0)
    few, many = (evidence(above, surprise, 501, places) for places in (1e3, 1e13))
    assert few[-1] > TELLS > many[-1]
    assert (few[:-1] < TELLS).all()
    assert "once in" in in_words(float(few[-1]))
    assert in_words(float(many[-1])) == ""
    # Where all candidates are that surprising, none is; a handful cannot be judged.
    steep = 8.0 * surprise[:-1]
    assert (evidence(apart(steep, 3.0), steep, 500, 1e3) < TELLS).all()
    assert apart(surprise, 12.0)[-1] < above[-1]
    assert not apart(surprise[-10:], 3.0).any()
