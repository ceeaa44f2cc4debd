"""Card by card: each tag is bound once, to the card that is due, and nothing is bound while two lie there."""

from __future__ import annotations

from tablectl.cards import DECK, card
from tablectl.decks.enrolment import NEW_PACK, Enrolment, Said
from tests.decks.decks import BLUE


def enrolment() -> Enrolment:
    return Enrolment(dict.fromkeys(BLUE, "blue 7").get)


def test_a_new_pack_has_every_card_once() -> None:
    assert len(NEW_PACK) == 52
    assert set(NEW_PACK) == set(DECK)


def test_a_whole_deck_is_bound_in_the_order_in_which_it_was_laid() -> None:
    made = enrolment()
    for number, each in enumerate(NEW_PACK):
        assert made.due is each
        assert made.done == number
        assert made.came(f"{number:08X}") is Said.BOUND
        made.left(f"{number:08X}")
    assert made.due is None
    assert list(made.tags.values()) == list(NEW_PACK)


def test_a_card_that_is_laid_twice_is_bound_once() -> None:
    made = enrolment()
    made.came("01")
    made.left("01")
    assert made.came("01") is Said.AGAIN
    assert made.tags == {"01": card("As")}


def test_a_card_of_another_deck_is_bound_to_nothing() -> None:
    made = enrolment()
    assert made.came(next(iter(BLUE))) is Said.OF_ANOTHER_DECK
    assert made.done == 0


def test_of_two_cards_that_lie_there_the_one_that_stays_is_bound() -> None:
    made = enrolment()
    made.came("01")
    assert made.came("02") is Said.TWO
    assert made.left("01") is Said.BOUND
    assert made.tags == {"01": card("As"), "02": card("2s")}
    assert made.left("02") is None


def test_the_last_card_can_be_taken_back() -> None:
    made = enrolment()
    assert made.back() is None
    made.came("01")
    assert made.back() is card("As")
    assert made.due is card("As")
