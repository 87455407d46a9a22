from __future__ import annotations

import pytest

from rarefind.core.errors import ParameterError
from rarefind.detection.formula import parse_model, split_models
from rarefind.hunting.models_by_name import make_detector


def test_a_model_is_read_with_its_parameters():
    assert parse_model("lda") == ("lda", {})
    read = parse_model("x(a=-1.5, b='two words', c=auto, d=[1, [2, -3]], e=true, f=None,)")
    values = {"a": -1.5, "b": "two words", "c": "auto", "d": [1, [2, -3]], "e": True, "f": None}
    assert read == ("x", values)
    assert make_detector("perceptron(eta0=0.5, w0=[1, 2])", None).estimator[-1].eta0 == 0.5
    assert split_models("a(b=[1,2], c=3),, d ") == ["a(b=[1,2], c=3)", "d"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("svm(1)", "at character 5: expected a parameter by name"),
        ("svm(C=1", r"expected '\)' to close the parameters"),
        ("svm(C=)", "expected a number or a word after C="),
        ("svm(C=1) + lda", r"did not expect '\+'"),
        ("svm(C=1, C=2)", "C is given twice"),
        ("(C=1)", "expected the name of a model"),
        ("svm(gama=1)", r"SVC does not take these parameters: 'gama'"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text, words):
    with pytest.raises(ParameterError, match=words):
        make_detector(text, None)
