"""Card by card: each tag is bound once, to the card that is due, and nothing is bound while two lie there."""

from __future__ import annotations

from tablectl.core.cards import DECK, card
from tablectl.table.decks.enrolment import NEW_PACK, Enrolment, Said
from tests.decks.decks import BLUE

SECOND_US = 1_000_000


def enrolment() -> Enrolment:
    return Enrolment(dict.fromkeys(BLUE, "blue 7").get)


def test_a_new_pack_has_every_card_once() -> None:
    assert len(NEW_PACK) == 52
    assert set(NEW_PACK) == set(DECK)


def test_a_whole_deck_is_bound_in_the_order_in_which_it_was_laid() -> None:
    made = enrolment()
    for number, new_card in enumerate(NEW_PACK):
        assert made.due is new_card
        assert made.done == number
        assert made.came(f"{number:08X}", number * SECOND_US) is Said.BOUND
        assert made.left(f"{number:08X}") is Said.EMPTY
        assert made.is_over is (number == 51)
    assert made.due is None
    assert list(made.tags.values()) == list(NEW_PACK)
    assert made.came("0A", 0) is Said.AGAIN, "there is no card left that it could be"


def test_a_card_that_is_laid_twice_is_bound_once() -> None:
    made = enrolment()
    made.came("01", 0)
    made.left("01")
    assert made.came("01", 0) is Said.AGAIN
    assert made.tags == {"01": card("As")}


def test_a_card_of_another_deck_is_bound_to_nothing() -> None:
    made = enrolment()
    assert made.came(next(iter(BLUE)), 0) is Said.OF_ANOTHER_DECK
    assert made.done == 0


def test_of_two_cards_laid_at_once_neither_is_bound_until_the_reader_was_empty() -> None:
    """Which of them is read first is chance."""
    made = enrolment()
    assert made.came("01", 0) is Said.BOUND
    assert made.came("02", 0) is Said.TWO
    assert made.done == 0
    assert made.came("03", 0) is None, "that there are too many was said"
    assert made.left("01") is None
    assert made.left("03") is None
    assert made.came("01", 0) is None, "nothing is bound, for the reader was not empty"
    assert made.left("01") is None
    assert made.left("02") is Said.EMPTY
    assert made.due is card("As")
    assert made.came("02", 0) is Said.BOUND


def test_two_laid_at_once_are_found_with_the_last_card_too() -> None:
    made = Enrolment(lambda _: None, order=NEW_PACK[:1])
    made.came("01", 0)
    assert not made.is_over
    assert made.came("02", 1) is Said.TWO
    made.left("01")
    made.left("02")
    assert not made.is_over


def test_a_card_that_was_bound_and_lifted_stays_bound_whatever_lies_there_later() -> None:
    made = enrolment()
    made.came("01", 0)
    made.left("01")
    made.came(next(iter(BLUE)), 1)
    assert made.came("02", 2) is Said.TWO
    assert made.tags == {"01": card("As")}


def test_a_card_that_lay_alone_before_the_next_one_came_stays_bound_and_the_next_one_is_not() -> None:
    made = enrolment()
    made.came("01", 0)
    assert made.came("02", SECOND_US) is Said.TWO
    assert made.tags == {"01": card("As")}
    assert made.left("01") is None
    assert made.left("02") is Said.EMPTY
    assert made.due is card("2s")


def test_a_card_that_two_antennas_of_the_reader_see_is_one_card() -> None:
    made = enrolment()
    assert made.came("01", 0) is Said.BOUND
    assert made.came("01", 0) is None
    assert made.left("01") is None
    assert made.came("02", 0) is Said.TWO, "the other antenna sees it still"


def test_the_last_card_can_be_taken_back() -> None:
    made = enrolment()
    assert made.back() is None
    made.came("01", 0)
    assert made.back() is card("As")
    assert made.due is card("As")
