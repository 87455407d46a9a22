"""What kernels of hidden Markov models share: their tables, given or learnt from strings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rarefind.core.arrays import Records
from rarefind.core.errors import ParameterError
from rarefind.core.params import BOOLEAN, NOTHING, Constraint, Integer
from rarefind.kernels.generative.baum_welch import learn_hmm
from rarefind.kernels.generative.joint import ALPHABET, TABLE, JointProbability

CHAIN: Mapping[str, Sequence[Constraint]] = {
    "initial": [TABLE, NOTHING],
    "transition": [TABLE, NOTHING],
    "emission": [TABLE, NOTHING],
    "states": [Integer(1, 1000), NOTHING],
    "alphabet": [ALPHABET, NOTHING],
    "normalized": [BOOLEAN],
    "random_state": [Integer(0)],
}
"""The parameters that such kernels have in common."""


class HiddenChain(JointProbability):
    """A kernel of a hidden Markov model whose tables are given, or learnt with ``states``."""

    initial: Any
    transition: Any
    emission: Any
    states: int | None
    alphabet: Sequence[Any] | None
    random_state: int
    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = CHAIN

    def _check(self) -> None:
        super()._check()
        given = [self.initial is not None, self.transition is not None, self.emission is not None]
        name = type(self).__name__
        if self.states is None and not all(given):
            raise ParameterError(
                f"{name} needs 'states', how many hidden states to learn from the strings, or the "
                "tables 'initial', 'transition' and 'emission'."
            )
        if self.states is not None and any(given):
            raise ParameterError(
                f"{name} takes either 'states', to learn its tables, or the tables. Got both."
            )

    def _symbols(self) -> Any:
        return getattr(self, "alphabet_", self.alphabet)

    def _learning(self) -> bool:
        return self.states is not None

    def _unlearnt(self) -> bool:
        return self._learning() and not self._has_learnt()

    def _learn(self, A: Records) -> None:
        if self.states is None:
            return
        self._refuse_none(A)
        model = learn_hmm(A, self.states, alphabet=self.alphabet, random_state=self.random_state)
        self.initial_, self.transition_ = model.initial, model.transition
        self.emission_, self.alphabet_ = model.emission, model.alphabet
