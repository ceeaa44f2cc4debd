"""The people of a demo: one of each role and a visitor, with secrets of this start alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

from simulators.stage.people import CROUPIER, VISITOR, WHO, make_people
from tablectl.people.accounts import Way
from tablectl.people.people import People
from tablectl.people.roles import ALL_ROLES, Role
from tablectl.people.rules import check_pin


def test_a_visitor_may_do_everything_and_anybody_can_be_the_second_person(tmp_path: Path) -> None:
    secrets = make_people(tmp_path / "people.db")
    people = People(tmp_path / "people.db")
    assert {account.name: account.roles for account in people.accounts.all()} == WHO
    assert WHO[VISITOR] == ALL_ROLES
    assert set(Role) == set().union(*(roles for name, roles in WHO.items() if name != VISITOR))
    check_pin(secrets.pin)
    asyncio.run(people.sign_on(CROUPIER, secrets.pin, way=Way.PIN, address="here", at_table=True))
    second = asyncio.run(people.check("luis", secrets.password))
    assert second is not None
    assert second.name == "luis"
    people.file.close()


def test_no_two_starts_have_the_same_password(tmp_path: Path) -> None:
    assert make_people(tmp_path / "one.db").password != make_people(tmp_path / "other.db").password
