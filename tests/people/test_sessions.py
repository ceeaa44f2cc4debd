"""How long somebody is signed on, and what ends it."""

from __future__ import annotations

import asyncio
import hashlib

import pytest

from tablectl.core.roles import Person, Role
from tablectl.people.accounts import Way
from tablectl.people.administration import Administration, By
from tablectl.people.hashing import Hashing
from tablectl.people.people import Denial, Denied, People
from tablectl.people.presence import Presence
from tablectl.people.sessions import csrf_of, is_csrf
from tablectl.people.source import Source
from tablectl.people.tokens import new_token
from tests.people.clock import HOUR, MINUTE, Browser, Clock, S, person_of
from tests.screens.signed_on import CHEAP, PASSWORD, PIN, house

BY = By(name="marta")
NEW = "another long password"


def at_desk(people: People, name: str = "luis") -> Browser:
    return Browser(asyncio.run(people.sign_on(name, PASSWORD, way=Way.PASSWORD, source=Source(address="1"))))


def at_table(people: People, name: str = "ana") -> Browser:
    return Browser(asyncio.run(people.sign_on(name, PIN, way=Way.PIN, source=Source(is_at_table=True))))


def test_a_token_is_256_bits_at_random_and_only_its_digest_is_kept(people: People) -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 43 for token in tokens)
    browser = at_desk(people)
    kept = people.file.rows("SELECT digest FROM sessions")
    assert kept == [(hashlib.sha256(browser.token.encode()).hexdigest(),)]


def test_who_signed_on_is_who_asks(people: People) -> None:
    person = person_of(people, at_desk(people))
    assert person is not None
    assert person == Person(name="luis", roles=frozenset({Role.PIT_BOSS}))
    assert person_of(people, Browser("")) is None
    assert person_of(people, Browser("x" * 43)) is None
    assert person_of(people, Browser("\ud800")) is None


def test_at_a_desk_it_ends_a_quarter_of_an_hour_after_the_last_thing_done(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    for _ in range(4):
        clock.pass_us(14 * MINUTE)
        assert people.signed_on(browser.token, is_activity=True) is not None
    clock.pass_us(15 * MINUTE)
    assert people.signed_on(browser.token, is_activity=True) is None


def test_whoever_deals_is_gone_after_as_long_without_a_touch_as_the_house_says(people: People, clock: Clock) -> None:
    at_desk(people)
    patient = People(people.file.path, parameters=CHEAP, now_us=clock.now_us, idle_us=90 * MINUTE)
    hasty = People(people.file.path, parameters=CHEAP, now_us=clock.now_us, idle_us=5 * MINUTE)
    clock.pass_us(89 * MINUTE)
    assert not Presence(patient).is_gone("luis")
    clock.pass_us(MINUTE)
    assert Presence(patient).is_gone("luis")
    at_desk(people)
    clock.pass_us(5 * MINUTE)
    assert Presence(hasty).is_gone("luis")
    assert not Presence(people).is_gone("luis"), "of a quarter of an hour"
    for sessions in (patient, hasty):
        sessions.file.close()


def test_at_a_desk_it_lasts_as_long_without_a_touch_as_the_house_says(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    patient = People(people.file.path, parameters=CHEAP, now_us=clock.now_us, idle_us=90 * MINUTE)
    clock.pass_us(90 * MINUTE - S)
    assert person_of(patient, browser) is not None
    clock.pass_us(S)
    assert person_of(patient, browser) is None
    patient.file.close()


def test_what_a_person_does_is_written_down_every_twenty_seconds_at_most(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    began_us = clock.now_us()
    noted: list[object] = []
    for pause_us in (20 * S - 1, 1, 19 * S):
        clock.pass_us(pause_us)
        people.signed_on(browser.token, is_activity=True)
        noted.append(people.file.rows("SELECT active_us FROM sessions"))
    assert noted == [[(began_us,)], [(began_us + 20 * S,)], [(began_us + 20 * S,)]]


def test_pages_that_only_follow_keep_no_session_open(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    for _ in range(15):
        assert person_of(people, browser) is not None
        clock.pass_us(MINUTE)
    assert person_of(people, browser) is None


def test_at_the_table_it_lasts_without_a_touch_for_twelve_hours(people: People, clock: Clock) -> None:
    browser = at_table(people)
    clock.pass_us(12 * HOUR - S)
    assert person_of(people, browser) is not None
    clock.pass_us(S)
    assert person_of(people, browser) is None


def test_no_activity_makes_it_longer_than_twelve_hours(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    for _ in range(12 * 6 - 1):
        clock.pass_us(10 * MINUTE)
        assert people.signed_on(browser.token, is_activity=True) is not None
    clock.pass_us(10 * MINUTE)
    assert people.signed_on(browser.token, is_activity=True) is None


# --- the alarms that time leaves -------------------------------------------------------------------------------------


def idle(people: People, clock: Clock, name: str = "luis") -> Browser:
    """Somebody who walked away from his desk long enough."""
    browser = at_desk(people, name)
    clock.pass_us(15 * MINUTE)
    assert people.signed_on(browser.token) is None
    return browser


def test_time_leaves_the_alarms_for_twelve_hours_and_nothing_else(people: People, clock: Clock) -> None:
    browser = idle(people, clock)
    clock.pass_us(12 * HOUR - S)
    view = people.alarm_view(browser.token)
    assert view is not None
    assert (view.name, view.until_us) == ("luis", clock.us + S)
    assert people.signed_on(browser.token, is_activity=True) is None
    clock.pass_us(S)
    assert people.alarm_view(browser.token) is None


def test_the_end_of_the_longest_session_leaves_the_alarms_too(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    for _ in range(12 * 6 - 1):
        clock.pass_us(10 * MINUTE)
        assert people.signed_on(browser.token, is_activity=True) is not None
    assert people.alarm_view(browser.token) is None
    at_desk(people, "ana")
    clock.pass_us(10 * MINUTE)
    at_desk(people, "ana")  # whoever signs on clears away what is over
    assert people.signed_on(browser.token) is None
    assert people.alarm_view(browser.token) is not None


def test_a_browser_that_asks_only_after_its_twelve_hours_has_nothing(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    clock.pass_us(15 * MINUTE + 12 * HOUR)
    assert people.signed_on(browser.token) is None
    assert people.alarm_view(browser.token) is None
    assert people.file.rows("SELECT * FROM alarm_views") == []


def test_a_clock_that_is_set_back_makes_no_session_of_the_alarms(people: People, clock: Clock) -> None:
    browser = idle(people, clock)
    clock.pass_us(-10 * MINUTE)
    assert people.signed_on(browser.token) is None
    assert people.alarm_view(browser.token) is not None


@pytest.mark.parametrize("what", ["off", "disable", "reset", "roles", "end-all"])
def test_who_signs_off_or_is_shut_out_has_no_alarms_any_more(people: People, clock: Clock, what: str) -> None:
    browser, others = idle(people, clock), idle(people, clock)
    view = people.alarm_view(browser.token)
    assert view is not None
    administration = Administration(people)
    if what == "off":
        people.end_alarm_view(view)
        row = people.audits.rows()[-1]
        assert (row["what"], row["who"], row["role"], row["about"]) == ("signed-off", "luis", "pit-boss", "alarms")
    elif what == "disable":
        administration.set_disabled("luis", disabled=True, by=BY)
    elif what == "reset":
        asyncio.run(administration.reset("luis", by=BY))
    elif what == "roles":
        administration.set_roles("luis", [Role.PIT_BOSS, Role.AUDITOR], by=BY)
    else:
        people.sessions.end_all("luis")
    assert people.alarm_view(browser.token) is None
    assert (people.alarm_view(others.token) is not None) is (what == "off")


def test_a_program_that_does_not_know_the_alarms_can_shut_an_account_for_them_too(people: People, clock: Clock) -> None:
    """One that was put back ends sessions alone."""
    browser = idle(people, clock)
    assert people.alarm_view(browser.token) is not None
    people.file.write("UPDATE accounts SET disabled = 1 WHERE name = 'luis'")
    assert people.alarm_view(browser.token) is None


def test_signing_off_while_the_session_holds_leaves_nothing(people: People, clock: Clock) -> None:
    browser = at_desk(people)
    found = people.signed_on(browser.token)
    assert found is not None
    people.sign_off(found)
    clock.pass_us(15 * MINUTE)
    assert people.signed_on(browser.token) is None
    assert people.alarm_view(browser.token) is None


def test_the_alarms_are_left_to_whoever_follows_them_alone(people: People, clock: Clock) -> None:
    assert people.alarm_view(idle(people, clock, "ana").token) is None
    table = at_table(people)
    clock.pass_us(12 * HOUR)
    assert people.signed_on(table.token) is None
    people.accounts.set_roles("ana", Role)
    assert people.alarm_view(table.token) is None
    assert people.alarm_view("") is None


def test_a_person_who_signs_off_is_off_here_alone(people: People) -> None:
    here, there = at_desk(people), at_desk(people)
    found = people.signed_on(here.token)
    assert found is not None
    people.sign_off(found)
    assert person_of(people, here) is None
    assert person_of(people, there) is not None


@pytest.mark.parametrize("what", ["disable", "reset", "roles", "badges"])
def test_whatever_makes_an_account_worth_less_ends_its_sessions_at_once(people: People, what: str) -> None:
    mine, anothers = at_desk(people, "ana"), at_desk(people, "luis")
    table = at_table(people)
    administration = Administration(people)
    if what == "disable":
        administration.set_disabled("ana", disabled=True, by=BY)
    elif what == "reset":
        asyncio.run(administration.reset("ana", by=BY))
    elif what == "roles":
        administration.set_roles("ana", [Role.AUDITOR], by=BY)
    else:
        administration.remove_badges("ana", by=BY)
    assert person_of(people, mine) is None
    assert person_of(people, table) is None
    assert person_of(people, anothers) is not None


def test_another_process_that_disables_an_account_ends_them_too(people: People) -> None:
    browser = at_desk(people)
    again = house(people.file.path)
    Administration(again).set_disabled("luis", disabled=True, by=BY)
    again.file.close()
    assert person_of(people, browser) is None


def test_a_new_password_ends_all_sessions_but_the_one_that_it_begins(people: People) -> None:
    browser, other = at_desk(people), at_desk(people)
    found = people.signed_on(browser.token)
    assert found is not None
    token = asyncio.run(people.change_password(found, PASSWORD, NEW, source=Source(address="1")))
    assert person_of(people, browser) is None
    assert person_of(people, other) is None
    assert person_of(people, Browser(token)) is not None
    with pytest.raises(Denied):
        at_desk(people)


@pytest.mark.parametrize("by", ["reset", "disable"])
@pytest.mark.parametrize("what", ["password", "pin"])
def test_a_secret_that_is_chosen_while_the_manager_acts_is_not_set(people: People, what: str, by: str) -> None:
    """He proved the old one, and while the new one is hashed the manager gives another, or shuts the account."""
    found = people.signed_on(at_desk(people, "ana").token)
    assert found is not None
    administration, kept_before = Administration(people), people.accounts.kept("ana", Way.PIN)
    given: list[str] = []

    class Slow(Hashing):
        """While it hashes what is chosen, something happens."""

        def made(self, secret: str) -> str:
            if secret in (NEW, "161803") and not given:
                given.append("")
                if by == "reset":
                    given.append(asyncio.run(administration.reset("ana", by=BY)))
                else:
                    administration.set_disabled("ana", disabled=True, by=BY)
            return super().made(secret)

    people.hashing = Slow(CHEAP)
    changed = (
        people.change_password(found, PASSWORD, NEW, source=Source(address="1"))
        if what == "password"
        else people.change_pin(found, PASSWORD, "161803", source=Source(address="1"))
    )
    with pytest.raises(Denied) as caught:
        asyncio.run(changed)
    assert caught.value.why is Denial.WRONG
    account = people.accounts.find("ana")
    assert account is not None
    assert (account.must_change, account.disabled) == (by == "reset", by == "disable")
    assert people.accounts.kept("ana", Way.PIN) == (None if by == "reset" else kept_before)
    assert people.file.rows("SELECT name FROM sessions") == []
    row = people.audits.rows()[-1]
    assert (row["what"], row["about"], row["granted"]) == ("refused", "password, changed meanwhile", False)
    if by == "reset":
        assert asyncio.run(people.sign_on("ana", given[-1], way=Way.PASSWORD, source=Source(address="1")))


def test_with_a_pin_one_is_a_croupier_and_nothing_else(people: People) -> None:
    people.accounts.set_roles("ana", Role)
    person = person_of(people, at_table(people))
    assert person is not None
    assert person.roles == {Role.CROUPIER}


@pytest.mark.parametrize(("name", "here"), [("luis", True), ("ana", False)])
def test_a_pin_is_good_for_a_croupier_at_the_table_alone(people: People, name: str, *, here: bool) -> None:
    people.accounts.set_pin("luis", people.hashing.made(PIN))
    with pytest.raises(Denied) as caught:
        asyncio.run(people.sign_on(name, PIN, way=Way.PIN, source=Source(is_at_table=here)))
    assert caught.value.why is (Denial.WRONG if here else Denial.NOT_HERE)


def test_a_given_password_opens_nothing_but_the_choice_of_another(people: People) -> None:
    given = asyncio.run(Administration(people).reset("luis", by=BY))
    browser = Browser(asyncio.run(people.sign_on("luis", given, way=Way.PASSWORD, source=Source(address="1"))))
    found = people.signed_on(browser.token)
    assert found is not None
    assert found.account.must_change
    assert found.person.roles == frozenset()
    assert asyncio.run(people.check("luis", given, source=Source())) is None
    token = asyncio.run(people.change_password(found, given, NEW, source=Source(address="1")))
    person = person_of(people, Browser(token))
    assert person is not None
    assert person.roles == {Role.PIT_BOSS}
    with pytest.raises(Denied):
        asyncio.run(people.sign_on("luis", given, way=Way.PASSWORD, source=Source(address="1")))


@pytest.mark.parametrize("what", ["reset", "new"])
def test_a_given_password_is_good_for_a_day(people: People, clock: Clock, what: str) -> None:
    administration = Administration(people)
    if what == "reset":
        given = asyncio.run(administration.reset("luis", by=BY))
    else:
        given = asyncio.run(administration.add("eva", display="Eva", roles=[Role.AUDITOR], by=BY))
    name = "luis" if what == "reset" else "eva"
    clock.pass_us(24 * HOUR - S)
    found = people.signed_on(
        Browser(asyncio.run(people.sign_on(name, given, way=Way.PASSWORD, source=Source(address="1")))).token
    )
    assert found is not None
    clock.pass_us(S)
    with pytest.raises(Denied):
        asyncio.run(people.sign_on(name, given, way=Way.PASSWORD, source=Source(address="1")))
    with pytest.raises(Denied):
        asyncio.run(people.change_password(found, given, NEW, source=Source(address="1")))
    clock.pass_us(-48 * HOUR)
    with pytest.raises(Denied):
        asyncio.run(people.sign_on(name, given, way=Way.PASSWORD, source=Source(address="1")))


def test_a_page_of_one_session_is_none_of_another(people: People) -> None:
    one, other = at_desk(people), at_desk(people)
    assert is_csrf(one.token, csrf_of(one.token))
    assert not is_csrf(one.token, csrf_of(other.token))
    assert not is_csrf(one.token, "")
    assert not is_csrf(one.token, "\ud800")
