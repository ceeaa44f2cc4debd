"""The money of a circle hand on its page: who put in what, which pots there were, who won them, read from the records
alone, is what the engine had; and it is told."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.core.engine.decisions import HandOpened, HandVoided, StackNow
from tablectl.core.engine.facts import Stacked, Transferred
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.public_table.table import SettledView
from tablectl.journal.evidence.hand import Hand, Recorded
from tablectl.journal.evidence.page import page
from tablectl.journal.evidence.result import BetRow, BettorRow, Holding, Result, result
from tablectl.journal.handfile.file import parse
from tests.evidence.test_handfile import hands_of, journal_of
from tests.evidence.test_page import ORIGIN, read
from tests.journal.journals import HANDS, facts_of
from tests.wide import once

GAMES: Final = ("circle-holdem", "open-holdem")
_TABLE: Final = """rulebook circle-holdem
seats 1 2 3
button 3
stack 1 20000
stack 2 20000
stack 3 20000
limits bet 200..100000
"""
_DEAL: Final = "> press no-more-bets\n" + "".join(f"> draw {card}\n" for card in ("As", "Ks", "Qs", "Ad", "Kd", "Qd"))


def hands_in(tmp_path: Path, text: str) -> list[Hand]:
    hand = parse(text)
    path = tmp_path / "a.db"
    path.unlink(missing_ok=True)
    for more in tmp_path.glob("a.*"):
        more.unlink()
    return hands_of(journal_of(path, hand.setup, facts_of(hand)))


def the_result(tmp_path: Path, lines: str) -> Result:
    return result(hands_in(tmp_path, _TABLE + _DEAL + lines)[-1])


def told_on(html: str) -> str:
    return re.sub(r"[ \n]+", " ", " ".join(read(html).texts))


def stacks_of(hand: Hand) -> tuple[dict[int, int], dict[int, int]]:
    """The chips before the hand and after it, as the records tell them."""
    before, after = dict(hand.beginning().stacks), dict[int, int]()
    is_open = False
    for record in hand.records:
        for decision in record.record.decisions:
            is_open = is_open or isinstance(decision, HandOpened)
            if isinstance(decision, StackNow):
                (after if is_open else before)[decision.seat] = decision.amount
            if isinstance(decision, HandVoided):
                after |= before
    return before, after


@pytest.mark.parametrize("rulebook", once(GAMES, "open-holdem"))
def test_what_each_seat_won_is_by_how_much_its_stack_has_changed(rulebook: str, tmp_path: Path) -> None:
    looked_at = 0
    for file in sorted((HANDS / rulebook).glob("*.hand")):
        text = file.read_text(encoding="utf-8")
        if parse(text).setup.tracking is not Tracking.AMOUNTS:
            continue
        for hand in hands_in(tmp_path, text):
            if not hand.is_closed or any(isinstance(record.event, Stacked | Transferred) for record in _in_hand(hand)):
                continue
            betting, (before, after) = result(hand), stacks_of(hand)
            for player in betting.players:
                seat = player.holding.seat
                assert player.net == after.get(seat, 0) - before.get(seat, 0), (file.name, player)
            assert sum(player.net or 0 for player in betting.players) == -(betting.float_change or 0), file.name
            assert sum(pot.fee or 0 for pot in betting.pots) == (betting.float_change or 0), file.name
            looked_at += 1
    assert looked_at > 20


def _in_hand(hand: Hand) -> list[Recorded]:
    opened = next(at for at, record in enumerate(hand.records) if record.said(HandOpened))
    return list(hand.records[opened:])


def test_an_entry_that_was_taken_back_put_in_nothing(tmp_path: Path) -> None:
    betting = the_result(tmp_path, "> act raise 600\n> press cancel\n> act call\n> act 2 fold\n> press confirm\n")
    put_in = {player.holding.seat: player.put_in for player in betting.players}
    assert put_in == {1: 100, 2: 200, 3: 200}
    assert [move.action for move in betting.players[2].moves] == ["call"]
    betting = the_result(tmp_path, "> act call\n> act 2 fold\n> press confirm\n> press cancel\n")
    assert not betting.players[1].holding.state, "it only waited for its turn"


def test_whoever_was_dealt_in_is_a_player_of_the_hand_before_he_does_anything(tmp_path: Path) -> None:
    """Seat 3 has the button: no blind, no action yet."""
    betting = the_result(tmp_path, "")
    assert {player.holding.seat: player.put_in for player in betting.players} == {1: 100, 2: 200, 3: 0}


@pytest.mark.parametrize(("pays", "net"), [((500, -200), 300), ((500, None), None), ((), None)])
def test_what_a_seat_wins_is_all_that_its_bets_pay_and_unknown_where_one_is(
    pays: tuple[int | None, ...], net: int | None
) -> None:
    settled = [
        SettledView(seat=1, bet=bet, outcome="win", odds=None, stake=100, pays=amount, clause="THB-WIN-2")
        for bet, amount in zip(("ante", "bet"), pays, strict=False)
    ]
    bets = tuple(
        BetRow(name=settled_view.bet, amount=100, settled=settled_view, is_reversed=False, is_returned=False)
        for settled_view in settled
    )
    assert BettorRow(holding=Holding(seat=1), bettor=1, bets=bets).net == net


def test_before_the_end_nobody_has_won_and_the_pots_are_those_that_were_told(tmp_path: Path) -> None:
    betting = the_result(tmp_path, "> act call\n> act call\n> act check\n")
    assert not betting.is_decided
    assert [(pot.number, pot.amount, pot.seats, pot.shares) for pot in betting.pots] == [(1, 600, (1, 2, 3), ())]
    betting = the_result(tmp_path, "> act call\n> act call\n> act check\n> press cancel\n")
    assert betting.pots == [], "the round is open again"


def test_of_a_void_hand_everything_comes_back(tmp_path: Path) -> None:
    betting = the_result(tmp_path, "> act raise 600\n> declare misdeal\n")
    assert {player.holding.seat: (player.refunded, player.net) for player in betting.players} == {
        1: (100, 0),
        2: (200, 0),
        3: (600, 0),
    }
    assert betting.pots == []


def test_the_page_tells_it(tmp_path: Path) -> None:
    """Two side pots, of which the first winner's part has the odd chip in it."""
    file = HANDS / "circle-holdem" / "THL-SDN-4-odd-chip-to-the-last-bettor.hand"
    (*_, hand) = hands_in(tmp_path, file.read_text(encoding="utf-8"))
    html = page(hand, ORIGIN)
    reader = read(html)
    told = told_on(html)
    rows = {value for tag, name, value in reader.attributes if (tag, name) == ("tr", "data-pot")}
    assert rows == {"1"}
    for words in ("Qué puso", "Botes", "el bote THL-SDN-4", "botón"):
        assert words in told
    for player in result(hand).players:
        assert player.put_in is not None
        assert f"{player.put_in:,}".replace(",", "\u202f") in told


def test_the_page_tells_the_fee(tmp_path: Path) -> None:
    file = HANDS / "circle-holdem" / "THL-DEF-7-the-fee-comes-out-of-the-pot.hand"
    (*_, hand) = hands_in(tmp_path, file.read_text(encoding="utf-8"))
    told = told_on(page(hand, ORIGIN))
    assert "5 % de cada bote, como mucho 1\u202f000 (unidad mínima)" in told
    assert "La mesa retiene de tasa: 20" in told
    told = told_on(page(hand, replace(ORIGIN, language="en")))
    assert "5 % of each pot, 1\u202f000 (smallest unit) at most" in told
    assert "The table keeps as its fee: 20" in told


@pytest.mark.parametrize("tracking", ["rounds", "actions"])
def test_without_amounts_the_page_tells_who_did_what_and_who_won(tracking: str, tmp_path: Path) -> None:
    text = f"rulebook circle-holdem\ntracking {tracking}\nseats 1 2 3\nbutton 3\n" + _DEAL
    done = "> act call\n> act fold\n> act fold\n" if tracking == "actions" else "> press seat-1\n> press fold\n"
    (*_, hand) = hands_in(tmp_path, text + done + ("> press seat-2\n> press fold\n" if tracking == "rounds" else ""))
    betting = result(hand)
    assert [(share.seat, share.amount) for pot in betting.pots for share in pot.shares] == [(3, None)]
    assert {player.net for player in betting.players} == {None}
    told = told_on(page(hand, ORIGIN))
    assert "Apuestas antes del flop: se retira" in told
    assert "En esta mesa no se anotan importes" in told


def test_a_card_that_went_back_into_the_deck_lies_nowhere_on_the_page(tmp_path: Path) -> None:
    file = HANDS / "circle-holdem" / "THL-CRE-5-laid-aside-and-shuffled-back.hand"
    (*_, hand) = hands_in(tmp_path, file.read_text(encoding="utf-8"))
    end = result(hand)
    assert (end.at("aside"), end.waiting) == ((), ())
    assert len(end.at("board")) == 5
