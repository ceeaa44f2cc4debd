"""Where the cards of a hand with discards lie on its page: what each seat kept, what was changed, a new stub."""

from __future__ import annotations

from pathlib import Path

from tablectl.journal.evidence.result import Result, result
from tablectl.journal.handfile.file import parse
from tests.evidence.test_handfile import hands_of, journal_of
from tests.journal.journals import facts_of
from tests.screens import draw_hands as hands

HEADER = """rulebook draw-poker
limits bet 100..10000
limits ante 50..50
chip 50
"""


def felt_of(tmp_path: Path, lines: str, seats: tuple[int, ...] = (1, 2, 3)) -> Result:
    sit = "".join(f"player {seat} takes\nstack {seat} 2000\n" for seat in seats)
    said = [f"> {line}" for line in f"{sit}button 3\n{lines}".splitlines() if line]
    hand = parse(HEADER + "\n".join(said) + "\n")
    journal_of(tmp_path / "a.db", hand.setup, facts_of(hand))
    (found,) = hands_of(tmp_path / "a.db")
    return result(found)


def test_fcd_win_2_the_cards_that_were_kept_lie_where_they_were_named(tmp_path: Path) -> None:
    felt = felt_of(tmp_path, hands.NAMED)
    assert [card.code for card in felt.at("seat-1")] == ["As", "Ad", "2c", "2d", "2h"]
    assert [card.code for card in felt.at("seat-2")] == ["Ks", "Kd", "Jc", "Kc", "Qc"]
    assert [card.code for card in felt.at("seat-3")] == [None] * 5
    assert [card.code for card in felt.at("discard")] == [None] * 5
    assert felt.waiting == ()


def test_fcd_dsc_5_discards_that_went_into_a_new_stub_lie_nowhere(tmp_path: Path) -> None:
    assert len(felt_of(tmp_path, hands.NEW_STUB, hands.NINE).at("discard")) == 8
    (tmp_path / "made").mkdir()
    made = felt_of(tmp_path / "made", hands.NEW_STUB + "press confirm\n", hands.NINE)
    assert (made.at("discard"), made.waiting) == ((), ())
    assert [len(made.at(f"seat-{seat}")) for seat in (4, 5)] == [5, 3]
