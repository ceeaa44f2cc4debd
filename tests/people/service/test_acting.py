"""What a process that faces the network can do in the name of people: nothing that they could not do themselves."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest

from tablectl.api.client import NoController
from tablectl.api.methods import ENTERED
from tablectl.api.methods import METHODS as OF_CONTROLLER
from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.people.service.authority import BY_CROUPIER_TOO, CROUPIERS, METHODS, OF_TWO, WORDS
from tablectl.people.service.questions import Act, Look, NotYours, Second, SignOff
from tablectl.people.service.table_now import TableNow
from tablectl.people.source import Source
from tests.people.service.houses import AT_TABLE, ELSEWHERE, Place
from tests.screens.signed_on import PASSWORD, PIN, token_of

#: What each method is asked with.
ASKED: Final[dict[str, dict[str, Any]]] = {
    "preview": {"preview": "correct 2 press fold by first+second"},
    "float": {"float": "count", "amount": 5, "by": "ghost", "second": "ghost"},
    "accept": {"accept": {"seq": 5, "hash": "0"}, "by": "ghost", "second": "ghost", "reason": "why"},
    "test": {"test": "lamps", "by": "ghost"},
    "enrol": {"enrol": {"deck": "d", "reader": "r", "by": "ghost"}},
    "unseal": {"unseal": {"request": "r", "signature": "s"}},
}
EVERY: Final = {
    **{word: {"enter": f"{word} something", "by": "ghosta+ghostb"} for word in WORDS},
    **{method: ASKED[method] for method in METHODS},
}


def act(
    place: Place,
    request: dict[str, Any],
    token: str,
    *,
    source: Source = AT_TABLE,
    second: Second | None = None,
    as_croupier: bool = False,
) -> dict[str, Any]:
    asked = Act(token=token, request=request, source=source, second=second, as_croupier=as_croupier)
    return asyncio.run(place.service.ask(asked))


def refusal(
    place: Place,
    request: dict[str, Any],
    token: str,
    *,
    source: Source = AT_TABLE,
    second: Second | None = None,
    as_croupier: bool = False,
) -> str:
    with pytest.raises(NotYours) as no:
        act(place, request, token, source=source, second=second, as_croupier=as_croupier)
    assert place.entered == []
    return no.value.why


def test_every_word_and_method_that_changes_something_is_somebodys_or_nobodys() -> None:
    assert WORDS.keys() == ENTERED
    writing = {method.name for method in OF_CONTROLLER if method.permission == "write"}
    assert writing - METHODS.keys() == {"enter", "use", "access", "challenge", "prove"}


@pytest.mark.parametrize("what", sorted(EVERY))
@pytest.mark.parametrize("role", list(Role))
def test_who_has_not_the_role_enters_nothing(place: Place, what: str, role: Role) -> None:
    if role in (WORDS.get(what) or METHODS[what]):
        assert act(place, EVERY[what], token_of(role))["ok"] is True
        assert len(place.entered) == 1
    else:
        assert refusal(place, EVERY[what], token_of(role)) == "not-yours"


@pytest.mark.parametrize("what", sorted(EVERY))
@pytest.mark.parametrize("token", ["", "made-up", "session-of-ghosta"])
def test_names_that_are_asserted_without_a_session_do_nothing(place: Place, what: str, token: str) -> None:
    """`limits ... by ghosta+ghostb`, sent by whoever has the rights of the screens."""
    assert refusal(place, EVERY[what], token) == "not-yours"


@pytest.mark.parametrize("what", sorted(EVERY.keys() - {"preview", "unseal"}))
def test_the_names_are_those_of_the_session_whatever_came_with_it(place: Place, what: str) -> None:
    role = min(WORDS.get(what) or METHODS[what], key=lambda role: (role is Role.CROUPIER, role.value))
    act(place, EVERY[what], token_of(role))
    assert "ghost" not in str(place.entered)
    assert role.value in str(place.entered)


def test_after_signing_off_a_session_that_was_kept_does_nothing(place: Place) -> None:
    stolen = token_of("pit-boss")
    asyncio.run(place.service.ask(SignOff(token=stolen)))
    place.controller.asked.clear()
    assert refusal(place, EVERY["call"], stolen) == "not-yours"


def test_a_session_of_another_table_does_nothing(place: Place) -> None:
    place.people.sessions.end(token_of("manager"))  # as at a table at which it was never opened
    assert refusal(place, EVERY["limits"], token_of("manager")) == "not-yours"


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"use": "texas-bonus", "by": "manager"},
        {"access": {"who": "manager"}},
        {"challenge": "limits"},
        {"prove": {"by": "manager"}},
        {"receipt": {}},
        {"follow": {"after": 0}},
        {"ask": "devices"},
        {"enter": "fold"},
        {"enter": 7},
        {"enter": "call by everybody", "access": {}},
        {"preview": "correct", "use": "texas-bonus"},
        {"enter": "call by everybody", "float": "count"},
    ],
)
def test_what_no_page_asks_is_not_passed_on(place: Place, request_: dict[str, Any]) -> None:
    assert refusal(place, request_, token_of("everybody")) == "not-yours"


@pytest.mark.parametrize("word", sorted(word for word, roles in WORDS.items() if roles == CROUPIERS))
def test_whoever_deals_enters_at_the_table_and_nobody_for_him(place: Place, word: str) -> None:
    asked = EVERY[word]
    assert refusal(place, asked, token_of("croupier"), source=ELSEWHERE) == "not-here"
    place.table.seen = TableNow(connected=True, croupier="eva", is_staffed=True)
    if word != "croupier":
        assert refusal(place, asked, token_of("croupier")) == "not-at-table"
    place.table.seen = TableNow(connected=True, croupier="", is_staffed=False)
    assert act(place, asked, token_of("croupier"))["ok"] is True


def test_at_the_croupiers_page_whoever_has_more_roles_is_a_croupier(place: Place) -> None:
    asked = {"enter": "call by everybody"}
    assert refusal(place, asked, token_of("everybody"), source=ELSEWHERE, as_croupier=True) == "not-here"
    assert act(place, asked, token_of("everybody"), source=ELSEWHERE)["ok"] is True


def test_nobody_deals_while_it_is_not_known_who_does(place: Place) -> None:
    place.table.seen = TableNow(connected=False)
    with pytest.raises(NoController):
        act(place, {"enter": "press fold"}, token_of("croupier"))
    assert place.entered == []


def test_an_entry_waits_for_the_record_that_says_who_took_the_table(place: Place) -> None:
    place.table.seen = TableNow(connected=True, croupier="eva", is_staffed=True)

    seen = [TableNow(connected=True, croupier=name, is_staffed=True) for name in ("eva", "", "croupier")]

    async def changed(*, at_most_s: float) -> None:
        assert at_most_s > 0
        place.table.seen = seen.pop(0)

    object.__setattr__(place.table, "changed", changed)
    assert act(place, {"enter": "press fold"}, token_of("croupier"))["ok"] is True


# -- two persons -------------------------------------------------------------------------------------------------------


def test_the_second_name_is_that_of_whoever_proved_it(place: Place) -> None:
    second = Second(name="manager", secret=PASSWORD)
    act(place, {"enter": "rule 2 void by ghosta+ghostb"}, token_of("pit-boss"), second=second)
    assert place.entered[0]["by"] == "pit-boss+manager"
    act(place, ASKED["float"], token_of("pit-boss"), second=second)
    assert (place.entered[1]["by"], place.entered[1]["second"]) == ("pit-boss", "manager")
    rows = [row for row in place.people.audits.rows() if row["what"] == AccessKind.CO_SIGNED]
    assert [(row["who"], row["about"], row["granted"]) for row in rows] == [
        ("manager", "rule with pit-boss", True),
        ("manager", "float with pit-boss", True),
    ]


@pytest.mark.parametrize(
    ("what", "name", "secret", "why"),
    [
        ("rule", "manager", "wrong horse battery", "second-wrong"),
        ("rule", "manager", PIN, "second-wrong"),
        ("rule", "ghostb", PASSWORD, "second-wrong"),
        ("rule", "pit-boss", PASSWORD, "second-same"),
        ("rule", "croupier", PASSWORD, "second-wrong"),
        ("limits", "technician", PASSWORD, "second-wrong"),
        ("call", "manager", PASSWORD, "second"),
    ],
)
def test_a_second_who_proves_nothing_signs_nothing(place: Place, what: str, name: str, secret: str, why: str) -> None:
    second = Second(name=name, secret=secret)
    assert refusal(place, EVERY[what], token_of("pit-boss"), second=second) == why


@pytest.mark.parametrize("what", sorted(OF_TWO))
def test_the_croupier_signs_beside_a_pit_boss_where_the_rulings_say_so(place: Place, what: str) -> None:
    second = Second(name="croupier", secret=PASSWORD)
    if what in BY_CROUPIER_TOO:
        assert act(place, EVERY[what], token_of("pit-boss"), second=second)["ok"] is True
    else:
        assert refusal(place, EVERY[what], token_of("pit-boss"), second=second) == "second-wrong"


def test_guessing_the_second_ones_secret_is_as_slow_as_signing_on(place: Place) -> None:
    wrong = [
        refusal(place, EVERY["rule"], token_of("pit-boss"), second=Second(name="manager", secret=f"guess {n}"))
        for n in range(6)
    ]
    assert wrong == ["second-wrong"] * 5 + ["second-locked"]


# -- on record ---------------------------------------------------------------------------------------------------------


def test_what_is_read_is_on_record_under_the_name_of_the_session(place: Place) -> None:
    token = token_of("auditor")
    before = len(place.people.audits.rows())
    for _ in range(2):
        asyncio.run(
            place.service.ask(Look(token=token, kind=AccessKind.READ_HAND, role="auditor", about="7", once=True))
        )
    rows = place.people.audits.rows()[before:]
    assert [(row["who"], row["about"]) for row in rows] == [("auditor", "7")]


@pytest.mark.parametrize("kind", [AccessKind.SIGNED_ON, AccessKind.CO_SIGNED, AccessKind.ACCOUNT_CHANGED])
def test_what_only_the_house_knows_cannot_be_put_on_record_from_outside(place: Place, kind: AccessKind) -> None:
    before = len(place.people.audits.rows())
    own = token_of("manager")
    for token, what, role in (
        (own, kind, "manager"),
        ("made-up", AccessKind.READ_HAND, "manager"),
        (own, AccessKind.READ_HAND, "auditor"),
    ):
        with pytest.raises(NotYours):
            asyncio.run(place.service.ask(Look(token=token, kind=what, role=role, about="x")))
    assert len(place.people.audits.rows()) == before
