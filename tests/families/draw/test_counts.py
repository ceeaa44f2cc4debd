"""A wrong number of cards: what the books say then, and what nobody claims to know any more."""

from __future__ import annotations

from typing import Final

import pytest

from tablectl.core.cards import DECK, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Key, Question
from tests.engine.tables import lines
from tests.families.draw.tables import hand_of, pools_of
from tests.families.pots.people import played

THREE: Final = """rulebook draw-poker
limits bet 100..10000
limits ante 50..50
chip 50
seats 1 2 3
button 3
stack 1 2000
stack 2 2000
stack 3 2000
"""
HANDS: Final = ("As Ad 5c 8c Tc", "Ks Kd 6c 9c Jc", "2s 3s 4s 8s 9s")
_LAPS: Final = tuple(zip(*(hand.split() for hand in HANDS), strict=True))
START: Final = "> press confirm\n> press no-more-bets\n"
DEAL: Final = START + "".join(f"> draw {code}\n" for lap in _LAPS for code in lap)
SEEN: Final = START + "".join(f"> seen seat-{seat} {code}\n" for lap in _LAPS for seat, code in enumerate(lap, start=1))
ANTENNAS: Final = THREE.replace("\n", "\nequipment antennas\n", 1)
BOTH: Final = THREE.replace("\n", "\nequipment both\n", 1)


def at(table: Table, seat: int) -> list[str | None]:
    """Which cards lie at a seat, as far as that is known; None for one that nobody can name."""
    there = table.state.deal.at
    draws = [there[slot] for slot in SEATS[seat - 1] if slot in there]
    return [None if draw.card is None else draw.card.code for draw in draws]


def test_fcd_irr_8_with_a_shoe_alone_nobody_knows_any_more_which_card_lies_where() -> None:
    table, _ = played(THREE + DEAL + "> declare wrong-count seat-2 cards=4\n> press not-seen\n")
    assert [at(table, seat) for seat in (1, 2, 3)] == [[None] * 5, [None] * 4, [None] * 5]
    (pool,) = pools_of(table.state)
    assert len(pool.cards) == 15
    assert not pool.is_short


def test_fcd_irr_8_what_comes_from_the_stub_is_known_and_the_others_are_not() -> None:
    table, _ = played(
        THREE + DEAL + "> declare wrong-count seat-2 cards=4\n> press not-seen\n> press confirm\n> draw 2c\n"
    )
    assert at(table, 2) == [None, None, None, None, "2c"]


def test_fcd_irr_7_a_question_that_stands_is_not_asked_a_second_time() -> None:
    """Both presses of the key ask which seat. After the answer the question would stand again, and refuse its keys."""
    asks = "> press wrong-count\n> press wrong-count\n"
    table, found = played(THREE + DEAL + asks + "> press seat-2\n> press seat-4\n")
    assert found == ["asked looked seat-2"]
    assert [pending.question for pending in table.state.asking] == [Question.LOOKED]
    assert lines(table, "press seen")[0].startswith("incident FCD-IRR-7 expected=seat-2=5 observed=seat-2=4")


def test_fcd_irr_6b_a_card_that_everybody_has_seen_stays_where_it_lies() -> None:
    turned = DEAL.replace("> draw Kd\n", "> draw Kd\n> declare fallen-card\n")
    table, _ = played(THREE + turned + "> declare wrong-count seat-1 cards=4\n> press not-seen\n")
    assert at(table, 2) == [None, "Kd", None, None, None]


@pytest.mark.parametrize("header", [ANTENNAS, BOTH])
def test_fcd_irr_9_what_antennas_see_stays_known(header: str) -> None:
    """Only what a player holds in his hand is not seen: one card of it goes under the stub, nobody can say which."""
    dealt = SEEN if header is ANTENNAS else _both()
    lifted = "".join(f"> gone seat-2 {part}\n" for part in HANDS[1].split())
    table, found = played(
        header + dealt + lifted + "> declare wrong-count seat-2 cards=6\n> press not-seen\n> press confirm\n"
    )
    assert found == ["closed 1 under-the-stub by croupier", "asked moved stub"]
    assert at(table, 1) == HANDS[0].split()
    assert at(table, 2) == [None] * 6
    assert lines(table, "press confirm") == []
    assert at(table, 2) == [None] * 5
    assert [draw.number for draw in hand_of(table).under] == [0]


def _both() -> str:
    """Each card is drawn, and seen before the next one is."""
    dealt = [f"> draw {code}\n> seen seat-{seat} {code}\n" for lap in _LAPS for seat, code in enumerate(lap, start=1)]
    return START + "".join(dealt)


def test_fcd_irr_8_a_card_is_known_again_once_antennas_see_it() -> None:
    lifted = "".join(f"> gone seat-2 {part}\n" for part in HANDS[1].split())
    table, _ = played(ANTENNAS + SEEN + lifted + "> declare wrong-count seat-2 cards=6\n> press not-seen\n")
    assert lines(table, "seen seat-2 Jc") == ["card seat-2.1 draw=14"]
    assert at(table, 2)[0] == "Jc"


def test_fcd_irr_8_antennas_see_more_cards_than_were_counted() -> None:
    _, found = played(ANTENNAS + SEEN + "> declare wrong-count seat-2 cards=4\n")
    assert found == ["refused wrong-number FCD-IRR-7 seat-2=4"]


def test_fcd_irr_9_the_card_that_went_back_is_the_last_of_the_stub() -> None:
    table, _ = played(
        ANTENNAS + SEEN + "> seen seat-2 7h\n> press not-seen\n> press confirm\n> gone seat-2 7h\n> press confirm\n"
    )
    assert [draw.card for draw in hand_of(table).under] == [card("7h")]
    assert at(table, 2) == HANDS[1].split()


def test_fcd_irr_7_no_seat_gets_more_cards_by_the_books_than_it_has_places() -> None:
    """Antennas see every card at one seat, which cannot be: as many as have a place there are taken for his."""
    table, _ = played(ANTENNAS + SEEN)
    for hand in HANDS[1:]:
        for code in hand.split():
            table.apply(f.Gone(at_us=0, spot="seat-2" if hand is HANDS[1] else "seat-3", card=card(code)))
            table.apply(f.Seen(at_us=0, spot="seat-1", card=card(code)))
            table.apply(f.TimePassed(at_us=table.wake_us or 0))
            while table.state.asking:
                table.apply(f.Pressed(at_us=0, key=Key.CONFIRM))
    table.apply(f.Declared(at_us=0, what=Declaration.WRONG_COUNT, spot="seat-2", cards=3))
    table.apply(f.Pressed(at_us=0, key=Key.NOT_SEEN))
    there = table.state.deal.at
    assert len({id(draw) for draw in there.values()}) == len(there)
    assert len(at(table, 1)) == len(SEATS[0])


def test_fcd_irr_7_so_many_cards_cannot_lie_at_a_seat() -> None:
    table, _ = played(THREE + START + "> draw As\n")
    assert lines(table, "declare wrong-count seat-1 cards=9") == ["refused wrong-number FCD-IRR-7 seat-1=9"]


def test_fcd_irr_9_a_card_that_no_reader_saw_come_can_be_named() -> None:
    """Nobody has four, so the sixth card came without being reported: of the hands that are shown the last place holds
    a card that the shoe never told of."""
    bets = "> act 1 check\n> act 2 bet 100\n> act 3 call\n> act 1 call\n> asks 0\n> asks 0\n> asks 0\n"
    six = "> declare wrong-count seat-1 cards=6\n> press not-seen\n> press confirm\n> press confirm\n"
    table, _ = played(THREE + DEAL + six + bets + "> press all-check\n> press show-all\n")
    assert [pool.is_short for pool in pools_of(table.state)] == [True]
    places = [slot.name for seat in (1, 2, 3) for slot in SEATS[seat - 1][:5]]
    codes = [code for hand in HANDS for code in hand.split()]
    for name, code in zip(places[:-1], codes, strict=False):
        assert lines(table, f"name {name} {code} by ana") == [f"turned {name}"]
    assert lines(table, "name seat-3.5 As by ana") == ["refused card-elsewhere FCD-DSC-3 seat-3.5"]
    assert lines(table, "name seat-3.5 7h by ana")[0] == "turned seat-3.5"


@pytest.mark.parametrize("answer", ["seen", "not-seen"])
def test_fcd_irr_7_nothing_is_dealt_or_bet_before_it_is_said_whether_he_looked(answer: str) -> None:
    table, _ = played(THREE + DEAL + "> declare wrong-count seat-2 cards=4\n")
    assert lines(table, "act 1 bet 100") == ["refused held"]
    assert lines(table, "declare wrong-count seat-1 cards=4") == ["refused not-live FCD-IRR-7"]
    assert lines(table, f"press {answer}")[0].startswith("incident FCD-IRR-7" if answer == "seen" else "incident")


_CARD_AT_ANOTHER = (
    "> act 1 bet 100\n> act 2 call\n> act 3 call\n> asks 1\n> seen discard Tc\n> seen seat-2 2c\n> time +1.5\n"
)
_SIX_AND_FOUR = ["refused not-offered FCD-IRR-11 seat-2=6+seat-1=4", "asked looked seat-2", "asked looked seat-1"]


def test_fcd_dsc_2_a_card_of_the_draw_that_was_seen_at_another_seat_is_a_wrong_number_at_two() -> None:
    table, _ = played(ANTENNAS + SEEN + _CARD_AT_ANOTHER)
    assert lines(table, "press seen") == ["asked next-seat seat-1.5"]
    assert lines(table, "press seat-2") == _SIX_AND_FOUR


def test_fcd_dsc_4_a_card_at_a_seat_that_has_changed_is_no_card_of_its_own_that_came_too_soon() -> None:
    table, _ = played(ANTENNAS + SEEN + "> act 1 bet 100\n> act 2 call\n> act 3 call\n> asks 0\n> asks 1\n")
    lines(table, "seen discard Jc")
    lines(table, "seen seat-1 2c")
    assert lines(table, "time +1.5")[-1] == "asked seen seat-2.5"
    assert lines(table, "press seen") == [
        "refused not-offered FCD-IRR-11 seat-1=6+seat-2=4",
        "asked looked seat-1",
        "asked looked seat-2",
    ]


def test_fcd_dsc_2_antennas_count_again_after_the_draw() -> None:
    """A card that came to another seat was not seen, and let lie there: before the second round that seat has six."""
    table, _ = played(ANTENNAS + SEEN + _CARD_AT_ANOTHER)
    lines(table, "press not-seen")
    assert lines(table, "press confirm") == ["closed 1 correct by croupier"]
    lines(table, "asks 0")
    assert lines(table, "asks 0") == ["exchanges 3 0", "phase second-betting", "card seat-2.6", *_SIX_AND_FOUR]


def test_fcd_irr_9_a_new_stub_holds_what_lay_under_the_old_one() -> None:
    """Which of the cards it is nobody knows: one of all that were dealt, beside the two that were put away."""
    deck = [f"{rank}{suit}" for suit in "shdc" for rank in "23456789TJQKA"]
    seats = range(1, 11)
    header = THREE.replace("seats 1 2 3", f"seats {' '.join(map(str, seats))}").replace("button 3", "button 10")
    header = header.replace("rulebook draw-poker\n", "rulebook draw-poker\nprofile false_opening=not-checked\n")
    header += "".join(f"stack {seat} 2000\n" for seat in seats[3:])
    dealt = START + "".join(f"> draw {code}\n" for code in deck[:50])
    six = "> declare wrong-count seat-2 cards=6\n> press not-seen\n> press confirm\n> press confirm\n"
    bets = "> act 1 bet 100\n> act 2 call\n" + "".join(f"> act {seat} fold\n" for seat in seats[2:])
    drawn = "> asks 2\n> press confirm\n> draw Kc\n> draw Ac\n> asks 3\n> press confirm\n"
    table, found = played(header + dealt + six + bets + drawn + "> press confirm\n")
    assert found == ["stub 3 seats=1 without=2"]
    assert hand_of(table).under == []
    assert [pool.n_back for pool in pools_of(table.state)] == [3]


#: Nine players, of whom three stay; two put three cards away each, and one card of the stub is left.
NINE: Final = (
    "rulebook draw-poker\nprofile false_opening=not-checked\nlimits bet 100..10000\nlimits ante 50..50\nchip 50\n"
    f"seats {' '.join(map(str, range(1, 10)))}\nbutton 9\n" + "".join(f"stack {seat} 2000\n" for seat in range(1, 10))
)
TO_THE_LAST_CARD: Final = (
    START
    + "".join(f"> draw {deck_card.code}\n" for deck_card in DECK[:45])
    + "> act 1 bet 100\n> act 2 call\n> act 3 call\n"
    + "".join(f"> act {seat} fold\n" for seat in range(4, 10))
    + "> asks 3\n> press confirm\n"
    + "".join(f"> draw {deck_card.code}\n" for deck_card in DECK[45:48])
    + "> asks 3\n> press confirm\n"
    + "".join(f"> draw {deck_card.code}\n" for deck_card in DECK[48:51])
    + "> asks 0\n"
)


@pytest.mark.parametrize(
    ("seat", "asked"), [(1, "discards-but-seat-1"), (2, "discards-but-seat-2"), (3, "discards")], ids=["1", "2", "3"]
)
def test_fcd_dsc_6_who_lacks_a_card_gets_none_of_his_own_discards(seat: int, asked: str) -> None:
    """He alone waits (FCD-DSC-6): what the others put away makes the new stub; the third one put nothing away."""
    table, _ = played(NINE + TO_THE_LAST_CARD)
    lines(table, f"declare wrong-count seat-{seat} cards=4")
    assert lines(table, "press not-seen")[-1] == f"asked new-stub {asked}"


def test_fcd_opn_5_whoever_a_count_has_put_out_is_not_put_out_again() -> None:
    table, _ = played(THREE + DEAL + "> act 1 bet 100\n> act 2 call\n> act 3 call\n> asks 0\n> asks 0\n> asks 0\n")
    lines(table, "declare wrong-count seat-1")
    lines(table, "declare false-opening seat-1")
    lines(table, "press seat-6")
    assert lines(table, "press seen")[-1] == "pot 1 450 seats=2,3"
    assert lines(table, "rule 1 lose-bets by ana") == ["closed 1 lose-bets by pit-boss"]


def test_fcd_dsc_2_while_it_is_asked_who_gets_the_next_card_nothing_else_is_said_of_this_one() -> None:
    table, _ = played(ANTENNAS + SEEN + _CARD_AT_ANOTHER)
    lines(table, "press seen")
    assert lines(table, "declare card-elsewhere seat-2 draw=16") == ["refused card-known FCD-OPN-3 seat-1.5"]


def test_fcd_dsc_2_a_place_that_nobody_has_named_is_no_card_that_everybody_saw() -> None:
    changed = (
        "> asks 2\n> press confirm\n> draw 2c\n> draw 3c\n> asks 0\n> asks 0\n> act check\n> act check\n> act check\n"
    )
    table, _ = played(THREE + DEAL + "> act 1 bet 100\n> act 2 call\n> act 3 call\n" + changed + "> press show\n")
    assert lines(table, "declare wrong-count seat-1 cards=2")[0].startswith("incident FCD-DSC-2")
