"""People are invited, given roles and shut out from the command line."""

from __future__ import annotations

import json

from rarefind.store import open_store
from rarefind.store.people.invitations import digest_of
from tests.cli.command import rarefind


def test_people_from_invitation_to_the_door(tmp_path):
    open_store(tmp_path / "rarefind.db").close()

    def people(*arguments):
        return rarefind("people", *arguments, cwd=tmp_path)

    assert "Nobody was invited yet" in people("list").stdout
    address = ["--address", "https://rarefind.example.org/"]
    said = people("invite", "Anna", *address).stdout
    [link] = [word for word in said.split() if "#" in word]
    assert link.startswith("https://rarefind.example.org/join#")
    with open_store(tmp_path / "rarefind.db") as store:
        [anna] = store.people()
    assert anna.invitation == digest_of(link.partition("#")[2])
    assert people("role", "Anna", "leads").stdout == "Anna leads from now on.\n"
    assert people("revoke", "Anna").stdout == "Anna is shut out.\n"
    [told] = json.loads(people("list", "--json").stdout)
    assert (told["name"], told["role"], told["state"]) == ("Anna", "leads", "revoked")
    for wrong, words in (
        (("revoke", "Ana"), "Anna"),
        (("role", "Anna", "boss"), "boss"),
        (("invite", "Bo", "--address", "rarefind.example.org"), "--address"),
        (("invite", " "), "name of a person"),
    ):
        done = people(*wrong)
        assert done.returncode == 2
        assert words in done.stderr
        assert "Traceback" not in done.stderr
