"""A hand of five-card draw leaves the journal and comes out as it was played: a card from under the stub, a game that
changes with what lies on the table, a pot that waits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Tracking
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.header_lines import header_lines
from tablectl.journal.handfile.settings import game_of, settings_words, with_settings
from tablectl.journal.handfile.tokens import BadHandFile
from tests.evidence.test_handfile import CODE, hands_of, journal_of, may_be_told, played
from tests.journal.journals import HANDS, Writer, facts_of

FROM_UNDER = (HANDS / "draw-poker" / "FCD-IRR-9-it-comes-before-its-time.hand").read_text(encoding="utf-8")
RULED = "> rule 2 next-card by ana as he saw it\n> asks 0\n> press all-check\n> press show-all\n> press confirm\n"


def exported(folder: Path, text: str) -> list[str]:
    """The files of the hands that are played by these lines; each comes out as it was played, and tells no card that
    is sealed."""
    hand = parse(text)
    told = []
    for journal_hand in hands_of(journal_of(folder / "a.db", hand.setup, facts_of(hand))):
        told.append(hand_file(journal_hand))
        assert played(told[-1]) == []
        assert set(CODE.findall(told[-1])) <= may_be_told(journal_hand)
    return told


# --- a card that came from under the stub -----------------------------------------------------------------------------


def test_fcd_irr_9_a_card_from_under_the_stub_that_nobody_sees_is_one_that_was_put_there(tmp_path: Path) -> None:
    (text,) = exported(tmp_path, FROM_UNDER)
    assert "> seen seat-1 sealed-again\n< incident FCD-IRR-9 expected=last-of-the-stub observed=card" in text


def test_fcd_irr_9_a_card_from_under_the_stub_that_is_shown_was_a_sealed_one(tmp_path: Path) -> None:
    (text,) = exported(tmp_path, FROM_UNDER.partition("> rule")[0] + RULED)
    assert "> seen seat-1 7h hidden\n< incident FCD-IRR-9 expected=last-of-the-stub observed=card" in text
    assert "award 1 seat-1" in text


def with_a_shoe(text: str) -> str:
    """The same hand, told by the croupier; what came from under the stub is a card of which he cannot say it."""
    facts = [line for line in text.splitlines() if line.startswith(">") or not line.startswith("<")]
    told = "\n".join(line for line in facts if not line.startswith(("> gone", "equipment"))) + "\n"
    told = told.replace("> seen seat-2 7h", "> declare wrong-count seat-2 cards=6")
    told = re.sub("> seen discard ..", "> press confirm", told)
    return re.sub(r"> seen seat-\d", "> draw", told).replace("> draw 7h", "> draw 6c").replace("> rule 2", "> rule 3")


@pytest.mark.parametrize("ruling", ["> rule 3 void-hand by ana misdeal\n", RULED.replace("> rule 2", "> rule 3")])
def test_fcd_irr_9_with_a_shoe_it_is_one_of_the_cards_that_can_lie_there(ruling: str, tmp_path: Path) -> None:
    (text,) = exported(tmp_path, with_a_shoe(FROM_UNDER.partition("> rule")[0]) + ruling)
    drawn = "6c hidden" if "next-card" in ruling else "sealed-again"
    assert f"> draw {drawn}\n< incident FCD-IRR-9 expected=last-of-the-stub observed=card" in text


# --- the game changes -------------------------------------------------------------------------------------------------

TABLE = """# t
rulebook draw-poker
places 5
resto 2000
limits bet 100..10000
limits ante 50..50
chip 50
"""
SAT_DOWN = "> player 1 takes\n> stack 1 1925\n> stack 1 2000\n> player 2 takes\n> stack 2 2000\n> button 2\n"
NOBODY_OPENS = (
    "> press new-hand\n> press confirm\n> press no-more-bets\n"
    + "".join(f"> draw {code}\n" for code in ["Kc", "2c", "Qd", "3c", "5s", "4d", "7s", "6d", "9s", "8d"])
    + "> press all-check\n> press confirm\n"
)
HOLDEM = parse(
    "# t\nrulebook circle-holdem\nplaces 5\nlimits bet 200..7000\nchip 100\nprofile fee=from-the-pot\n"
    "fee 500 each-pot 1000\n> press new-hand\n"
).setup


def chosen_game(folder: Path, before: str, setup: f.Setup, after: str, tracking: Tracking) -> list[str]:
    with Writer(folder / "a.db", parse(f"{TABLE}tracking {tracking}\n").setup) as writer:
        writer.line("restart")
        writer.lines(before.replace("> ", ""))
        writer.enter(f.GameChosen(at_us=0, setup=setup, by="ana"))
        writer.lines(after.replace("> ", ""))
    told = list(map(hand_file, hands_of(folder / "a.db")))
    assert [line for text in told for line in played(text)] == []
    return told


def test_fcd_rst_3_what_came_before_another_game_was_chosen_is_told_by_the_first_ones_rules(tmp_path: Path) -> None:
    after = "> press new-hand\n> press no-more-bets\n"
    (text,) = chosen_game(tmp_path, SAT_DOWN, HOLDEM, after, Tracking.AMOUNTS)
    assert "rulebook draw-poker\n" in text
    assert "> stack 1 1925\n< refused wrong-stack FCD-RST-3 resto=2000\n" in text
    words = "chip=100 fee=500/each-pot/1000 limits.bet=200..7000 profile.fee=from-the-pot"
    accounts = "< account 1 bought=2000 stack=2000\n< account 2 bought=2000 stack=2000\n"
    assert f"> game circle-holdem by ana {words}\n{accounts}" in text
    assert "< bet 2 big-blind 200\n" in text


def test_fcd_win_5_a_game_that_waits_for_the_pot_is_told_in_the_hands_that_are_played_first(tmp_path: Path) -> None:
    before = SAT_DOWN + NOBODY_OPENS
    first, second, third = chosen_game(tmp_path, before, HOLDEM, NOBODY_OPENS * 2, Tracking.AMOUNTS)
    assert "game" not in first
    assert "carried 100\n" in second
    assert "< game-waits circle-holdem FCD-WIN-5\n" in second
    assert "\nnext-game circle-holdem chip=100 fee=500/each-pot/1000 limits.bet=200..7000" in third
    assert "carried 200\n" in third


@pytest.mark.parametrize("tracking", [Tracking.ROUNDS, Tracking.ACTIONS])
def test_fcd_win_5_a_pot_of_which_nobody_knows_how_much_it_is_waits_as_well(tracking: Tracking, tmp_path: Path) -> None:
    before = re.sub("> stack.*\n", "", SAT_DOWN) + NOBODY_OPENS
    setup = parse(f"# t\nrulebook circle-holdem\ntracking {tracking}\n").setup
    _, second = chosen_game(tmp_path, before, setup, NOBODY_OPENS, tracking)
    assert "\ncarried\n" in second
    assert "< game-waits circle-holdem FCD-WIN-5\n" in second


# --- settings in words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "setup",
    [
        HOLDEM,
        parse("# t\nrulebook draw-poker\nresto 500\nequipment antennas\ntracking rounds\nplaces 3\n").setup,
        parse("# t\nrulebook texas-bonus\nlimits ante 5..10\nprofile tie=stake wrong_order=accept\n").setup,
        parse("# t\nrulebook texas-poker\ntracking presence\nequipment both\n").setup,
    ],
)
def test_settings_survive_being_written_and_read(setup: f.Setup) -> None:
    for base in (HOLDEM, parse(f"# t\nrulebook {setup.rulebook}\nprofile deck_fault=void-hand\n").setup):
        words = list(settings_words(base, setup))
        assert with_settings(base, words) == setup
    assert list(settings_words(setup, setup)) == []


@pytest.mark.parametrize(
    "word",
    [
        *("chip", "chip=0", "chip=x", "places=0", "places=11", "resto=-1"),
        *("rulebook=whist", "tracking=presence", "equipment=x", "colour=red"),
        *("fee=1", "fee=1/x/2", "fee=10001/each-pot/1", "limits.bet=2", "limits.bet=2..1"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        with_settings(HOLDEM, [word])


def test_a_game_that_is_none_does_not_wait() -> None:
    with pytest.raises(BadHandFile, match=r"line 3: .*expected next-game and texas-bonus, "):
        parse("# t\nrulebook draw-poker\nnext-game whist\n")


def test_the_game_that_waits_survives_being_written_and_read() -> None:
    text = "# t\nrulebook draw-poker\nhand 3\ncarried\nnext-game circle-holdem chip=50\n"
    carry = parse(text).carry
    assert carry.is_pot_waiting
    assert carry.next_setup == with_settings(game_of("circle-holdem", carry.setup), ["chip=50"])
    assert parse("# t\n" + "\n".join(header_lines(carry)) + "\n").carry == carry


def test_fcd_dsc_5_a_card_told_after_a_new_stub_may_have_been_dealt_before() -> None:
    """A file that tells the newest cards alone deals more cards than a deck has: some of them are the same."""
    text = (HANDS / "draw-poker" / "FCD-DSC-5-ten-players.hand").read_text(encoding="utf-8")
    before, stub, after = text.partition("\n< stub ")
    hand = parse(re.sub(r"(?m)^> draw \S+", "> draw sealed", before) + stub + after)
    drawn = [step.fact.card for step in hand.steps if isinstance(step.fact, f.Drawn)]
    assert len(drawn) > len(DECK)
    first, again = drawn[: len(DECK) - 1], drawn[len(DECK) - 1 :]
    assert len(set(first)) == len(first)
    assert set(again) & set(first)
