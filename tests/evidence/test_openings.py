"""Cards that stand for sealed ones at five-card draw: who opened could, who was not let open could not."""

from __future__ import annotations

import pytest

from tablectl.core.cards import card
from tablectl.core.engine.vocabulary import Equipment
from tablectl.core.settlement.ranking import strength
from tablectl.journal.handfile.sealed import standing_in

JACKS = strength([card(code) for code in ("Jc", "Jd", "4s", "3h", "2c")])


def hand_of(seat: int, lines: list[str]) -> list[str]:
    """The cards of one of two seats, dealt in turn."""
    drawn = [line.split()[2] for line in lines if line.startswith("> draw")]
    return drawn[seat - 1 : 10 : 2]


def body(*cards: str, end: tuple[str, ...]) -> list[tuple[int, str]]:
    lines = ["< phase dealing"]
    for number, code in enumerate(cards):
        lines += [f"> draw {code}", f"< card seat-{number % 2 + 1}.{number // 2 + 1}"]
    return list(enumerate([*lines, "< phase first-betting", *end], start=1))


REFUSED = ("> act 1 bet 100", "< incident FCD-OPN-5 expected=jacks-or-better observed=opening remedy=reject")
BY_KEY = ("> press bet", REFUSED[1], "> press check", "< spoke 1 check to=0 added=0")
OPENS = ("> act 2 bet 100", "< spoke 2 bet to=100 added=100")


@pytest.mark.parametrize("refused", [REFUSED, BY_KEY])
@pytest.mark.parametrize("told", [(), ("2h", "Ad"), ("2h", "Ad", "3h", "7c", "4h", "9d", "5h", "Tc")])
def test_fcd_opn_5_stand_ins_keep_who_could_open(told: tuple[str, ...], refused: tuple[str, ...]) -> None:
    sealed = ("sealed",) * (10 - len(told))
    lines = standing_in(body(*told, *sealed, end=(*refused, *OPENS)), Equipment.SHOE)
    first, second = hand_of(1, lines), hand_of(2, lines)
    assert len({*first, *second}) == 10
    assert strength(map(card, first)) < JACKS <= strength(map(card, second))


def test_fcd_dsc_5_cards_of_a_new_stub_come_again_once_there_are_no_others() -> None:
    lines = ["< phase dealing"]
    for number in range(51):
        lines += ["> draw sealed", f"< card seat-{number % 9 + 1}.{number // 9 + 1}"]
    lines += ["< phase draw", "< discards 1 3", "< stub 4 seats=1"]
    lines += ["> draw sealed"] * 4
    found = standing_in(list(enumerate(lines, start=1)), Equipment.SHOE)
    codes = [line.split()[2] for line in found if line.startswith("> draw")]
    assert len(codes) == 55
    assert len(set(codes[:52])) == 52
    assert set(codes[52:]) < {codes[number] for number in range(0, 51, 9)}


def test_fcd_dsc_5_a_second_card_with_a_face_is_none_that_went_into_a_new_stub() -> None:
    lines = ["< phase dealing"]
    for number in range(10):
        lines += ["> draw sealed", f"< card seat-{number % 2 + 1}.{number // 2 + 1}"]
    lines += ["< phase draw", "< discards 1 5", "< stub 43 seats=1", "> draw sealed-again"]
    found = standing_in(list(enumerate(lines, start=1)), Equipment.SHOE)
    *dealt, again = [line.split()[2] for line in found if line.startswith("> draw")]
    assert again in dealt[1::2], "seat 2 has it still"
