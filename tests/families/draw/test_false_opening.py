"""An opening without jacks that is found out later: who can have made it, and what the rulings do."""

from __future__ import annotations

import pytest

from tablectl.families.draw import false_opening
from tests.engine.tables import lines
from tests.families.draw.whole_hand import STACK, chips, circle_of, dealt, entries, told

UNCHECKED = "profile false_opening=not-checked"
OPENED = ("act 1 check", "act 2 bet 100")
CALLED = (*OPENED, "act 3 call", "act 1 call")


def who(*said: str, tracking: str = "amounts") -> tuple[int, ...]:
    table = dealt(UNCHECKED, *said, tracking=tracking)
    (seats,) = (asked(circle_of(table)) for asked in false_opening.SEATS_ASKED.values())
    return seats


@pytest.mark.parametrize(
    ("said", "seats"),
    [
        ((), ()),
        (OPENED[:1], ()),
        (OPENED, (2,)),
        ((*OPENED, "act 3 raise 300"), (2,)),
        ((*OPENED, "act 3 raise 300", "act 1 call", "act 2 fold"), ()),
        ((*OPENED, "act 3 fold"), (2,)),
        ((*OPENED, "act 3 fold", "act 1 fold"), ()),
        (CALLED, (2,)),
        ((*CALLED, "press check", "press check", "press check", "act 1 bet 100"), (2,)),
    ],
)
def test_fcd_opn_5_it_is_the_opener_while_he_and_others_are_in(said: tuple[str, ...], seats: tuple[int, ...]) -> None:
    assert who(*said) == seats


def test_fcd_opn_5_where_only_rounds_are_entered_it_can_be_anybody() -> None:
    assert who(tracking="rounds") == (1, 2, 3)
    assert who("press confirm", tracking="rounds") == (1, 2, 3)
    assert who("press all-check", tracking="rounds") == ()


@pytest.mark.parametrize("remedy", ["lose-bets", "refund-bets", "continue"])
def test_fcd_opn_5_no_chip_is_lost_by_any_ruling_at_any_moment(remedy: str) -> None:
    found = 0
    for at in range(len(entries()) + 1):
        table = told(UNCHECKED, *entries()[:at])
        if not lines(table, "declare false-opening seat-2")[0].startswith("incident"):
            continue
        found += 1
        number = min(table.state.ruling)
        lines(table, f"rule {number} {remedy} by ana so it is")
        assert chips(table) == 3 * STACK
        assert (2 in table.state.staying) is (remedy == "continue")
        assert not table.state.held
    assert found > 5


def test_fcd_opn_5_a_hand_that_touched_another_is_ruled_as_in_every_game() -> None:
    table = dealt(UNCHECKED, *OPENED, "declare cards-in-contact seat-1 seat-3")
    assert lines(table, "rule 1 lose-bets by ana")[0] == "closed 1 lose-bets by pit-boss"
    assert table.state.staying == (2,)


def test_fcd_opn_5_the_house_that_looks_still_has_what_it_could_not_see() -> None:
    table = dealt("", *OPENED)
    assert lines(table, "declare false-opening seat-2")[0].startswith("incident FCD-OPN-5")


def test_fcd_opn_5_a_bet_that_goes_back_uncalled_was_no_opening() -> None:
    table = dealt(UNCHECKED, *OPENED, "declare false-opening seat-2", "rule 1 refund-bets by ana as he saw it")
    assert circle_of(table).draw.opener is None
    lines(table, "act 3 check")
    assert table.state.phase.name == "settlement"
    assert circle_of(table).draw.is_passed_out


def test_fcd_opn_5_a_bet_that_was_called_was_one() -> None:
    table = dealt(UNCHECKED, *CALLED[:3], "declare false-opening seat-2", "rule 1 refund-bets by ana as he saw it")
    lines(table, "act 1 call")
    assert table.state.phase.name == "draw"
