"""The file of accounts against the journal: whatever was changed behind the screens' back is said."""

from __future__ import annotations

import argparse
import asyncio
import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from tablectl.api.client import ask
from tablectl.cli.commands.people import add_arguments, run
from tablectl.config.table_file import load
from tablectl.core.access import AccessKind
from tablectl.core.events.codec import decode_note
from tablectl.core.events.notes import Access
from tablectl.core.roles import Role
from tablectl.people.accounts import Way
from tablectl.people.administration import AT_CONSOLE, Administration, By
from tablectl.people.audit import Teller
from tablectl.people.checking import Checking
from tablectl.people.hashing import Hashing
from tablectl.people.people import People
from tablectl.people.source import Source
from tests.desk import Desk, desk
from tests.screens.signed_on import CHEAP, PASSWORD, house

BY: Final = By(name="marta")
NEW: Final = "another long password"


class Journal:
    """Keeps what it is told as the journal has it."""

    def __init__(self) -> None:
        self.accesses: list[Access] = []

    async def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        said = dict(question["access"])
        access = decode_note({"kind": "access", "when": said.pop("at"), **said}, at_us=0)
        assert isinstance(access, Access)
        self.accesses.append(access)
        return {"ok": True, "seq": len(self.accesses)}

    def hear(self, people: People) -> None:
        assert asyncio.run(Teller(people.audits, self.ask).tell())


@pytest.fixture
def people(people: People) -> People:
    """All of whom came to be on record."""
    for account in people.accounts.all():
        people.audit_account(AccessKind.ACCOUNT_MADE, "console", "", account.name, "made")
    return people


@pytest.fixture
def journal(people: People) -> Journal:
    made = Journal()
    people.audit(AccessKind.OPENED_SEALED, "luis", "auditor", "hand 1", granted=True)
    people.audit(AccessKind.EXPORTED, "luis", "auditor", "hand 1", granted=True)
    made.hear(people)
    return made


def differences(people: People, journal: Journal) -> list[str]:
    return Checking(people.file).differences(journal.accesses)


def test_whatever_people_and_managers_do_leaves_no_difference(people: People, journal: Journal) -> None:
    administration = Administration(people)
    given = asyncio.run(administration.add("eva", display="Eva", roles=[Role.PIT_BOSS, Role.CROUPIER], by=BY))
    token = asyncio.run(people.sign_on("eva", given, way=Way.PASSWORD, source=Source(address="1")))
    found = people.signed_on(token)
    assert found is not None
    token = asyncio.run(people.change_password(found, given, NEW, source=Source(address="1")))
    found = people.signed_on(token)
    assert found is not None
    asyncio.run(people.change_pin(found, NEW, "161803", source=Source(address="1")))
    administration.add_badge("eva", "ab" * 16, by=BY)
    administration.remove_badges("eva", by=BY)
    administration.set_roles("eva", [Role.AUDITOR, Role.MANAGER], by=BY)
    administration.set_disabled("eva", disabled=True, by=BY)
    administration.set_disabled("eva", disabled=False, by=BY)
    asyncio.run(administration.reset("luis", by=BY))
    journal.hear(people)
    assert differences(people, journal) == []


def test_a_secret_that_is_hashed_anew_leaves_none(people: People, journal: Journal) -> None:
    people.hashing = Hashing(replace(CHEAP, time_cost=2))
    asyncio.run(people.sign_on("luis", PASSWORD, way=Way.PASSWORD, source=Source(address="1")))
    journal.hear(people)
    assert differences(people, journal) == []


TAMPERING: Final[Mapping[str, str]] = {
    "UPDATE accounts SET roles = 'auditor croupier manager' WHERE name = 'ana'": (
        "account ana: its roles are auditor,croupier,manager, and number 1 left croupier"
    ),
    "UPDATE accounts SET password = (SELECT password FROM accounts WHERE name = 'ana') || 'x' WHERE name = 'marta'": (
        "account marta: it is not as number 3 left it"
    ),
    "UPDATE accounts SET pin = NULL WHERE name = 'ana'": "account ana: it is not as number 1 left it",
    "UPDATE accounts SET disabled = 1 WHERE name = 'luis'": "account luis: it is not as number 2 left it",
    "INSERT INTO badges VALUES ('00', 'ana')": "account ana: it is not as number 1 left it",
    "INSERT INTO accounts (name, display, roles) VALUES ('eve', 'Eve', 'manager')": (
        "account eve: no row says how it came to be"
    ),
    "DELETE FROM accounts WHERE name = 'luis'": "account luis: number 2 tells of it, and it is not there",
}


@pytest.mark.parametrize("tampering", TAMPERING)
def test_an_account_that_is_not_as_it_was_left_is_found(people: People, journal: Journal, tampering: str) -> None:
    people.file.write(tampering)
    assert differences(people, journal) == [TAMPERING[tampering]]


def _made_anew(people: People, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Somebody writes all rows again, with a chain that holds."""
    rows = [dict(row) for row in people.audits.rows()]
    change(rows)
    people.file.write("DELETE FROM access")
    for row in rows:
        people.audit(AccessKind(row["what"]), row["who"], row["role"], row["about"], granted=row["granted"])
        number = people.audits.rows()[-1]["number"]
        people.file.write("UPDATE access SET at = ? WHERE number = ?", row["at"], number)


def test_rows_that_were_made_anew_are_found_by_the_journal(people: People, journal: Journal) -> None:
    def other(rows: list[dict[str, Any]]) -> None:
        rows[3]["who"] = "ana"

    _made_anew(people, other)
    assert "number 4 is not as the journal has it: who" in differences(people, journal)


def test_rows_that_were_cut_off_are_found_by_the_journal(people: People, journal: Journal) -> None:
    def shorter(rows: list[dict[str, Any]]) -> None:
        del rows[3:]

    _made_anew(people, shorter)
    people.audits.take_as_told(3)
    file = people.audits.id
    assert differences(people, journal) == [f"the journal has numbers 4 to 5 of this file, {file}, which are not here"]


def test_rows_that_were_taken_as_told_and_never_were_are_found(people: People, journal: Journal) -> None:
    number = people.audit(AccessKind.OPENED_SEALED, "luis", "auditor", "hand 2", granted=True)
    assert differences(people, journal) == [f"number {number} was not told yet"]
    people.audits.take_as_told(number)
    assert differences(people, journal) == [f"number {number} was told, and is not in the journal"]
    people.audits.refuse(number, "expected something else")
    assert differences(people, journal) == [f"number {number} was not taken by the controller: expected something else"]


def test_another_file_in_its_place_is_found(people: People, journal: Journal) -> None:
    file = people.audits.id
    people.file.write("UPDATE series SET id = ?", "f" * 32)
    assert f"the journal has numbers 1 to 5 of another file of accounts, {file}, which are not here" in differences(
        people, journal
    )


def test_what_is_in_the_journal_twice_is_said(people: People, journal: Journal) -> None:
    journal.accesses.append(journal.accesses[-1])
    assert differences(people, journal) == [f"number 5 of file {people.audits.id} is in the journal twice"]


def test_accounts_that_were_put_back_from_a_copy_lack_what_was_done_since(people: People, journal: Journal) -> None:
    file = people.audits.id
    people.file.write("DELETE FROM access WHERE number > 3")
    people.audits.take_as_told(3)
    people.audits.begin_series(4)
    journal.hear(people)
    assert differences(people, journal) == [f"the journal has numbers 4 to 5 of this file, {file}, which are not here"]


# --- the command ------------------------------------------------------------------------------------------------------


def told(table: Desk) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    stdout, stderr = io.StringIO(), io.StringIO()
    status = run(parser.parse_args(["check", str(table.config)]), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()


@pytest.mark.system
def test_the_command_says_what_differs_and_ends_with_one() -> None:
    with desk() as table:
        people = house(load(table.config).people)
        asyncio.run(Administration(people).add("eva", display="Eva", roles=[Role.MANAGER], by=AT_CONSOLE))
        status, _, stderr = told(table)
        assert (status, "no such journal" in stderr) == (2, True)
        table.start()

        async def asked(question: Mapping[str, Any]) -> Mapping[str, Any]:
            return ask(table.socket, question)

        assert told(table) == (1, "people: number 1 was not told yet\n", "")
        assert asyncio.run(Teller(people.audits, asked).tell())
        assert told(table) == (0, "people: 1 rows and 1 accounts agree with the journal\n", "")
        people.file.write("UPDATE accounts SET roles = 'auditor manager'")
        people.file.close()
        said = "people: account eva: its roles are auditor,manager, and number 1 left manager\n"
        assert told(table) == (1, said, "")
