"""The public form of a record: complete, encode_json, without cards, and readable back."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import DECK, Card, card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import (
    Action,
    Chooser,
    Declaration,
    Equipment,
    Key,
    Plug,
    Question,
    Refusal,
    Remedy,
    SeatChange,
    Severity,
    Strange,
    Tracking,
)
from tablectl.core.events.codec import (
    UnreadableRecord,
    decode_carry,
    decode_decision,
    decode_fact,
    encode_fact,
    encode_json,
    to_plain,
    with_card,
)
from tablectl.core.settlement.banked import Outcome
from tablectl.core.timestamps import time_text, time_us
from tablectl.games.registry import rulebook_of
from tablectl.journal.record import SALT_BYTES, commitment
from tests.journal.journals import facts_of, hand_files

AT_US = 1_795_219_200_000_007
SETUP = f.Setup(
    table="Mesa ñ",
    rulebook="texas-bonus",
    seats=7,
    tracking=Tracking.PRESENCE,
    limits={"ante": f.Limits(least=500, most=10_000)},
    profile={"wrong_order": "accept"},
)
FACTS: tuple[f.Fact, ...] = (
    f.Opened(at_us=AT_US, setup=SETUP),
    f.AsksFor(at_us=AT_US, cards=3, seat=2),
    f.GameChosen(at_us=AT_US, setup=replace(SETUP, rulebook="texas-poker"), by="ana"),
    f.Drawn(at_us=AT_US, card=card("As")),
    f.Drawn(at_us=AT_US, card=None),
    f.Seen(at_us=AT_US, spot="seat-3", card=card("As"), position=2),
    f.Seen(at_us=AT_US, spot="board", card=None),
    f.Gone(at_us=AT_US, spot="house", card=card("As")),
    f.Gone(at_us=AT_US, spot="house", card=None),
    f.TimePassed(at_us=AT_US),
    f.StrangeTag(at_us=AT_US, spot="board", what=Strange.UNKNOWN),
    f.Counted(at_us=AT_US, cards=51),
    f.OnFelt(at_us=AT_US, spots=("seat-3", "board")),
    f.Shuffled(at_us=AT_US, cards=52),
    f.StandingBet(at_us=AT_US, seat=3, amounts={"ante": 500, "txb": None}, consent=True),
    f.StandsOut(at_us=AT_US, seat=3, bettor=2),
    f.Removed(at_us=AT_US, seat=3, bettor=2),
    f.Declared(at_us=AT_US, what=Declaration.CARDS_IN_CONTACT, spot="seat-3", other="seat-4"),
    f.Opened(at_us=AT_US, setup=replace(SETUP, equipment=Equipment.BOTH)),
    *(f.Pressed(at_us=AT_US, key=key) for key in (Key.INCIDENT, Key.CANCEL)),
    f.Pressed(at_us=AT_US, key=Key.WRONG_COUNT),
    f.Bets(at_us=AT_US, seat=3, amounts={"ante": 1000, "bonus": None}),
    f.Removed(at_us=AT_US, seat=3),
    f.Declared(at_us=AT_US, what=Declaration.WRONG_COUNT, spot="seat-3", cards=3, lap=2),
    f.Declared(at_us=AT_US, what=Declaration.UNREPORTED_CARD),
    f.Declared(at_us=AT_US, what=Declaration.FACE_UP_IN_SHOE, drawn=7),
    f.Ruled(at_us=AT_US, incident=4, remedy=Remedy.VOID_HAND, by="ana", reason="seen"),
    f.Ruled(at_us=AT_US, incident=4, remedy=Remedy.REVERSE, by="ana", second="luis"),
    f.SignedOn(at_us=AT_US, croupier="ana"),
    f.SignedOff(at_us=AT_US, croupier="ana"),
    f.LimitsSet(at_us=AT_US, limits={"ante": f.Limits(least=500, most=900)}, by="ana", second="luis"),
    f.Shelved(at_us=AT_US, alarm="device-light", minutes=60, by="ana", reason="lamp ordered"),
    f.Unshelved(at_us=AT_US, alarm="incident-12", by="ana"),
    f.Opened(at_us=AT_US, setup=replace(SETUP, staff=True, bands={"ante": f.Limits(least=500, most=50_000)})),
    f.Acknowledged(at_us=AT_US, incident=4, by="luis"),
    f.Acknowledged(at_us=AT_US, incident=0, by="luis", alarm="device-light"),
    f.Named(at_us=AT_US, slot="board.2", card=card("Kd"), by="ana"),
    f.Corrected(
        at_us=AT_US,
        number=12,
        by="ana",
        second="luis",
        reason="¿?",
        instead=f.Acted(at_us=AT_US, action=Action.RAISE, seat=3, to=600),
    ),
    f.Corrected(at_us=AT_US, number=12, by="ana", second="luis", reason="", card=card("Kd")),
    f.Transferred(at_us=AT_US, incident=4, giver=3, taker=1, amount=500, by="ana", second="luis"),
    f.Called(at_us=AT_US, by="croupier", reason="¿?"),
    f.DeviceLost(at_us=AT_US, device="sabot", role="shoe", reason="unplugged"),
    f.DeviceBack(at_us=AT_US, device="sabot", role="shoe"),
    f.DeviceSaid(at_us=AT_US, device="sabot", role="shoe", what="error", code=31),
    *(
        f.TopologyChanged(at_us=AT_US, change=change, what="panel, 05f3:0405 at 1-2.3", is_allowed=is_allowed)
        for change, is_allowed in zip(Plug, (False, True, True), strict=True)
    ),
    f.Failed(at_us=AT_US, fact='{"kind":"drawn"}', error="KeyError at place, line 7", card=card("As")),
    f.Acted(at_us=AT_US, action=Action.RAISE, seat=10, to=600, is_all_in=True),
    f.Acted(at_us=AT_US, action=Action.CALL),
    f.PutIn(at_us=AT_US, seat=3, chips=1000, is_single=True, said=Action.RAISE, said_to=600),
    f.PutIn(at_us=AT_US, seat=3, chips=1000),
    f.Moved(at_us=AT_US, seat=3, what=SeatChange.AWAY),
    f.Stacked(at_us=AT_US, seat=3, amount=20_000),
    f.ButtonPlaced(at_us=AT_US, seat=7),
)
SLOT = BY_NAME["seat-3.2"]
DECISIONS: tuple[d.Decision, ...] = (
    d.HandOpened(hand=7, rulebook="texas-bonus", version="1"),
    d.HandOpened(hand=7, rulebook="texas-bonus", version="1", croupier="ana"),
    d.CroupierAtTable(croupier="ana"),
    d.CroupierWaits(croupier="luis"),
    d.CroupierLeft(croupier="ana"),
    d.LimitsWait(limits={"ante": f.Limits(least=500, most=900)}),
    d.LimitsInForce(limits={"ante": f.Limits(least=500, most=900), "bonus": f.Limits(least=0, most=0)}),
    d.AlarmShelved(alarm="device-light", until_us=AT_US, by="ana", reason="lamp ordered"),
    d.AlarmUnshelved(alarm="device-light", by=""),
    d.PhaseEntered(phase="dealing"),
    d.BetTaken(seat=3, bet="ante", amount=1000),
    d.BetTaken(seat=3, bet="ante", amount=None),
    d.BetsReturned(seat=3),
    d.Folded(seat=3),
    d.Checked(seat=3),
    d.LeftToBoxes(bet="turn"),
    d.Refused(why=Refusal.OUTSIDE_LIMITS, clause="THB-LIM-2", detail="ante 5"),
    d.CardPlaced(draw=4, slot=SLOT),
    d.CardTurned(draw=4, slot=SLOT),
    d.IncidentRaised(
        incident=2,
        clause="THB-ERR-2",
        severity=Severity.ALERT,
        expected="seat-3.2",
        observed="face-up-card",
        chooser=Chooser.PIT_BOSS,
        remedies=(Remedy.DISCARD, Remedy.VOID_HAND),
        draw=4,
    ),
    d.Asked(question=Question.SEEN, about="last-card", incident=2),
    d.IncidentEscalated(incident=2, remedies=(Remedy.VOID_HAND, Remedy.CONTINUE)),
    d.IncidentEscalated(incident=2, remedies=(Remedy.VOID_HAND, Remedy.CONTINUE), two_persons=(Remedy.CONTINUE,)),
    d.IncidentClosed(incident=2, remedy=Remedy.DISCARD, by=Chooser.CROUPIER),
    d.IncidentSeen(incident=2, by="luis"),
    d.AlarmSeen(alarm="device-light", by="luis"),
    d.SeatVoided(seat=3, clause="THB-ERR-5"),
    d.HandVoided(clause="THB-ERR-1"),
    d.Refund(seat=3, bet="ante", amount=1000),
    d.Ranked(spot="house", category="two-pair"),
    d.BetSettled(seat=3, bet="ante", outcome=Outcome.WIN, odds=(3, 1), stake=1000, pays=3000, clause="THB-SET-4"),
    d.BetSettled(seat=3, bet="ante", outcome=Outcome.PUSH, odds=None, stake=None, pays=None, clause="THB-SET-4"),
    d.HandClosed(hand=7, presses=9, drawn=16),
    d.HandClosed(hand=7, presses=9, drawn=16, float_change=-500),
    d.SeatWithdrawn(seat=3, clause="TPC-PLE-1"),
    d.SeatExpelled(seat=3, clause="TPC-PLE-2"),
    d.BetReversed(seat=3, bet="txb", stake=500, pays=-500, bettor=2),
    d.BetTaken(seat=3, bet="ante", amount=500, bettor=2),
    d.BetsReturned(seat=3, bettor=2),
    d.Folded(seat=3, bettor=2),
    d.Refund(seat=3, bet="ante", amount=None, bettor=3),
    d.ButtonAt(seat=7, clause="THL-DLG-1"),
    d.PlayerNow(seat=3, what=SeatChange.AWAY),
    d.WaitsToEnter(seat=5, clause="THL-INI-10"),
    d.StackNow(seat=3, amount=20_000),
    d.Bought(seat=3, amount=2_000, total=4_000),
    d.Account(seat=3, bought=4_000, stack=1_500),
    d.SeatDrawn(seat=3, place=5, clause="FCD-SEA-3"),
    d.GameWaits(rulebook="draw-poker", clause="FCD-WIN-5"),
    d.CutOffered(),
    d.Exchanges(seat=3, cards=2),
    d.Discards(seat=3, cards=2),
    d.Discards(seat=3, cards=2, draws=(7, 9)),
    d.StubMade(cards=12, seats=(1, 2)),
    d.StubMade(cards=12, seats=(1, 2), without=4),
    d.PotCarried(amount=300),
    d.PotCarried(amount=None),
    d.Spoke(seat=3, action=Action.RAISE, to=600, added=500, is_all_in=False),
    d.Spoke(seat=3, action=Action.CALL, to=None, added=None, is_all_in=True),
    d.TakenBack(seat=3, action=Action.FOLD),
    d.Stored(seat=5, action=Action.RAISE, to=600),
    d.Withdrawn(number=12, fallen=(3,), new=(4, 5), escalated=(2,)),
    d.Again(number=12),
    d.Uncalled(seat=3, amount=400),
    d.PotMade(pot=2, amount=900, seats=(1, 2, 4)),
    d.Mucked(seat=3),
    d.Awarded(pot=1, seat=3, amount=900, clause="THL-SDN-2"),
    d.Awarded(pot=1, seat=3, amount=None, clause="THL-SDN-2"),
)


def over_the_file(value: dict[str, Any]) -> dict[str, Any]:
    """A public form as it is read from the file."""
    read: dict[str, Any] = json.loads(encode_json(value))
    return read


def name(said: object) -> str:
    return type(said).__name__


def secret_of(fact: f.Fact) -> Card | None:
    return fact.card if isinstance(fact, f.Drawn | f.Seen | f.Gone | f.Failed) else None


@pytest.mark.parametrize("fact", FACTS, ids=name)
def test_a_fact_is_the_same_after_the_journal(fact: f.Fact) -> None:
    secret = secret_of(fact)
    public = over_the_file(encode_fact(fact, None if secret is None else 64 * "0"))
    assert with_card(decode_fact(public, AT_US), secret) == fact


@pytest.mark.parametrize("decision", DECISIONS, ids=name)
def test_a_decision_is_the_same_after_the_journal(decision: d.Decision) -> None:
    assert decode_decision(over_the_file(to_plain(decision))) == decision


def test_every_kind_of_fact_and_decision_has_a_public_form_of_its_own() -> None:
    assert {type(fact) for fact in FACTS} == set(get_args(f.Fact))
    assert {type(decision) for decision in DECISIONS} == set(get_args(d.Decision))
    assert len({encode_fact(fact, None)["kind"] for fact in FACTS}) == len(get_args(f.Fact))
    assert len({to_plain(decision)["kind"] for decision in DECISIONS}) == len(get_args(d.Decision))


def test_whatever_the_engine_concludes_in_any_hand_file_survives_the_journal() -> None:
    kinds = set()
    for _, hand in hand_files():
        table = Table.resume(hand.carry, rulebook_of)
        for fact in facts_of(hand):
            for decision in table.apply(fact):
                kinds.add(type(decision))
                assert decode_decision(over_the_file(to_plain(decision))) == decision
    assert kinds == set(get_args(d.Decision))


@pytest.mark.parametrize("secret", DECK, ids=lambda deck_card: f"card {deck_card.index}")
def test_a_drawn_card_stands_nowhere_in_its_public_form(secret: Card) -> None:
    for fact in (
        f.Drawn(at_us=AT_US, card=secret),
        f.Seen(at_us=AT_US, spot="board", card=secret),
        f.Gone(at_us=AT_US, spot="board", card=secret),
        f.Failed(at_us=AT_US, fact="", error="", card=secret),
    ):
        public = encode_fact(fact, "committed")
        assert public["card"] == "committed"
        assert f'"{secret.code}"'.encode() not in encode_json(public)


def test_a_card_that_was_named_lies_open_and_stands_there() -> None:
    assert encode_fact(f.Named(at_us=AT_US, slot="board.2", card=card("Kd"), by="ana"), None)["card"] == "Kd"


def test_a_commitment_is_the_hash_of_salt_and_code() -> None:
    assert commitment("As", b"salt") == hashlib.sha256(b"saltAs").hexdigest()
    assert SALT_BYTES == 16, "as docs/journal.md says"


# --- times and bytes ------------------------------------------------------------------------------------------------


def test_a_time_is_rfc_3339_in_utc_with_microseconds() -> None:
    assert time_text(AT_US) == "2026-11-21T00:00:00.000007Z"
    assert time_text(0) == "1970-01-01T00:00:00.000000Z"


@given(st.integers(0, 4_102_444_800_000_000))
def test_a_time_is_the_same_after_the_journal(at_us: int) -> None:
    assert time_us(time_text(at_us)) == at_us


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-21T00:00:00Z",
        "2026-11-21T00:00:00.000007",
        "2026-11-21T00:00:00.000007+01:00",
        "2026-11-21 00:00:00.000007Z",
        "2026-W47-6T00:00:00.000007Z",
        "2026-13-21T00:00:00.000007Z",
        "2026-11-21T24:00:01.000007Z",
        "",
    ],
)
def test_what_no_record_has_for_a_time_is_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"no time of a record|must be in"):
        time_us(text)


@given(st.integers(0, 4_102_444_800_000_000), st.integers(0, 4_102_444_800_000_000))
def test_times_as_text_stand_in_the_order_of_time(one: int, other: int) -> None:
    assert (time_text(one) < time_text(other)) is (one < other)


def test_canonical_bytes_are_sorted_without_blanks_and_in_utf_8() -> None:
    assert encode_json({"b": [1, None, True], "a": {"ñ": "♠"}}) == '{"a":{"ñ":"♠"},"b":[1,null,true]}'.encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON, max_size=4))
def test_canonical_bytes_do_not_depend_on_the_order_of_keys(value: dict[str, Any]) -> None:
    turned = dict(reversed(value.items()))
    assert encode_json(turned) == encode_json(value)
    assert encode_json(json.loads(encode_json(value))) == encode_json(value)


# --- what goes over to the next hand --------------------------------------------------------------------------------


def test_what_goes_over_to_the_next_hand_is_the_same_after_the_journal() -> None:
    carry = Carry(
        setup=SETUP,
        hand=7,
        n_incidents=3,
        previous={1: {"ante": 1000, "bonus": None}, 9: {}},
        unseen=(1, 3),
        shoe_lost=3,
        conduct={"seat-2 commented": 1},
        kept={1: {"ante": 1000, "bonus": None}, 9: {}},
        needs_deck=True,
        is_shuffled=True,
        croupier="ana",
        next_croupier="luis",
        limits_set={"texas-bonus": f.SetLimits(file=SETUP.limits, limits={"ante": f.Limits(least=600, most=900)})},
        shelved={"incident-3": f.OnShelf(until_us=AT_US, by="ana", reason="¿?")},
        unseen_devices=("light the old one", "panel xkeys"),
    )
    assert decode_carry(over_the_file(to_plain(carry))) == carry


# --- what was written before there was more to say -------------------------------------------------------------------


def without(public: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in over_the_file(public).items() if name not in names}


def test_a_declaration_that_names_no_card_is_written_as_it_was_before_any_could() -> None:
    public = encode_fact(f.Declared(at_us=AT_US, what=Declaration.FACE_UP_IN_SHOE), None)
    assert over_the_file(public) == {
        "kind": "declared",
        "what": "face-up-in-shoe",
        **dict.fromkeys(("spot", "cards", "lap", "other")),
    }


def test_a_setup_without_equipment_is_that_of_a_shoe() -> None:
    fact = f.Opened(at_us=AT_US, setup=SETUP)
    public = over_the_file(encode_fact(fact, None))
    del public["setup"]["equipment"]
    assert decode_fact(public, AT_US) == fact


@pytest.mark.parametrize(
    ("fact", "names"),
    [
        (f.Removed(at_us=AT_US, seat=3), ["bettor"]),
        (f.Declared(at_us=AT_US, what=Declaration.WRONG_COUNT, spot="seat-3", cards=3), ["other"]),
        (f.Drawn(at_us=AT_US, card=None), ["draw", "lies"]),
        (f.Acknowledged(at_us=AT_US, incident=4, by="luis"), ["alarm"]),
    ],
)
def test_a_fact_without_the_newer_fields_is_what_it_was(fact: f.Fact, names: list[str]) -> None:
    assert decode_fact(without(encode_fact(fact, None), *names), AT_US) == fact


@pytest.mark.parametrize(
    ("decision", "name"),
    [
        (d.BetTaken(seat=3, bet="ante", amount=500), "bettor"),
        (d.BetsReturned(seat=3), "bettor"),
        (d.Folded(seat=3), "bettor"),
        (d.Refund(seat=3, bet="ante", amount=None), "bettor"),
        (d.HandClosed(hand=7, presses=9, drawn=16), "float_change"),
    ],
)
def test_a_decision_without_the_newer_fields_is_what_it_was(decision: d.Decision, name: str) -> None:
    assert decode_decision(without(to_plain(decision), name)) == decision


def test_what_went_over_to_the_next_hand_without_the_newer_fields_is_what_it_was() -> None:
    carry = Carry(setup=SETUP, hand=7, n_incidents=3, previous={1: {"ante": 1000}}, unseen=(1, 3), shoe_lost=None)
    public = without(to_plain(carry), "conduct", "kept", "needs_deck", "is_shuffled", "lost", "unseen_devices")
    del public["setup"]["equipment"]
    assert decode_carry(public) == carry


# --- what no version can have written -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "public",
    [
        {"kind": "shuffled"},
        {},
        {"kind": "pressed", "key": "banco"},
        {"kind": "pressed"},
        {"kind": "removed", "seat": 1, "chair": 2},
        {"kind": "named", "slot": "board.1", "card": "1s", "by": "ana"},
        {"kind": "opened", "setup": {"tracking": "chips"}},
    ],
)
def test_a_fact_of_no_version_is_unreadable_and_nothing_worse(public: dict[str, Any]) -> None:
    with pytest.raises(UnreadableRecord):
        decode_fact(public, AT_US)


@pytest.mark.parametrize(
    "public",
    [
        {"kind": "shuffled"},
        {},
        {"kind": "folded"},
        {"kind": "folded", "chair": 1},
        {"kind": "card-placed", "draw": 1, "slot": "seat-11.1"},
        {"kind": "asked", "question": "why", "about": "x"},
    ],
)
def test_a_decision_of_no_version_is_unreadable_and_nothing_worse(public: dict[str, Any]) -> None:
    with pytest.raises(UnreadableRecord):
        decode_decision(public)
