"""Each field of a state says how long it lives; what a hand forgets, is carried and taken over follows from that."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from tablectl.core.engine.carry import MEMBERS
from tablectl.core.engine.decisions import HandClosed, HandOpened
from tablectl.core.engine.facts import Pressed
from tablectl.core.engine.felt import Felt
from tablectl.core.engine.lifetime import Lifetime, begin_hand, lifetime_of, take_over
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.folding.hand import DECISIONS
from tablectl.core.public_table.table import PublicTable, SeatView
from tablectl.families.banked.state import BankedState
from tablectl.families.draw.state import DrawState
from tablectl.families.holdem.state import HoldemState
from tablectl.games.registry import GAMES
from tests.engine.tables import plain, setup, table_of

STATES = (BankedState, HoldemState, DrawState)
#: What is settled when a state is made, or with each fact, phase and entry: it lives as long as the state does.
OF_THE_STATE = {
    *(
        "setup",
        "rulebook",
        "family",
        "machine",
        "amounts",
        "has_antennas",
        "in_play",
        "next_setup",
        "limits_wait",
        "presses",
    ),
    *(
        "is_reported",
        "is_of_readers",
        "misses_entries",
        "now_us",
        "menu",
        "decided",
        "chosen",
        "place_rules",
        "betting_rules",
    ),
}
#: What goes from hand to hand and is in no carry: it is asked or raised again where a journal goes on, waits for cards
#: that are drawn again then, or stops a new hand until it is over; or it is there only while a hand is played again.
NOT_CARRIED = {"asking", "ruling", "requests", "out", "seat_draw", "known_incidents"}


def names(kind: type[State], *lifetimes: Lifetime | None) -> set[str]:
    return {field.name for field in fields(kind) if lifetime_of(field) in lifetimes}


@pytest.mark.parametrize("kind", STATES)
def test_every_field_says_how_long_it_lives(kind: type[State]) -> None:
    assert names(kind, None) <= OF_THE_STATE


@pytest.mark.parametrize("kind", STATES)
def test_what_outlives_a_hand_is_carried_to_the_next_one(kind: type[State]) -> None:
    assert names(kind, Lifetime.TABLE, Lifetime.BETWEEN_HANDS) - NOT_CARRIED <= set(MEMBERS)


def test_a_carry_has_nothing_that_no_state_has() -> None:
    assert set(MEMBERS) <= {field.name for kind in STATES for field in fields(kind)}


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_that_is_forgotten_leaves_what_a_new_table_has(game: str) -> None:
    state, new = table_of(setup(game)).state, table_of(setup(game)).state
    of_hand = names(type(state), Lifetime.HAND)
    for name in of_hand:
        setattr(state, name, "of the hand before")
    begin_hand(state)
    assert {name: plain(getattr(state, name)) for name in of_hand} == {
        name: plain(getattr(new, name)) for name in of_hand
    }


def test_another_game_takes_over_what_it_has_itself_and_nothing_of_the_old_rules() -> None:
    before, after = table_of(setup("draw-poker")).state, table_of(setup("texas-bonus")).state
    assert isinstance(after, BankedState)
    felt = Felt()
    before.hand, before.felt = 7, felt
    take_over(after, before, Lifetime.TABLE, Lifetime.HAND)
    assert after.hand == 7
    assert after.felt is felt
    assert after.kept == {}
    assert not hasattr(after, "bought")


@pytest.mark.parametrize(
    "said", [HandOpened(hand=2, rulebook="texas-bonus", version="1"), HandClosed(hand=2, drawn=0, presses=0)]
)
def test_what_the_public_table_shows_of_one_hand_begins_anew_and_ends_with_it(said: HandOpened | HandClosed) -> None:
    of_hand = {field.name for field in fields(PublicTable) if lifetime_of(field) is Lifetime.HAND}
    assert of_hand > {"settled", "corrections", "void"}
    before: dict[str, Any] = dict.fromkeys(of_hand, ("of the hand before",))
    before |= {"seats": {3: SeatView(seat=3)}, "ranks": {"house": "pair"}}
    record = PublicRecord(seq=9, hand=2, at_us=0, event=Pressed(at_us=0, key=Key.CONFIRM))
    seen = DECISIONS[type(said)](replace(PublicTable(), **before), said, record)
    assert {name: getattr(seen, name) for name in of_hand} == {name: getattr(PublicTable(), name) for name in of_hand}
