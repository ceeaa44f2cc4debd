"""Accounts come and go: the first manager, one-time passwords, badges, and that somebody can always open accounts."""

from __future__ import annotations

import asyncio
import re
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.core.roles import Role
from tablectl.people.accounts import UnknownAccount, Way
from tablectl.people.administration import Administration, By, NotPossible
from tablectl.people.badges import GOOD_US, Badges
from tablectl.people.file import PeopleUnusable
from tablectl.people.people import Denial, Denied, People
from tablectl.people.source import Source
from tests.people.clock import START_US, Browser, S, person_of
from tests.screens.signed_on import house

BY = By(name="marta")
BADGE = "0123456789abcdef0123456789abcdef"


def test_the_first_start_makes_one_manager_with_a_password_that_is_nowhere(tmp_path: Path) -> None:
    people = house(tmp_path / "people.db")
    first = asyncio.run(Administration(people).first())
    assert first is not None
    assert re.fullmatch(r"([a-hjkmnp-z2-9]{5}-){3}[a-hjkmnp-z2-9]{5}", first)
    manager = people.accounts.find("manager")
    assert manager is not None
    assert (manager.roles == {Role.MANAGER}, manager.must_change) == (True, True)
    assert asyncio.run(Administration(people).first()) is None
    people.file.close()
    assert first.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_two_houses_have_two_first_passwords(tmp_path: Path) -> None:
    found = set()
    for name in ("one.db", "other.db"):
        people = house(tmp_path / name)
        found.add(asyncio.run(Administration(people).first()))
        people.file.close()
    assert len(found) == 2


def test_the_file_is_for_its_owner_alone_with_all_that_lies_beside_it(people: People, tmp_path: Path) -> None:
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}
    assert len(modes) == 3


def test_a_file_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "people.db"
    house(path).file.close()
    path.chmod(0o640)
    with pytest.raises(PeopleUnusable, match="chmod 600"):
        house(path)


@pytest.mark.parametrize("content", [b"no database at all, but as long as the header of one would be" * 20])
def test_a_file_that_is_none_is_said_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "people.db"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(PeopleUnusable, match="not a database"):
        house(path)


def test_a_file_of_a_newer_program_is_not_touched(people: People) -> None:
    people.file.write("PRAGMA user_version = 7")
    with pytest.raises(PeopleUnusable, match="version 7"):
        house(people.file.path)


def test_a_file_of_the_version_before_is_brought_up_to_this_one(people: People) -> None:
    before = people.audits.id
    people.file.write("DROP TABLE refusals")
    people.file.write("DROP TABLE series")
    people.file.write("ALTER TABLE accounts DROP COLUMN given_us")
    people.file.write("PRAGMA user_version = 1")
    again = house(people.file.path)
    assert (again.audits.id, again.audits.refused()) == (before, [])
    assert [account.name for account in again.accounts.all()] == ["ana", "luis", "marta"]
    again.file.close()


def test_the_last_manager_stays(people: People) -> None:
    administration = Administration(people)
    with pytest.raises(NotPossible, match="last-manager"):
        administration.set_disabled("marta", disabled=True, by=BY)
    with pytest.raises(NotPossible, match="last-manager"):
        administration.set_roles("marta", [Role.AUDITOR], by=BY)
    asyncio.run(administration.add("eva", display="Eva", roles=[Role.MANAGER], by=BY))
    administration.set_disabled("marta", disabled=True, by=BY)
    with pytest.raises(NotPossible, match="last-manager"):
        administration.set_roles("eva", [Role.AUDITOR], by=BY)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": "Eva"}, "bad-name"),
        ({"name": "console"}, "bad-name"),
        ({"name": "ana"}, "name-taken"),
        ({"roles": []}, "no-roles"),
        ({"display": "E\u202eva"}, "bad-display"),
    ],
)
def test_what_cannot_be_an_account_is_refused(people: People, fields: dict[str, Any], why: str) -> None:
    asked: dict[str, Any] = {"name": "eva", "display": "Eva", "roles": [Role.AUDITOR], **fields}
    with pytest.raises(NotPossible, match=why):
        asyncio.run(Administration(people).add(asked.pop("name"), by=BY, **asked))
    assert people.accounts.find("eva") is None


def test_each_of_it_is_on_record_with_who_did_it(people: People) -> None:
    administration = Administration(people)
    password = asyncio.run(administration.add("eva", display="Eva", roles=[Role.PIT_BOSS], by=BY))
    administration.set_roles("eva", [Role.PIT_BOSS, Role.CROUPIER], by=BY)
    administration.add_badge("eva", BADGE, by=BY)
    again = asyncio.run(administration.reset("eva", by=BY))
    administration.set_disabled("eva", disabled=True, by=BY)
    rows = people.audits.rows()
    assert [(row["what"], row["about"].partition(";")[0]) for row in rows] == [
        ("account-made", "eva pit-boss"),
        ("account-changed", "eva croupier pit-boss"),
        ("account-changed", "eva badge"),
        ("secret-changed", "eva one-time password"),
        ("account-changed", "eva disabled"),
    ]
    assert {(row["who"], row["role"], row["granted"]) for row in rows} == {("marta", "manager", True)}
    assert password not in str(rows)
    assert again not in str(rows)
    assert BADGE not in str(rows)


def test_a_reset_opens_the_lock_and_takes_the_pin(people: People) -> None:
    for _ in range(5):
        with pytest.raises(Denied):
            asyncio.run(people.sign_on("ana", "wrong", way=Way.PASSWORD, source=Source(address="1")))
    given = asyncio.run(Administration(people).reset("ana", by=BY))
    assert asyncio.run(people.sign_on("ana", given, way=Way.PASSWORD, source=Source(address="1")))
    account = people.accounts.find("ana")
    assert account is not None
    assert not account.has_pin


NOBODY: Final[Mapping[str, Callable[[Administration], object]]] = {
    "reset": lambda to: asyncio.run(to.reset("nobody", by=BY)),
    "disable": lambda to: to.set_disabled("nobody", disabled=True, by=BY),
    "roles": lambda to: to.set_roles("nobody", [Role.AUDITOR], by=BY),
    "badge": lambda to: to.add_badge("nobody", BADGE, by=BY),
    "no-badge": lambda to: to.remove_badges("nobody", by=BY),
}


@pytest.mark.parametrize("what", NOBODY)
def test_nobody_is_changed_who_is_not_there(people: People, what: str) -> None:
    with pytest.raises(UnknownAccount):
        NOBODY[what](Administration(people))
    assert people.audits.rows() == []


# --- badges ---------------------------------------------------------------------------------------------------------


def test_a_badge_is_good_for_ten_seconds_and_once() -> None:
    badges = Badges()
    badges.show(BADGE, at_us=START_US)
    assert badges.take(START_US + GOOD_US) == BADGE
    assert badges.take(START_US + GOOD_US) is None
    badges.show(BADGE, at_us=START_US)
    assert badges.take(START_US + GOOD_US + 1) is None
    badges.show(BADGE, at_us=START_US)
    assert badges.take(START_US - 2 * S) is None, "the clock was set: nobody knows how old it is"


def test_a_badge_opens_the_table_for_its_croupier_alone(people: People) -> None:
    administration = Administration(people)
    administration.add_badge("ana", BADGE, by=BY)
    with pytest.raises(NotPossible, match="badge-taken"):
        administration.add_badge("ana", BADGE, by=BY)
    with pytest.raises(NotPossible, match="badge-role"):
        administration.add_badge("luis", "ff" * 16, by=BY)
    person = person_of(people, Browser(people.sign_on_by_badge(BADGE, at_table=True)))
    assert person is not None
    assert (person.name, person.roles == {Role.CROUPIER}) == ("ana", True)
    with pytest.raises(Denied) as caught:
        people.sign_on_by_badge(BADGE, at_table=False)
    assert caught.value.why is Denial.NOT_HERE


@pytest.mark.parametrize("what", ["another", "taken-away", "disabled", "no-croupier", "must-change"])
def test_a_badge_that_is_nobodys_opens_nothing(people: People, what: str) -> None:
    administration = Administration(people)
    administration.add_badge("ana", BADGE, by=BY)
    if what == "taken-away":
        administration.remove_badges("ana", by=BY)
    elif what == "disabled":
        administration.set_disabled("ana", disabled=True, by=BY)
    elif what == "no-croupier":
        administration.set_roles("ana", [Role.AUDITOR], by=BY)
    elif what == "must-change":
        asyncio.run(administration.reset("ana", by=BY))
    with pytest.raises(Denied) as caught:
        people.sign_on_by_badge("ee" * 16 if what == "another" else BADGE, at_table=True)
    assert caught.value.why is Denial.UNKNOWN_BADGE
    assert not people.audits.rows()[-1]["granted"]
