from __future__ import annotations

import pytest

from rarefind.core.errors import ParameterError
from rarefind.core.params import BOOLEAN, NOTHING, Integer, Number, OneOf, check_param


@pytest.mark.parametrize(
    ("constraint", "good", "bad"),
    [
        (Number(0, 1), [0, 1, 0.5], [-0.1, 2, float("nan"), True, "1", None]),
        (Number(0, closed="neither"), [1e-9, 7], [0, -1, float("inf")]),
        (Number(0, 1, closed="right"), [1], [0]),
        (Integer(1), [1, 10], [0, 1.0, True]),
        (OneOf("auto", 1), ["auto", 1], ["Auto", True, 1.0]),
        (BOOLEAN, [True, False], [1, None]),
        (NOTHING, [None], [0]),
    ],
)
def test_constraints_allow_what_they_say(constraint, good, bad):
    for value in good:
        check_param("Thing", "size", value, constraint)
    for value in bad:
        with pytest.raises(ParameterError, match=r"The 'size' parameter of Thing must be .* Got"):
            check_param("Thing", "size", value, constraint)


def test_the_sentence_names_all_that_is_allowed():
    with pytest.raises(ParameterError) as problem:
        check_param("Thing", "size", -1, Number(0, 1, closed="left"), OneOf("a", "b", "c"))
    assert str(problem.value) == (
        "The 'size' parameter of Thing must be a number in [0, 1) or 'a', 'b' or 'c'. "
        "Got -1 instead."
    )
    assert isinstance(problem.value, ValueError)
    assert isinstance(problem.value, TypeError)
