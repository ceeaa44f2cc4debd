"""Which cases give a right to a new deal at each moment of a hand, and what becomes of the money when it is used."""

from __future__ import annotations

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.declarations import offered
from tablectl.core.engine.vocabulary import Declaration
from tablectl.families.draw import cases
from tests.engine.tables import lines
from tests.families.draw.whole_hand import CARDS, STACK, chips, circle_of, dealt, entries, table_of, told

TRACKINGS = pytest.mark.parametrize("tracking", ["amounts", "actions", "rounds"])
ANTES = 150


def while_it_stands(tracking: str, clause: str, *, at: int, said: str | None, extra: str = "") -> tuple[int, int]:
    """How many lines of the hand are told when a case stands for the first time, and for the last. `said`: what is
    declared after the line `at`."""
    table, found = table_of(extra, tracking=tracking), []
    for number, line in enumerate(entries(tracking, is_cut=said is not None), start=1):
        lines(table, line)
        if number == at and said is not None:
            lines(table, said)
        stands = clause in cases.standing(circle_of(table))
        assert stands is (clause in table.prompt().cases)
        if stands:
            assert offered(table.state)[0] is Declaration.REDEAL_DEMANDED
            found.append(number)
    assert found == list(range(found[0], found[-1] + 1)), "without a break"
    return found[0], found[-1]


def line_before(tracking: str, what: str, *, is_cut: bool = True) -> int:
    """How many lines are told when this one is the next."""
    return next(n for n, line in enumerate(entries(tracking, is_cut=is_cut)) if line.startswith(what))


#: The line that ends a time until the first bet; where only rounds are entered, the one after the first was closed.
FIRST_BET = {"amounts": "act 2 bet", "actions": "act 2 bet", "rounds": "asks"}


def last_before_the_bet(tracking: str, *, is_cut: bool = True) -> int:
    closes_itself = 1 if tracking == "rounds" else 0
    return line_before(tracking, FIRST_BET[tracking], is_cut=is_cut) - closes_itself


@TRACKINGS
def test_fcd_irr_1_from_the_first_card_to_the_first_bet(tracking: str) -> None:
    found = while_it_stands(tracking, cases.NO_CUT, at=0, said=None)
    assert found == (2, last_before_the_bet(tracking, is_cut=False))


@TRACKINGS
def test_fcd_irr_1_to_the_pot_where_the_house_has_it_so(tracking: str) -> None:
    found = while_it_stands(tracking, cases.NO_CUT, at=0, said=None, extra="profile redeal_until=pot-delivered")
    assert found == (2, len(entries(tracking, is_cut=False)) - 1)


@TRACKINGS
@pytest.mark.parametrize("at", [3, 10, 17])
def test_fcd_irr_2_from_when_it_is_said_to_the_first_bet(tracking: str, at: int) -> None:
    found = while_it_stands(tracking, cases.SEEN_AT_CUT, at=at, said="declare card-seen-at-cut")
    assert found == (at, last_before_the_bet(tracking))


@TRACKINGS
@pytest.mark.parametrize("until", ["first-bet", "pot-delivered"])
def test_fcd_irr_3_to_the_first_bet_whatever_the_house_has_chosen(tracking: str, until: str) -> None:
    extra = f"profile redeal_until={until}"
    found = while_it_stands(tracking, cases.FACE_UP, at=5, said="declare face-up-in-shoe", extra=extra)
    assert found == (5, last_before_the_bet(tracking))


@TRACKINGS
@pytest.mark.parametrize("what", ["missing-card", "defective-deck"])
@pytest.mark.parametrize("after", ["draw As", "draw 9s", "draw 2c", "press show-all"])
def test_fcd_irr_4_until_the_pot_is_delivered(tracking: str, what: str, after: str) -> None:
    at = line_before(tracking, after) + 1
    found = while_it_stands(tracking, cases.DECK, at=at, said=f"declare {what}")
    assert found == (at, len(entries(tracking)) - 1)


@TRACKINGS
@pytest.mark.parametrize("until", ["first-bet", "pot-delivered"])
def test_fcd_irr_5_until_the_last_card_whatever_the_house_has_chosen(tracking: str, until: str) -> None:
    extra = f"profile redeal_until={until}"
    found = while_it_stands(tracking, cases.WRONG_DEALER, at=6, said="declare wrong-dealer", extra=extra)
    assert found == (6, line_before(tracking, "draw 9s"))


@TRACKINGS
def test_fcd_irr_6a_from_the_second_card_to_the_first_bet(tracking: str) -> None:
    twice = "declare turned-while-dealt seat-1 lap=1\ndeclare turned-while-dealt"
    found = while_it_stands(tracking, cases.TWO_EXPOSED, at=9, said=twice)
    assert found == (9, last_before_the_bet(tracking))


def test_fcd_irr_0_cases_stand_in_the_order_of_the_page() -> None:
    table = told(
        "",
        "press no-more-bets",
        *(f"draw {card}" for card in CARDS[:4]),
        *("declare wrong-dealer", "declare turned-while-dealt seat-1 lap=1", "declare turned-while-dealt seat-2 lap=1"),
        *("declare missing-card", "declare face-up-in-shoe", "declare card-seen-at-cut"),
    )
    every = ("FCD-IRR-1", "FCD-IRR-2", "FCD-IRR-3", "FCD-IRR-4", "FCD-IRR-5", "FCD-IRR-6a")
    assert table.prompt().cases == every
    assert lines(table, "declare redeal-demanded seat-1")[:2] == [
        "incident FCD-IRR-1 expected=play observed=redeal-demanded remedy=redeal",
        "void-hand FCD-IRR-1",
    ]
    assert table.prompt().cases == ()


def test_fcd_irr_0_with_the_first_case_over_the_next_one_is_the_reason() -> None:
    table = dealt("", "declare missing-card", "act 1 check", "act 2 bet 100", is_cut=False)
    assert table.prompt().cases == ("FCD-IRR-4",)
    assert lines(table, "declare redeal-demanded seat-1")[1] == "void-hand FCD-IRR-4"


def test_fcd_irr_0_a_case_of_one_hand_is_none_of_the_next() -> None:
    table = told("profile redeal_until=pot-delivered", *entries(is_cut=False), "press new-hand", "press confirm")
    lines(table, "press no-more-bets\ndraw As")
    assert table.prompt().cases == ()


# --- the money -------------------------------------------------------------------------------------------------------


def demanded(table_lines: tuple[str, ...], extra: str) -> tuple[int, list[str]]:
    """All the chips once a new deal was demanded after these lines, and what was said to that."""
    table = told(extra, *table_lines)
    said = lines(table, "declare redeal-demanded seat-2")
    assert said[0].endswith("remedy=redeal")
    return chips(table), said


@pytest.mark.parametrize("at", range(2, len(entries(is_cut=False))))
def test_fcd_irr_0_no_chip_is_lost_whenever_it_is_demanded(at: int) -> None:
    said = entries(is_cut=False)[:at]
    assert demanded(said, "profile redeal_until=pot-delivered")[0] == 3 * STACK
    both = "profile redeal_until=pot-delivered annulled_bets=returned"
    total, back = demanded(said, both)
    assert total == 3 * STACK
    assert sum(int(line.split()[3]) for line in back if line.startswith("refund")) >= ANTES


@pytest.mark.parametrize("at", range(2, len(entries(is_cut=False))))
def test_fcd_irr_0_antes_stay_and_are_not_paid_twice(at: int) -> None:
    table = told("profile redeal_until=pot-delivered", *entries(is_cut=False)[:at], "declare redeal-demanded seat-2")
    lines(table, "press confirm\npress new-hand\npress confirm")
    paid = lines(table, "press no-more-bets")
    assert [line for line in paid if line.startswith("bet")] == [f"bet {seat} ante 50" for seat in (1, 2, 3)]
    assert circle_of(table).rounds is not None
    assert chips(table) == 3 * STACK
    stacks = [STACK - 50] * 3
    rounds = circle_of(table).rounds
    assert rounds is not None
    assert [rounds.stack(seat) for seat in (1, 2, 3)] == stacks
    assert circle_of(table).button == 3, "the same dealer deals again"


def test_fcd_irr_4_another_deck_is_asked_for_after_a_new_deal_of_any_case() -> None:
    table = told("", "press no-more-bets", "draw As", "declare missing-card", "declare redeal-demanded seat-1")
    assert lines(table, "press confirm")[-1] == "asked new-deck deck"
    assert "refused" in lines(table, "press new-hand")[0]
    lines(table, "press confirm")
    assert "hand 2" in lines(table, "press new-hand")


def test_fcd_irr_4_a_sound_deck_is_not_changed_for_a_new_deal() -> None:
    table = told("", "press no-more-bets", "draw As", "declare redeal-demanded seat-1")
    assert lines(table, "press confirm")[-1] == "phase closed"


def test_fcd_irr_0_what_goes_back_is_said_of_each_seat_once() -> None:
    table = dealt("", "act 1 check", "act 2 bet 100", "act 3 call", "declare missing-card")
    said = table.apply(f.Declared(at_us=0, what=Declaration.REDEAL_DEMANDED, spot="seat-1"))
    assert [(refund.seat, refund.amount) for refund in said if isinstance(refund, d.Refund)] == [(2, 100), (3, 100)]
