"""Guessing is slow: after five wrong secrets an account waits, longer each time, also over a restart."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

import pytest

from tablectl.core.access import AccessKind
from tablectl.people.accounts import Way
from tablectl.people.administration import Administration, By
from tablectl.people.lockout import LONGEST_PAUSE_S, PER_MINUTE, Locked, Lockout, Rate, TooMany, pause_s
from tablectl.people.people import Denial, Denied, People
from tablectl.people.source import Source
from tests.people.clock import HOUR, Clock, S
from tests.screens.signed_on import CHEAP, PASSWORD, PIN


def tries(
    people: People,
    secret: str,
    name: str = "ana",
    way: Way = Way.PASSWORD,
    address: str = "",
    *,
    browser: str = "",
    is_at_table: bool = False,
) -> Denied | None:
    """Sign on, each time from an address of its own unless one is given; why it was not let."""
    from_here = address or f"address {people.now_us()} {len(people.audits.rows())}"
    source = Source(address=from_here, is_at_table=is_at_table or way is Way.PIN, browser=browser)
    try:
        asyncio.run(people.sign_on(name, secret, way=way, source=source))
    except Denied as no:
        return no
    return None


def test_pauses_double_from_the_fifth_wrong_secret_to_a_quarter_of_an_hour() -> None:
    assert [pause_s(wrong) for wrong in range(4, 12)] == [0, 30, 60, 120, 240, 480, 900, 900]
    assert pause_s(10_000) == LONGEST_PAUSE_S


@pytest.mark.parametrize("name", ["ana", "nobody"])
def test_after_five_wrong_secrets_not_even_the_right_one_opens(people: People, clock: Clock, name: str) -> None:
    """An account that there is not is locked as one that there is: nobody learns who there is."""
    for _ in range(5):
        denied = tries(people, "wrong", name)
        assert denied is not None
        assert denied.why is Denial.WRONG
    denied = tries(people, PASSWORD, name)
    assert denied is not None
    assert (denied.why, denied.pause_s) == (Denial.LOCKED, 30)
    clock.pass_us(29 * S + S // 2)
    denied = tries(people, PASSWORD, name)
    assert denied is not None
    assert denied.pause_s == 1


def test_after_the_pause_the_right_secret_opens_and_the_count_begins_anew(people: People, clock: Clock) -> None:
    for _ in range(5):
        tries(people, "wrong")
    clock.pass_us(30 * S)
    assert tries(people, PASSWORD) is None
    for _ in range(4):
        assert tries(people, "wrong") is not None
    assert tries(people, PASSWORD) is None


def test_a_wrong_secret_after_the_pause_doubles_it(people: People, clock: Clock) -> None:
    for _ in range(5):
        tries(people, "wrong")
    for pause in (30, 60, 120, 240):
        clock.pass_us(pause * S - 1)
        denied = tries(people, "wrong")
        assert denied is not None
        assert denied.why is Denial.LOCKED
        clock.pass_us(1)
        denied = tries(people, "wrong")
        assert denied is not None
        assert denied.why is Denial.WRONG


def test_the_lock_is_kept_over_a_restart(people: People, clock: Clock) -> None:
    for _ in range(5):
        tries(people, "wrong")
    again = People(people.file.path, parameters=CHEAP, now_us=clock.now_us)
    denied = tries(again, PASSWORD)
    again.file.close()
    assert denied is not None
    assert denied.why is Denial.LOCKED


def test_many_at_the_same_moment_are_many(people: People) -> None:
    async def all_at_once() -> list[str]:
        async def one(number: int) -> str:
            try:
                await people.sign_on("ana", "wrong", way=Way.PASSWORD, source=Source(address=str(number)))
            except Denied as no:
                return no.why
            return "on"

        return await asyncio.gather(*(one(number) for number in range(30)))

    said = asyncio.run(all_at_once())
    assert said.count(Denial.WRONG) == 5
    assert said.count(Denial.LOCKED) == 25


def test_pin_and_password_have_locks_of_their_own(people: People) -> None:
    """Nobody who knows a name locks a croupier out of her table from elsewhere."""
    for _ in range(6):
        tries(people, "wrong", way=Way.PASSWORD)
    assert tries(people, PIN, way=Way.PIN) is None


def guessed_from_everywhere(people: People) -> None:
    """Somebody who knows her name alone, until her account waits."""
    while people.lockout.locked(people.now_us()) != {"ana"}:
        assert tries(people, "wrong") is not None
    denied = tries(people, PASSWORD)
    assert denied is not None
    assert denied.why is Denial.LOCKED, "on a browser that is not known the limit of the account holds"


def test_who_guesses_elsewhere_does_not_delay_her_where_she_signed_on_before(people: People, clock: Clock) -> None:
    browser = people.browsers.remember("", "ana", clock.now_us())
    guessed_from_everywhere(people)
    assert tries(people, PASSWORD, browser=browser) is None
    denied = tries(people, PASSWORD, browser="made up")
    assert denied is not None, "no browser says of itself that it is known"
    assert denied.why is Denial.LOCKED


def test_who_guesses_elsewhere_does_not_delay_her_at_the_table(people: People) -> None:
    guessed_from_everywhere(people)
    assert tries(people, PASSWORD, is_at_table=True) is None
    assert tries(people, PIN, way=Way.PIN) is None


def test_a_browser_is_known_for_its_person_alone_and_guesses_there_count_there(people: People, clock: Clock) -> None:
    """Luis's browser, stolen, guesses her password no oftener than any other, and his own until it waits."""
    browser = people.browsers.remember("", "luis", clock.now_us())
    guessed_from_everywhere(people)
    denied = tries(people, PASSWORD, browser=browser)
    assert denied is not None
    assert denied.why is Denial.LOCKED
    for _ in range(5):
        assert tries(people, "wrong", "luis", browser=browser) is not None
    denied = tries(people, PASSWORD, "luis", browser=browser)
    assert denied is not None
    assert denied.why is Denial.LOCKED
    assert tries(people, PASSWORD, "luis") is None, "he is not kept out elsewhere by his lost browser"


def test_behind_one_address_with_everybody_else_a_known_browser_has_its_own_minute(
    people: People, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy that names no client is one address for the whole house."""
    monkeypatch.setattr("time.time", lambda: 1_000_000.0)
    browser = people.browsers.remember("", "ana", clock.now_us())
    for number in range(PER_MINUTE):
        tries(people, "wrong", f"name-{number}", address="the proxy")
    denied = tries(people, PASSWORD, address="the proxy")
    assert denied is not None
    assert denied.why is Denial.TOO_MANY
    assert tries(people, PASSWORD, address="the proxy", browser=browser) is None


def test_two_persons_of_one_browser_are_known_there_and_its_token_stays(people: People, clock: Clock) -> None:
    browser = people.browsers.remember("", "ana", clock.now_us())
    assert people.browsers.remember(browser, "luis", clock.now_us()) == browser
    assert people.browsers.remember("made up", "luis", clock.now_us()) not in ("made up", browser)
    guessed_from_everywhere(people)
    assert tries(people, PASSWORD, browser=browser) is None
    assert tries(people, PASSWORD, "luis", browser=browser) is None


@pytest.mark.parametrize("how", ["half a year", "a new secret"])
def test_a_browser_is_forgotten(people: People, clock: Clock, how: str) -> None:
    browser = people.browsers.remember("", "ana", clock.now_us())
    if how == "half a year":
        clock.pass_us(180 * 24 * HOUR)
    else:
        asyncio.run(Administration(people).reset("ana", by=By(name="marta")))
    guessed_from_everywhere(people)
    denied = tries(people, PASSWORD, browser=browser)
    assert denied is not None
    assert denied.why is Denial.LOCKED


def test_after_a_day_without_a_try_the_count_begins_anew(people: People, clock: Clock) -> None:
    for _ in range(4):
        tries(people, "wrong")
    clock.pass_us(24 * HOUR + S)
    assert tries(people, "wrong") is not None
    assert tries(people, PASSWORD) is None


def test_wrong_secrets_hours_apart_add_up(people: People, clock: Clock) -> None:
    for _ in range(5):
        clock.pass_us(5 * HOUR)
        denied = tries(people, "wrong")
        assert denied is not None
        assert denied.why is Denial.WRONG
    denied = tries(people, PASSWORD)
    assert denied is not None
    assert denied.why is Denial.LOCKED


def test_of_two_who_both_guessed_wrong_each_has_a_count_of_his_own(people: People) -> None:
    for name in ("ana", "luis"):
        for _ in range(4):
            tries(people, "wrong", name)
    assert tries(people, PASSWORD, "ana") is None
    assert tries(people, "wrong", "luis") is not None
    denied = tries(people, PASSWORD, "luis")
    assert denied is not None
    assert denied.why is Denial.LOCKED
    assert tries(people, "wrong", "ana") is not None
    assert tries(people, PASSWORD, "ana") is None


def test_an_address_sends_so_many_in_a_minute_and_then_waits(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 1_000_000.0
    monkeypatch.setattr("time.time", lambda: now_s)
    for number in range(PER_MINUTE):
        denied = tries(people, "wrong", f"name-{number}", address="10.0.0.1")
        assert denied is not None
        assert denied.why is Denial.WRONG
    denied = tries(people, PASSWORD, "luis", address="10.0.0.1")
    assert denied is not None
    assert denied.why is Denial.TOO_MANY
    assert tries(people, PASSWORD, "luis", address="10.0.0.2") is None
    now_s += 61
    assert tries(people, PASSWORD, "luis", address="10.0.0.1") is None


@pytest.mark.parametrize("why", ["too-many", "locked"])
def test_what_is_refused_without_a_look_costs_a_row_a_minute_with_a_count(
    people: People, clock: Clock, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr("time.time", lambda: 1_000_000.0)
    if why == "too-many":
        for number in range(PER_MINUTE):
            tries(people, "wrong", f"name-{number}", address="10.0.0.1")
    else:
        for _ in range(5):
            tries(people, "wrong")
    before = len(people.audits.rows())
    address = "10.0.0.1" if why == "too-many" else ""
    for number in range(200):
        tries(people, "wrong", "ana", address=address or str(number))
    assert [row["about"] for row in people.audits.rows(before)] == [f"password {why}"]
    clock.pass_us(60 * S)
    people.audits.settle()
    people.audits.settle()
    assert [(row["about"], row["who"]) for row in people.audits.rows(before)] == [
        (f"password {why}", "ana"),
        (f"password {why}, 199 more within a minute", "unknown"),
    ]
    clock.pass_us(61 * S)
    people.audits.settle()
    assert len(people.audits.rows(before)) == 2
    people.audits.record_often(AccessKind.REFUSED, "ana", f"password {why}")
    people.audits.record_often(AccessKind.REFUSED, "ana", f"password {why}")
    people.audits.settle(is_end=True)
    assert [row["about"] for row in people.audits.rows(before + 2)] == [
        f"password {why}",
        f"password {why}, 1 more within a minute",
    ]


def test_what_was_not_let_is_on_record_and_an_unknown_name_is_not(people: People) -> None:
    """Somebody may have typed his password there."""
    for _ in range(6):
        tries(people, "wrong")
    tries(people, "wrong", "my-secret-typed-as-name")
    rows = people.audits.rows()
    assert {row["who"] for row in rows} == {"ana", "unknown"}
    assert [row["what"] for row in rows if row["what"] == AccessKind.LOCKED] == ["locked"]
    assert not any(row["granted"] for row in rows)
    assert "my-secret" not in str(rows)


def test_no_secret_is_readable_in_the_file(people: People, tmp_path: Path) -> None:
    tries(people, PASSWORD)
    tries(people, "a wrong password")
    bytes_of_all = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"ana" in bytes_of_all
    for secret in (PASSWORD, PIN, "a wrong password"):
        assert secret.encode() not in bytes_of_all


@pytest.mark.parametrize("name", ["ana", "luis"])
def test_the_right_secret_of_the_wrong_role_signs_nothing_and_clears_no_tries(people: People, name: str) -> None:
    for _ in range(4):
        assert asyncio.run(people.check(name, "wrong", source=Source())) is None
    found = asyncio.run(people.check(name, PASSWORD, source=Source()))
    row = people.audits.rows()[-1]
    if name == "luis":
        assert found is not None
        assert people.lockout.locked(people.now_us()) == frozenset()
        return
    assert found is None
    rows = [(entry["what"], entry["who"], entry["granted"]) for entry in people.audits.rows()]
    assert rows == [("co-signed", "ana", False)] * 5 + [("locked", "ana", False)]
    assert row["about"] == "password"
    assert people.lockout.locked(people.now_us()) == {"ana"}


def test_of_two_who_both_mistyped_each_has_a_count_and_a_lock_of_his_own(people: People, clock: Clock) -> None:
    for _ in range(4):
        for name in ("ana", "luis"):
            assert tries(people, "wrong", name) is not None
    assert tries(people, "wrong", "ana") is not None
    assert people.lockout.locked(people.now_us()) == {"ana"}, "her fifth is hers alone"
    assert tries(people, PASSWORD, "luis") is None
    denied = tries(people, PASSWORD, "ana")
    assert denied is not None
    assert denied.why is Denial.LOCKED, "that he came in opens nothing for her"
    for _ in range(4):
        tries(people, "wrong", "luis")
    assert people.lockout.locked(people.now_us()) == {"ana"}, "his count began anew"
    tries(people, "wrong", "luis")
    assert people.lockout.locked(people.now_us()) == {"ana", "luis"}
    clock.pass_us(30 * S)
    assert tries(people, PASSWORD, "ana") is None
    tries(people, "wrong", "luis")
    denied = tries(people, PASSWORD, "luis")
    assert denied is not None
    assert denied.pause_s == 60, "that she came in forgives him nothing"
    people.lockout.forgive("ana")
    assert people.lockout.locked(people.now_us()) == {"luis"}
    people.lockout.forgive("luis")
    assert tries(people, PASSWORD, "luis") is None


def test_wrong_secrets_far_apart_from_one_place_count_together(people: People, clock: Clock) -> None:
    """As a script does that knows of the rate: nobody came in between, and no day went by without a try."""
    for _ in range(4):
        assert tries(people, "wrong", address="10.0.0.9") is not None
        clock.pass_us(23 * HOUR)
    denied = tries(people, "wrong", address="10.0.0.9")
    assert denied is not None
    assert denied.why is Denial.WRONG
    assert people.lockout.locked(people.now_us()) == {"ana"}
    for pause in (30, 60, 120):
        clock.pass_us(pause * S)
        assert tries(people, "wrong", address="10.0.0.9") is not None
        denied = tries(people, PASSWORD, address="10.0.0.9")
        assert denied is not None
        assert (denied.why, denied.pause_s) == (Denial.LOCKED, 2 * pause)


def test_the_minute_of_an_address_moves_with_each_try(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries that are spread over a minute become free one by one, and not all of them when a minute begins."""
    begun_s = 1_000_000.0
    now_s = begun_s
    monkeypatch.setattr("time.time", lambda: now_s)
    for number in range(PER_MINUTE):
        now_s = begun_s + 2 * number
        assert tries(people, "wrong", f"name-{number}", address="10.0.0.1") is not None
    for now_s in (begun_s + 59, begun_s + 60.5):
        told = [tries(people, PASSWORD, "luis", address="10.0.0.1") for _ in range(2)]
        assert [None if denied is None else denied.why for denied in told] == (
            [Denial.TOO_MANY] * 2 if now_s < begun_s + 60 else [None, Denial.TOO_MANY]
        )


# -- the lock itself ---------------------------------------------------------------------------------------------------


def test_a_count_is_kept_for_exactly_a_day(people: People) -> None:
    lockout, way, day_us = Lockout(people.file), Way.PASSWORD, 24 * 3600 * 1_000_000
    for _ in range(4):
        assert not lockout.attempt("ana", way, "", 1)
    assert lockout.attempt("ana", way, "", 1 + day_us), "the fifth, on the day"
    for _ in range(4):
        assert not lockout.attempt("eva", way, "", 1)
    assert not lockout.attempt("eva", way, "", 2 + day_us), "a moment later it is the first"


def test_a_new_secret_forgives_in_every_way_and_nobody_else(people: People) -> None:
    lockout = Lockout(people.file)
    for name, way in itertools.product(("ana", "eva"), Way):
        for _ in range(5):
            lockout.attempt(name, way, "", 1)
    assert lockout.locked(2) == {"ana", "eva"}
    lockout.forgive("ana")
    assert lockout.locked(2) == {"eva"}
    assert not lockout.attempt("ana", Way.PIN, "", 3)
    lockout.right("eva", Way.PIN, "")
    assert lockout.locked(2) == {"eva"}, "the right PIN says nothing of the password"
    with pytest.raises(Locked, match="30 s"):
        lockout.attempt("eva", Way.PASSWORD, "", 2)


def test_a_pause_is_over_at_its_last_microsecond(people: People) -> None:
    lockout = Lockout(people.file)
    for _ in range(5):
        lockout.attempt("ana", Way.PIN, "", 0)
    assert lockout.locked(30 * S - 1) == {"ana"}
    assert lockout.locked(30 * S) == frozenset()
    with pytest.raises(Locked) as locked:
        lockout.attempt("ana", Way.PIN, "", 30 * S - 1)
    assert locked.value.pause_s == 1
    assert lockout.attempt("ana", Way.PIN, "", 30 * S)


def test_an_address_has_twenty_secrets_a_minute_and_another_one_its_own() -> None:
    rate = Rate()
    for _ in range(20):
        rate.hit("192.0.2.1")
    with pytest.raises(TooMany):
        rate.hit("192.0.2.1")
    rate.hit("192.0.2.2")
