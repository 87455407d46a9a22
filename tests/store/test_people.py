"""People are let in once with each invitation, in every store, and shut out for good."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from rarefind.core.errors import ParameterError, RarefindError, StateError, UnknownNameError
from rarefind.store import open_store
from rarefind.store.people.invitations import (
    INVITATION_SECONDS,
    admit,
    digest_of,
    give_role,
    invite,
    revoke,
)
from rarefind.testing.stores.examples import with_hunt


def test_an_invitation_lets_one_in_once_and_only_its_digest_is_kept(store, engine, tmp_path):
    invited = store.change_person(invite(" Anna ", "labels", "secret", 5.0))
    assert (invited.name, invited.role, invited.joined_at) == ("Anna", "labels", None)
    assert invited.invitation == digest_of("secret") != "secret"
    anna = store.change_person(admit("secret", 6.0))
    assert (anna.id, anna.joined_at, anna.invitation) == (invited.id, 6.0, None)
    for secret in ("secret", "Secret", "", digest_of("secret")):
        with pytest.raises(StateError, match="has been used, has expired or was taken back"):
            store.change_person(admit(secret, 7.0))
    assert store.people() == [anna]
    store.backup(tmp_path / "copy.db")
    with open_store(tmp_path / "copy.db") as copy:
        assert copy.people() == [anna]
        assert copy.check().ok


def test_of_many_who_come_with_one_invitation_one_is_let_in(store):
    store.change_person(invite("anna", "labels", "secret", 5.0))

    def come(_):
        try:
            return store.change_person(admit("secret", 6.0)).name
        except StateError:
            return None

    with ThreadPoolExecutor(8) as threads:
        assert sorted(filter(None, threads.map(come, range(16)))) == ["anna"]


def test_who_is_shut_out_needs_a_new_invitation(store):
    store.change_person(invite("anna", "leads", "one", 5.0))
    store.change_person(admit("one", 6.0))
    store.change_person(invite("anna", "leads", "two", 7.0))
    out = store.change_person(revoke("anna", 8.0))
    assert (out.revoked_at, out.generation) == (8.0, 1)
    with pytest.raises(StateError):
        store.change_person(admit("two", 9.0))
    with pytest.raises(StateError, match="shut out already"):
        store.change_person(revoke("anna", 9.0))
    store.change_person(invite("anna", "labels", "three", 10.0))
    back = store.change_person(admit("three", 11.0))
    assert (back.id, back.role, back.generation, back.revoked_at) == (out.id, "labels", 1, None)


def test_an_invitation_expires_and_roles_change(store):
    store.change_person(invite("anna", "labels", "secret", 5.0))
    with pytest.raises(StateError):
        store.change_person(admit("secret", 5.0 + INVITATION_SECONDS))
    assert store.change_person(give_role("anna", "leads")).role == "leads"


@pytest.mark.parametrize(
    ("rule", "error", "words"),
    [
        (lambda: invite("bob", "boss", "s", 0.0), ParameterError, "one of labels, leads"),
        (lambda: invite("  ", "labels", "s", 0.0), ParameterError, "The name of a person"),
        (lambda: invite("a\nb", "labels", "s", 0.0), ParameterError, "can be printed"),
        (lambda: invite("x" * 81, "labels", "s", 0.0), ParameterError, "1 to 80"),
        (lambda: invite("ANNA", "labels", "s", 0.0), StateError, "called 'anna'"),
        (lambda: give_role("ana", "leads"), UnknownNameError, "anna"),
        (lambda: revoke("zoe", 0.0), UnknownNameError, "zoe"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(store, rule, error, words):
    with_hunt(store)
    before = store.change_person(invite("anna", "labels", "secret", 5.0))
    with pytest.raises(error, match=words) as refused:
        store.change_person(rule())
    assert isinstance(refused.value, RarefindError)
    assert store.people() == [before]
