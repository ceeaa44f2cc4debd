"""Tags of many readers become cards at spots: each card at one spot, moved once, and drawn before it is seen."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import TagIn, TagOut
from drivers.sealed import Sealed
from tablectl.config.decks import CLONE_US
from tablectl.config.spots import MOUTH
from tablectl.core.cards import DECK, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Strange
from tablectl.table.decks.tag_tracker import AGAIN_US, SETTLED_US, TagTracker
from tests.decks.decks import BLUE, RED, SPOTS, came, drawn, gone, left, seen


def table(not_cards: tuple[str, ...] = ()) -> TagTracker:
    made = TagTracker(SPOTS, not_cards=not_cards)
    made.know(RED, frozenset(BLUE))
    made.is_in_hand = True
    return made


def told(there: TagTracker, *facts: TagIn | TagOut) -> list[f.Fact]:
    return [
        fact
        for tag_fact in facts
        for fact in (there.came(tag_fact) if isinstance(tag_fact, TagIn) else there.left(tag_fact))
    ]


def test_a_card_that_comes_to_a_spot_is_seen_there_and_gone_when_it_is_lifted() -> None:
    there = table()
    assert told(there, came("As", "felt", 1)) == [seen("As", "seat-1")]
    assert told(there, left("As", "felt", 1)) == [gone("As", "seat-1")]


def test_an_antenna_that_looks_at_one_place_of_a_spot_says_which() -> None:
    assert told(table(), came("As", "felt", 4)) == [seen("As", "house", 2)]


def test_a_card_that_is_pushed_from_one_reader_to_another_is_at_the_first_until_that_lets_go() -> None:
    there = table()
    told(there, came("As", "felt", 2))
    assert told(there, came("As", "middle")) == []
    assert told(there, left("As", "felt", 2)) == [gone("As", "seat-2"), seen("As", "board")]


def test_a_card_that_two_antennas_of_one_spot_see_is_seen_once() -> None:
    there = table()
    assert told(there, came("As", "middle", 1), came("As", "middle", 2)) == [seen("As", "board")]
    assert told(there, left("As", "middle", 1)) == []
    assert told(there, left("As", "middle", 2)) == [gone("As", "board")]


def test_what_an_antenna_sees_that_looks_nowhere_is_nothing() -> None:
    assert told(table(), came("As", "felt", 9), left("As", "felt", 9)) == []


def test_the_stub_is_no_place_where_cards_are_dealt() -> None:
    there = table()
    assert told(there, came("As", "tray"), left("As", "tray")) == []
    told(there, came("Kd", "felt", 1), came("Kd", "tray"))
    assert told(there, left("Kd", "felt", 1)) == [gone("Kd", "seat-1")], "back to the stub, and not seen there"


# --- the shoe ---------------------------------------------------------------------------------------------------------


def test_a_card_that_leaves_the_mouth_of_the_shoe_was_drawn() -> None:
    there = table()
    assert told(there, came("As", "sabot")) == []
    assert told(there, left("As", "sabot", at_us=7)) == [drawn("As", at_us=7)]


def test_a_card_that_is_seen_before_the_mouth_lets_go_of_it_was_drawn_first_and_once() -> None:
    there = table()
    assert told(there, came("As", "sabot"), came("As", "felt", 1)) == [drawn("As"), seen("As", "seat-1")]
    assert told(there, left("As", "sabot")) == []


def test_two_cards_drawn_at_once_are_two_draws_in_the_order_in_which_they_leave() -> None:
    there = table()
    said = told(there, came("As", "sabot"), came("Kd", "sabot"), left("Kd", "sabot"), left("As", "sabot"))
    assert said == [drawn("Kd"), drawn("As")]


def test_a_foreign_card_out_of_the_shoe_is_an_unread_card_and_an_alarm() -> None:
    there = table()
    said = told(there, came("As", "sabot", deck=BLUE), left("As", "sabot", deck=BLUE))
    assert said == [drawn(None), f.StrangeTag(at_us=0, spot=MOUTH, what=Strange.FOREIGN)]


def test_a_card_that_leaves_the_shoe_while_its_twin_lies_on_the_felt_is_a_copy() -> None:
    there = table()
    told(there, came("As", "felt", 1))
    said = told(there, came("As", "sabot", at_us=SETTLED_US), left("As", "sabot", at_us=SETTLED_US))
    assert said == [drawn(None, at_us=SETTLED_US), f.StrangeTag(at_us=SETTLED_US, spot=MOUTH, what=Strange.CLONED)]


def test_a_card_that_a_reader_has_just_seen_beside_the_mouth_is_no_copy() -> None:
    there = table()
    told(there, came("As", "felt", 1))
    assert told(there, came("As", "sabot", at_us=5), left("As", "sabot", at_us=9)) == [drawn("As", at_us=9)]


def test_a_card_that_lies_at_the_stub_may_go_past_the_mouth() -> None:
    there = table()
    told(there, came("As", "tray"))
    assert told(there, came("As", "sabot", at_us=SETTLED_US), left("As", "sabot", at_us=SETTLED_US)) == [
        drawn("As", at_us=SETTLED_US)
    ]


def test_a_card_that_hesitates_at_the_mouth_is_drawn_once_and_one_that_comes_again_later_is_a_copy() -> None:
    there = table()
    assert told(there, came("As", "sabot"), left("As", "sabot")) == [drawn("As")]
    assert told(there, came("As", "sabot", at_us=5), left("As", "sabot", at_us=AGAIN_US - 1)) == []
    late_us = 3 * AGAIN_US
    assert told(there, came("As", "sabot", at_us=late_us), left("As", "sabot", at_us=late_us)) == [
        drawn(None, at_us=late_us),
        f.StrangeTag(at_us=late_us, spot=MOUTH, what=Strange.CLONED),
    ]
    there.hand_closed()
    later_us = 9 * AGAIN_US
    assert told(there, came("As", "sabot", at_us=later_us), left("As", "sabot", at_us=later_us)) == [
        drawn("As", at_us=later_us)
    ]


def test_fcd_dsc_5_a_card_that_went_back_into_the_deck_is_drawn_again_and_is_no_copy() -> None:
    there = table()
    told(there, came("As", "sabot"), left("As", "sabot"), came("Kd", "sabot"), left("Kd", "sabot"))
    there.went_back(lambda drawn_card: drawn_card == card("As"))
    late_us = 3 * AGAIN_US
    assert told(there, came("As", "sabot", at_us=late_us), left("As", "sabot", at_us=late_us)) == [
        drawn("As", at_us=late_us)
    ]
    later_us = 9 * AGAIN_US
    for code in ("As", "Kd"):
        assert told(there, came(code, "sabot", at_us=later_us), left(code, "sabot", at_us=later_us))[1:] == [
            f.StrangeTag(at_us=later_us, spot=MOUTH, what=Strange.CLONED)
        ], "it was drawn once more, and is out" if code == "As" else "it never went back"


def test_fcd_dsc_5_a_card_that_went_back_into_the_deck_is_drawn_again_however_soon() -> None:
    there = table()
    told(there, came("As", "sabot"), left("As", "sabot"))
    there.went_back(lambda other: other == card("As"))
    soon_us = AGAIN_US // 2
    assert told(there, came("As", "sabot", at_us=soon_us), left("As", "sabot", at_us=soon_us)) == [
        drawn("As", at_us=soon_us)
    ]
    assert told(there, came("As", "sabot", at_us=soon_us + 5), left("As", "sabot", at_us=soon_us + 9)) == [], (
        "it hesitates as any other"
    )


# --- readers that are away ------------------------------------------------------------------------------------------


def test_a_card_that_was_moved_while_its_reader_was_away_is_where_it_is_seen() -> None:
    there = table()
    told(there, came("As", "felt", 1))
    there.lost("felt")
    assert told(there, came("As", "middle")) == [gone("As", "seat-1"), seen("As", "board")]
    assert there.deadline_us() is None, "nobody sees it twice"


def test_a_reader_that_is_away_sees_no_copy() -> None:
    there = table()
    told(there, came("As", "middle"), came("As", "felt", 1))
    assert there.deadline_us() is not None
    there.lost("felt")
    assert there.deadline_us() is None
    there.back("felt")
    assert there.deadline_us() is not None


def test_a_card_that_was_put_back_into_the_shoe_is_drawn_again() -> None:
    there = table()
    told(there, came("As", "felt", 1), left("As", "felt", 1))
    assert told(there, came("As", "sabot"), left("As", "sabot")) == [drawn("As")]


# --- tags that should not be there ------------------------------------------------------------------------------------


def tag(value: str, device: str, antenna: int = 1) -> TagIn:
    return TagIn(device=device, at_us=0, tag=Sealed(value), antenna=antenna)


def test_a_card_of_another_deck_is_an_alarm_wherever_it_is() -> None:
    for device, spot in (("felt", "seat-1"), ("middle", "board"), ("tray", "stub")):
        said = told(table(), came("As", device, deck=BLUE))
        assert said == [f.StrangeTag(at_us=0, spot=spot, what=Strange.FOREIGN)]


def test_a_tag_of_no_deck_is_an_alarm() -> None:
    assert told(table(), tag("E00401", "felt")) == [f.StrangeTag(at_us=0, spot="seat-1", what=Strange.UNKNOWN)]


def test_a_tag_that_the_house_says_is_no_card_is_nobodys_concern() -> None:
    there = table(not_cards=("08", "E00401"))
    assert told(there, tag("E0040122", "felt"), tag("08123456", "sabot")) == []
    assert told(there, TagOut(device="sabot", at_us=0, tag=Sealed("08123456"), antenna=1)) == []


def test_a_card_that_two_spots_go_on_seeing_is_an_alarm_once() -> None:
    there = table()
    told(there, came("As", "felt", 1, at_us=100))
    assert there.deadline_us() is None
    told(there, came("As", "middle", at_us=200))
    assert there.deadline_us() == 200 + CLONE_US
    assert list(there.overdue(199 + CLONE_US)) == []
    alarm = f.StrangeTag(at_us=200 + CLONE_US, spot="board", what=Strange.CLONED)
    assert list(there.overdue(200 + CLONE_US)) == [alarm]
    assert list(there.overdue(900 + CLONE_US)) == []
    assert there.deadline_us() is None
    told(there, left("As", "middle", at_us=300))
    told(there, came("As", "middle", at_us=400))
    assert there.deadline_us() == 400 + CLONE_US, "it was in one place meanwhile"


def test_a_card_between_two_antennas_of_one_spot_is_in_one_place() -> None:
    there = table()
    told(there, came("As", "middle", 1), came("As", "middle", 2))
    assert there.deadline_us() is None


# --- the count --------------------------------------------------------------------------------------------------------


def test_cards_that_were_dealt_and_cards_that_remained_are_counted_together() -> None:
    there = table()
    codes = [deck_card.code for deck_card in DECK]
    told(there, *(came(code, "tray") for code in codes[4:]), *(came(code, "felt", 1) for code in codes[:3]))
    assert there.count() == 51
    told(there, came(codes[3], "rack"))
    assert there.count() == 52
    there.hand_closed()
    assert there.count() == 52, "they are all seen at this moment"
    told(there, left(codes[0], "felt", 1))
    there.hand_closed()
    assert there.count() == 51, "one that nobody has seen since"
    told(there, came("As", "tray", deck=BLUE))
    assert there.count() == 51, "a card of another deck is none of this one"


def test_without_an_antenna_at_the_stub_nobody_can_count() -> None:
    there = TagTracker({key: spot for key, spot in SPOTS.items() if spot.name != "stub"})
    there.know(RED, ())
    told(there, came("As", "felt"))
    assert there.count() is None


def test_without_a_deck_in_play_nobody_can_count() -> None:
    assert TagTracker(SPOTS).count() is None


# --- any order --------------------------------------------------------------------------------------------------------

MOVES = st.lists(st.tuples(st.sampled_from(["As", "Kd", "7h"]), st.sampled_from(sorted(SPOTS)), st.booleans()))


@given(MOVES)
def test_whatever_readers_tell_a_card_is_at_one_spot_at_a_time(
    moves: Iterable[tuple[str, tuple[str, int], bool]],
) -> None:
    there = table()
    lies: dict[str, str] = {}
    for code, (device, antenna), comes in moves:
        told_now = told(there, came(code, device, antenna) if comes else left(code, device, antenna))
        for fact in told_now:
            match fact:
                case f.Seen():
                    assert code not in lies
                    lies[code] = fact.spot
                case f.Gone():
                    assert lies.pop(code) == fact.spot
                case _:
                    assert isinstance(fact, f.Drawn | f.StrangeTag)


@pytest.mark.parametrize("seed", range(5))
def test_a_whole_deal_out_of_an_rfid_shoe_is_the_deal(seed: int) -> None:
    """Mouth and felt overlap, as they do with a real reader that takes a moment to miss a card."""
    chance = random.Random(seed)
    there = table()
    expected: list[f.Fact] = []
    found: list[f.Fact] = []
    for number, deck_card in enumerate(chance.sample(DECK, 20)):
        antenna = number % 2 + 1
        expected += [drawn(deck_card.code), seen(deck_card.code, f"seat-{antenna}")]
        ends: list[TagIn | TagOut] = [came(deck_card.code, "felt", antenna), left(deck_card.code, "sabot")]
        chance.shuffle(ends)
        found += told(there, came(deck_card.code, "sabot"), *ends)
    assert found == expected
