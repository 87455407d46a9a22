"""The same error names arguments in Python, options on the command line, fields over HTTP."""

from __future__ import annotations

import pickle

import pytest

from rarefind.cli.terminal.option_names import option_name
from rarefind.core.errors import MissingPackageError, Remedy, StateError, StorageError
from rarefind.web.routes.json_answers import field_name

LEAVE_OUT = Remedy("Leave it out with {leave_out}.", leave_out="a{b}")
GO_ON = Remedy("Go on without {cluster}.")


@pytest.mark.parametrize("kind", [StateError, StorageError])
def test_each_door_words_a_remedy_with_its_own_names(kind):
    problem = kind("This cannot be compared.").advising(LEAVE_OUT, GO_ON)
    assert str(problem) == (
        "This cannot be compared. Leave it out with leave_out='a{b}'. Go on without cluster=."
    )
    assert problem.worded(option_name) == (
        "This cannot be compared. Leave it out with --leave-out a{b}. Go on without --cluster."
    )
    # Over HTTP there is no cluster to be left out, so that is not said.
    assert problem.worded(field_name) == "This cannot be compared. Leave it out with 'leave_out'."


def test_an_error_without_remedies_is_said_as_it_is():
    for problem in (StateError("No."), MissingPackageError("This", "that", "more")):
        assert str(problem) == problem.worded(option_name) == problem.args[0]


def test_remedies_travel_to_other_processes_with_their_error():
    problem = pickle.loads(pickle.dumps(StateError("No.").advising(GO_ON)))
    assert problem.worded(option_name) == "No. Go on without --cluster."
