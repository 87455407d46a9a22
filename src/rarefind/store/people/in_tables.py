"""People in the tables of a database."""

# ruff: noqa: D102  (the contract says what each method does)

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, select

from rarefind.store.database import tables as schema
from rarefind.store.database.access import DatabaseAccess
from rarefind.store.database.rows import Row, signed, verified
from rarefind.store.people.invitations import PeopleKept, Person, Rule, clean_role

_everybody = select(schema.people)


class SqlPeople(DatabaseAccess, PeopleKept):
    """Keeps people beside the hunts."""

    def people(self) -> list[Person]:
        return self._read(_people)

    def change_person(self, rule: Rule) -> Person:
        def change(connection: Connection) -> Person:
            person = rule(_people(connection))
            connection.execute(delete(schema.people).where(schema.people.c.id == person.id))
            connection.execute(insert(schema.people), person_row(person))
            return person

        return self._do(change)


def _people(connection: Connection) -> list[Person]:
    found = [read_person(row) for row in connection.execute(_everybody).mappings()]
    return sorted(found, key=lambda person: person.name)  # as Python sorts, in every database


def person_row(person: Person) -> dict[str, Any]:
    """Write a person."""
    return signed(dict(vars(person)))


def read_person(row: Row) -> Person:
    """Read a person."""
    person = Person(**verified("person", row))
    clean_role(person.role)
    return person
