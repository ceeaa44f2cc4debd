"""Nobody makes himself the auditor of what he does as a manager."""

from __future__ import annotations

import asyncio
from typing import Literal

import pytest

from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.people.administration import NotPossible
from tablectl.people.service.answering import AccountsService, PasskeyRules
from tablectl.people.service.questions import Administer, NotYours, Second
from tests.people.service.houses import ELSEWHERE, Controller, Place
from tests.screens.signed_on import PASSWORD, token_of

LUIS = Second(name="pit-boss", secret=PASSWORD)


def administer(
    service: AccountsService,
    do: Literal["add", "roles", "reset"],
    name: str,
    *roles: Role,
    second: Second | None = None,
    who: str = "manager",
) -> str:
    asked = Administer(token=token_of(who), do=do, name=name, roles=roles, second=second, source=ELSEWHERE)
    return asyncio.run(service.ask(asked))


def roles_of(place: Place, name: str) -> frozenset[Role]:
    account = place.people.accounts.find(name)
    return frozenset() if account is None else account.roles


@pytest.mark.parametrize(
    ("do", "name", "roles"),
    [
        ("add", "ghost", (Role.AUDITOR,)),
        ("add", "ghost", (Role.MANAGER, Role.AUDITOR)),
        ("roles", "manager", (Role.MANAGER, Role.AUDITOR)),
        ("roles", "pit-boss", (Role.AUDITOR,)),
        ("roles", "auditor", (Role.AUDITOR, Role.MANAGER)),
    ],
)
def test_a_manager_alone_makes_no_auditor(
    place: Place, do: Literal["add", "roles"], name: str, roles: tuple[Role, ...]
) -> None:
    before = roles_of(place, name)
    himself = Second(name="manager", secret=PASSWORD)
    wrong = Second(name="pit-boss", secret="wrong horse battery")
    croupier = Second(name="croupier", secret=PASSWORD)
    for second, why in ((None, "needed"), (himself, "needed"), (wrong, "wrong"), (croupier, "wrong")):
        with pytest.raises(NotPossible, match=f"second-{why}"):
            administer(place.service, do, name, *roles, second=second)
    assert roles_of(place, name) == before


def test_with_a_second_person_it_is_done_and_on_record(place: Place) -> None:
    assert administer(place.service, "add", "alba", Role.AUDITOR, second=LUIS)
    assert roles_of(place, "alba") == {Role.AUDITOR}
    signed = [row for row in place.people.audits.rows() if row["what"] == AccessKind.CO_SIGNED]
    assert [(row["who"], row["about"]) for row in signed] == [("pit-boss", "add alba with manager")]


def test_other_roles_take_one_manager(place: Place) -> None:
    assert administer(place.service, "add", "eva", Role.CROUPIER, Role.PIT_BOSS)
    administer(place.service, "roles", "auditor", Role.AUDITOR, Role.TECHNICIAN)
    administer(place.service, "roles", "auditor", Role.TECHNICIAN)
    assert roles_of(place, "auditor") == {Role.TECHNICIAN}


def test_where_passkeys_are_needed_the_console_makes_auditors(place: Place) -> None:
    rules = PasskeyRules(host="localhost", is_required=True)
    controller = Controller()
    service = AccountsService(place.people, place.table, controller.ask, controller.lines, rules)
    with pytest.raises(NotPossible, match="auditor-at-console"):
        administer(service, "add", "alba", Role.AUDITOR, second=LUIS)


@pytest.mark.parametrize("who", ["croupier", "pit-boss", "technician", "auditor"])
def test_who_is_no_manager_changes_no_account(place: Place, who: str) -> None:
    with pytest.raises(NotYours):
        administer(place.service, "reset", "manager", who=who)
