"""The list of what can be declared in a circle game: longer than a panel has keys for, so it has pages. And the seats
that it can be about: those that are lit are those that it is not refused for."""

from __future__ import annotations

import pytest

from tablectl.core.cards import card
from tablectl.core.engine.decisions import Refused
from tablectl.core.engine.facts import Called, Declared, Gone, OnFelt, Pressed, Ruled
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import CIRCLE_PICKS, Declaration, Key, Question, Remedy
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening
from tests.families.pots.people import DEAL, THREE, played

HAND = """# t
rulebook circle-holdem
tracking actions
seats 1 2 3
button 3
> press no-more-bets
> draw 2c
> draw 3c
> draw 4c
> draw 5c
> draw 6c
> draw 7c
"""


def in_a_round() -> Table:
    hand = parse(HAND)
    table = Table.resume(hand.carry, rulebook_of)
    for fact in (*opening(hand), *(step.fact for step in hand.steps)):
        table.apply(fact)
    return table


def press(table: Table, key: Key) -> None:
    table.apply(Pressed(at_us=0, key=key))


def shown(table: Table) -> list[Declaration]:
    return [offer.what for offer in table.prompt().offers]


def test_the_key_of_the_list_goes_on_in_it_and_comes_back_to_its_first_page() -> None:
    table = in_a_round()
    press(table, Key.INCIDENT)
    first = shown(table)
    assert len(first) == len(CIRCLE_PICKS)
    pages = [first]
    for _ in range(10):
        assert Key.INCIDENT in table.prompt().keys
        press(table, Key.INCIDENT)
        if shown(table) == first:
            break
        pages.append(shown(table))
    else:
        raise AssertionError("the first page never comes back")
    told = [what for page in pages for what in page]
    assert len(told) == len(set(told)) > len(CIRCLE_PICKS)
    assert Declaration.PIT_BOSS in told
    assert told[-1] is Declaration.WRONG_KEY, "the last line of all says that something else is wrong"
    press(table, Key.CANCEL)
    assert shown(table) == []


def test_every_line_says_the_key_that_chooses_it() -> None:
    table = in_a_round()
    press(table, Key.INCIDENT)
    press(table, Key.INCIDENT)
    offer = table.prompt().offers[0]
    assert offer.key is CIRCLE_PICKS[0]
    assert offer.key in table.prompt().keys
    other = in_a_round()
    press(table, offer.key)
    other.apply(Declared(at_us=0, what=offer.what))
    assert table.prompt() == other.prompt()


@pytest.mark.parametrize(
    ("said", "what", "seats"),
    [
        # THL-PLE-1: who threw his cards has folded, and is the one who wants them back
        ("> act 3 call\n> act 1 fold\n", "retrieve-misled", {1, 2, 3}),
        # THL-PLE-13: who has no entry was not passed over
        ("> act 3 call\n", "skipped", {3}),
        # THL-PLE-16: who has not acted was not misled
        ("> act 3 call\n", "wrong-amount", {3}),
        # THL-PRO-3: also of one who is out of the hand
        ("> act 3 fold\n> act 1 call\n", "collusion", {1, 2, 3}),
        # ... and between two hands
        ("> act 3 fold\n> act 1 fold\n> press confirm\n", "collusion", {1, 2, 3}),
    ],
)
def test_the_seats_that_are_lit_are_those_that_it_can_be_about(said: str, what: str, seats: set[int]) -> None:
    text = THREE + DEAL + said
    table, asked = played(f"{text}> declare {what}\n")
    assert asked == [f"asked which-seat {what}"]
    lit = {int(key.removeprefix("seat-")) for key in table.prompt().keys if key.startswith("seat-")}
    assert lit == seats
    for seat in lit:
        assert not played(f"{text}> declare {what} seat-{seat}\n")[1][0].startswith("refused")


def test_a_declaration_that_was_begun_waits_while_the_pit_boss_rules() -> None:
    """Nothing is declared before he has: no seat is lit that would be refused, and then the question is there again."""
    table = in_a_round()
    press(table, Key.WRONG_COUNT)
    asked = table.prompt()
    assert asked.question is Question.WHICH_SEAT
    table.apply(Called(at_us=0, by="ana"))
    prompt = table.prompt()
    assert (prompt.instruction, prompt.keys) == (Instruction.WAIT_PIT_BOSS, ())
    table.apply(Ruled(at_us=0, incident=1, remedy=Remedy.CONTINUE, by="ana"))
    assert table.prompt() == asked
    press(table, Key.SEAT_1)
    assert table.prompt().question is Question.COUNT_CARDS


def test_thl_def_1_new_hand_is_lit_only_where_two_can_play() -> None:
    head = THREE.replace("seats 1 2 3", "seats 1 2").replace("stack 3 20000\n", "").replace("button 3", "button 2")
    for said, is_lit in (("", True), ("> player 2 away\n", False), ("> stack 2 0\n", False)):
        hand = parse(f"# t\n{head}> acknowledge 1 by ana\n{said}")
        table = Table.resume(hand.carry, rulebook_of)
        for step in hand.steps:
            table.apply(step.fact)
        prompt = table.prompt()
        assert (Key.NEW_HAND in prompt.keys) is is_lit
        assert prompt.about == ("deck" if is_lit else "players")
        refused = [
            decision for decision in table.apply(Pressed(at_us=0, key=Key.NEW_HAND)) if isinstance(decision, Refused)
        ]
        assert bool(refused) is not is_lit


@pytest.mark.parametrize("rulebook", ["circle-holdem", "texas-bonus"])
def test_thl_gen_12_confirm_is_lit_at_a_void_hand_once_the_antennas_see_no_card(rulebook: str) -> None:
    tracking = "actions" if rulebook == "circle-holdem" else "presence"
    button = "button 2\n" if rulebook == "circle-holdem" else ""
    table, _ = played(
        f"# t\nrulebook {rulebook}\ntracking {tracking}\nequipment antennas\nseats 1 2\n{button}"
        "> press no-more-bets\n> seen seat-1 As\n> call by ana\n> rule 1 void-hand by ana misdeal\n"
    )
    assert Key.CONFIRM not in table.prompt().keys
    table.apply(Gone(at_us=0, spot="seat-1", card=card("As")))
    assert Key.CONFIRM in table.prompt().keys


def test_thl_dlg_1_no_more_bets_is_lit_once_the_felt_is_empty() -> None:
    text = THREE.replace("rulebook", "equipment antennas\nrulebook")
    table, _ = played(text + "> player 1 away\n")
    assert Key.NO_MORE_BETS in table.prompt().keys
    table.apply(OnFelt(at_us=0, spots=("board",)))
    assert Key.NO_MORE_BETS not in table.prompt().keys
    table.apply(OnFelt(at_us=0, spots=()))
    assert Key.NO_MORE_BETS in table.prompt().keys


def test_tho_all_2_thl_ple_6_no_key_is_lit_of_a_seat_that_can_do_nothing_before_its_turn() -> None:
    """Seat 3 is all-in and seat 2 has called out of turn: nothing that is entered for them would be taken."""
    table = in_a_round()
    for key in (Key.ALL_IN, Key.RAISE):
        press(table, key)
    assert {Key.SEAT_1, Key.SEAT_2} <= set(table.prompt().keys)
    assert Key.SEAT_3 not in table.prompt().keys
    for key in (Key.SEAT_2, Key.CALL, Key.CONFIRM):
        press(table, key)
    assert Key.SEAT_1 in table.prompt().keys
    assert Key.SEAT_2 not in table.prompt().keys
