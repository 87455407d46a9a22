"""People in a store that forgets."""

# ruff: noqa: D102  (the contract says what each method does)

from __future__ import annotations

import threading

from rarefind.store.people.invitations import PeopleKept, Person, Rule


class MemoryPeople(PeopleKept):
    """Keeps people in this process."""

    def __init__(self) -> None:
        self._people: dict[str, Person] = {}
        self._changing_people = threading.Lock()

    def people(self) -> list[Person]:
        with self._changing_people:
            return self._everybody()

    def change_person(self, rule: Rule) -> Person:
        with self._changing_people:
            person = rule(self._everybody())
            self._people[person.id] = person
            return person

    def _everybody(self) -> list[Person]:
        return sorted(self._people.values(), key=lambda person: person.name)
