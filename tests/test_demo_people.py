"""The people of a demo: one of each role and a visitor, with secrets of this start alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

from simulators.stage.people import CROUPIER, VISITOR, WHO, make_people
from tablectl.core.roles import ALL_ROLES, Role
from tablectl.people.accounts import Way
from tablectl.people.demo_pin import kept
from tablectl.people.people import People
from tablectl.people.rules import check_pin
from tablectl.people.source import Source


def test_a_visitor_may_do_everything_and_anybody_can_be_the_second_person(tmp_path: Path) -> None:
    secrets = make_people(tmp_path / "people.db")
    people = People(tmp_path / "people.db")
    assert {account.name: account.roles for account in people.accounts.all()} == WHO
    assert WHO[VISITOR] == ALL_ROLES
    assert set(Role) == set().union(*(roles for name, roles in WHO.items() if name != VISITOR))
    check_pin(secrets.pin)
    asyncio.run(people.sign_on(CROUPIER, secrets.pin, way=Way.PIN, source=Source(is_at_table=True)))
    second = asyncio.run(people.check("luis", secrets.pin, source=Source()))
    assert second is not None
    assert second.name == "luis"
    people.file.close()


def test_each_start_has_a_pin_of_its_own_and_keeps_it_beside_the_accounts(tmp_path: Path) -> None:
    pins = {make_people(tmp_path / f"{start}.db").pin for start in range(5)}
    assert len(pins) > 1
    assert {kept(tmp_path / f"{start}.db") for start in range(5)} == pins
    assert (tmp_path / "1.db.demo-pin").stat().st_mode & 0o077 == 0
    assert kept(tmp_path / "real.db") == ""
