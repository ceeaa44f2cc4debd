"""A page and the controller agree on what is asked: since which record, and about which seat."""

from __future__ import annotations

from typing import Final

import pytest

from tablectl.api.commands import SeenPrompt
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening
from tests.journal.journals import HANDS
from tests.screens import hands
from tests.screens.controller import Bench

#: In every run each of these; all of them in the wide one.
EVERY: Final = 25
FILES: Final = sorted(HANDS.glob("*/*.hand"))


def bench_of(hand: HandFile) -> Bench:
    bench = Bench(carry=hand.carry) if hand.carry.players or hand.carry.croupier else Bench(hand.setup)
    if opening(hand):
        bench.line("press new-hand")
    return bench


def seen(view: PublicTable) -> SeenPrompt:
    return SeenPrompt(since=view.prompt_since, seat=view.turn)


def agree(game: str, numbers: range) -> None:
    for path in FILES[numbers.start :: numbers.step]:
        if path.parent.name != game:
            continue
        hand = parse(path.read_text(encoding="utf-8"))
        bench, view, n_seen = bench_of(hand), PublicTable(), 0
        for step in ("", *(hand_line.text for hand_line in hand.steps)):
            if step:
                bench.line(step)
            for record in bench.stream[n_seen:]:
                view = fold(view, record)
            n_seen = len(bench.records)
            assert bench.present.refusal(seen(view)) is None, f"{path.stem} at {step!r}"


@pytest.mark.parametrize("game", sorted({path.parent.name for path in FILES}))
def test_what_a_page_shows_is_what_the_controller_asks(game: str) -> None:
    agree(game, range(0, len(FILES), EVERY))


@pytest.mark.wide
@pytest.mark.parametrize("game", sorted({path.parent.name for path in FILES}))
def test_what_a_page_shows_is_what_the_controller_asks_in_every_hand(game: str) -> None:
    agree(game, range(0, len(FILES), 1))


def test_what_was_asked_before_is_not_asked_any_more() -> None:
    bench, view, before = Bench(), PublicTable(), PublicTable()
    bench.lines(hands.BETS + hands.HOLE_CARDS + "press bet")
    for record in bench.stream:
        before, view = view, fold(view, record)
    assert (before.turn, view.turn) == (1, 3)
    assert bench.present.refusal(seen(view)) is None
    for wrong in (seen(before), SeenPrompt(since=view.prompt_since, seat=1), SeenPrompt(since=before.seq, seat=3)):
        assert bench.present.refusal(wrong) is not None
