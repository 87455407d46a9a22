"""Models written with their parameters, ``perceptron(eta0=0.5)``: read, never run as code."""

from __future__ import annotations

from typing import Any

from rarefind.kernels.formulas.token_reader import TokenReader

_WORDS = {"true": True, "false": False, "none": None}
"""Words of a formula that are values and no names."""


def parse_model(text: str) -> tuple[str, dict[str, Any]]:
    """Read the name of a model and its parameters; errors name the place.

    >>> parse_model("perceptron(eta0=0.5, w0=[1, -2])")
    ('perceptron', {'eta0': 0.5, 'w0': [1, -2]})
    >>> parse_model("svm(C)")
    Traceback (most recent call last):
    rarefind.core.errors.ParameterError: The model 'svm(C)' cannot be read: at character 6: \
expected '=' and a value after C.
    """
    return _Parser(text).model() if "(" in text else (text, {})


def split_models(text: str) -> list[str]:
    """Split a list at the commas that stand between models.

    >>> split_models("svm(C=1, gamma=2), lda")
    ['svm(C=1, gamma=2)', 'lda']
    """
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


class _Parser(TokenReader):
    what = "model"

    def model(self) -> tuple[str, dict[str, Any]]:
        """Read the whole text."""
        if self.now.kind != "name":
            raise self.error(self.now, "expected the name of a model, as in svm(C=1)")
        name = self.next().text
        self.expects("(", f"after {name}")
        given: dict[str, Any] = {}
        while self.takes(")") is None:
            if self.now.kind != "name":
                raise self.error(self.now, "expected a parameter by name, as in C=1")
            key = self.next()
            self.expects("=", f"and a value after {key.text}")
            if key.text in given:
                raise self.error(key, f"{key.text} is given twice")
            given[key.text] = self._value(key.text)
            if not self.takes(","):
                self.expects(")", "to close the parameters")
                break
        if self.now.kind != "end":
            raise self.error(self.now, f"did not expect {self.now.shown()}")
        return name, given

    def _value(self, key: str) -> Any:
        token = self.now
        if self.takes("["):
            return self.deeper(lambda: self.list_until("]"))
        if self.takes("-"):
            return -self.plain_number(f"after - in {key}")
        if token.kind not in ("number", "text", "name"):
            raise self.error(token, f"expected a number or a word after {key}=")
        value = self.next().value
        return _WORDS.get(value.lower(), value) if token.kind == "name" else value
