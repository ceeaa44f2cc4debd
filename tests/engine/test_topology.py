"""USB devices that come and go: what the pit boss is alerted of, and what is only put on record."""

from __future__ import annotations

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Plug, Severity
from tablectl.games.registry import CIRCLE_GAMES, RULEBOOKS
from tests.engine.tables import fingerprint, lines, setup, table_of

PANEL = "panel, 05f3:0405 at 1-2.3"


def changed(change: Plug, what: str = PANEL, *, is_allowed: bool = True) -> f.TopologyChanged:
    return f.TopologyChanged(at_us=0, change=change, what=what, is_allowed=is_allowed)


def in_a_hand(rulebook: str = "texas-bonus") -> Table:
    table = table_of(setup(rulebook))
    lines(table, "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As")
    assert table.state.phase.name == "dealing"
    return table


def observed(table: Table, fact: f.Fact) -> list[str]:
    return [
        incident_raised.observed
        for incident_raised in table.apply(fact)
        if isinstance(incident_raised, d.IncidentRaised)
    ]


@pytest.mark.parametrize("rulebook", [game for game in RULEBOOKS if game not in CIRCLE_GAMES])
@pytest.mark.parametrize("change", [Plug.PLUGGED, Plug.UNPLUGGED])
def test_in_a_hand_any_change_alerts_the_pit_boss_until_he_has_seen_it_and_holds_nothing(
    rulebook: str, change: Plug
) -> None:
    table = in_a_hand(rulebook)
    raised, closed = table.apply(changed(change))
    assert isinstance(raised, d.IncidentRaised)
    assert isinstance(closed, d.IncidentClosed)
    assert (raised.severity, raised.observed) == (Severity.ALERT, f"usb-{change}")
    assert raised.clause == table.state.rulebook.errors.ruling
    assert not table.state.held
    assert table.state.unseen == {raised.incident}
    assert any(isinstance(decision, d.CardPlaced) for decision in table.apply(f.Drawn(at_us=0, card=None)))
    table.apply(f.Acknowledged(at_us=0, incident=raised.incident, by="ana"))
    assert table.state.unseen == set()


def test_between_hands_what_is_allowed_is_put_on_record_and_nothing_more() -> None:
    table = table_of(setup("texas-bonus"))
    before = fingerprint(table.state)
    for change in Plug:
        assert table.apply(changed(change)) == ()
    assert fingerprint(table.state) == before


@pytest.mark.parametrize("change", Plug)
def test_what_is_foreign_alerts_whenever_it_is(change: Plug) -> None:
    for table in (table_of(setup("texas-bonus")), in_a_hand()):
        assert observed(table, changed(change, is_allowed=False)) == [f"foreign-usb-{change}"]
        assert not table.state.held


def test_a_device_that_leaves_and_comes_back_is_one_alert() -> None:
    table = in_a_hand()
    assert observed(table, changed(Plug.UNPLUGGED)) == ["usb-unplugged"]
    assert observed(table, changed(Plug.PLUGGED)) == []
    assert observed(table, changed(Plug.UNPLUGGED)) == ["usb-unplugged"]
    assert observed(table, changed(Plug.PLUGGED, f"{PANEL}.1")) == ["usb-plugged"]


def test_what_left_in_another_hand_is_a_change_of_the_hand_in_which_it_comes_back() -> None:
    table = in_a_hand()
    table.apply(changed(Plug.UNPLUGGED))
    lines(table, "call by ana\nrule 2 void-hand by ana misdeal\npress confirm\npress new-hand")
    assert table.state.in_play
    assert observed(table, changed(Plug.PLUGGED)) == ["usb-plugged"]


def test_the_panel_that_is_pulled_alerts_once_though_its_driver_says_so_too() -> None:
    table = in_a_hand()
    lost = f.DeviceLost(at_us=0, device="panel", role="panel", reason="unplugged")
    back = f.DeviceBack(at_us=0, device="panel", role="panel")
    facts: list[f.Fact] = [lost, changed(Plug.UNPLUGGED), back, changed(Plug.PLUGGED)]
    assert [seen for fact in facts for seen in observed(table, fact)] == ["usb-unplugged"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_thb_sab_1_a_shoe_that_is_pulled_is_one_alert_and_the_notice_that_holds_the_table(
    order: tuple[int, int],
) -> None:
    table = in_a_hand()
    facts: tuple[f.Fact, ...] = (
        f.DeviceLost(at_us=0, device="sabot", role="shoe", reason="unplugged"),
        changed(Plug.UNPLUGGED, "sabot, 0403:6001 at 1-1"),
    )
    raised = [
        incident_raised
        for index in order
        for incident_raised in table.apply(facts[index])
        if isinstance(incident_raised, d.IncidentRaised)
    ]
    assert sorted(incident_raised.severity for incident_raised in raised) == [Severity.ALERT, Severity.NOTICE]
    assert table.state.held


def test_a_list_of_declarations_that_is_open_stays_open() -> None:
    table = in_a_hand()
    lines(table, "press incident")
    menu = table.state.menu
    assert menu
    table.apply(changed(Plug.UNPLUGGED))
    assert table.state.menu == menu
