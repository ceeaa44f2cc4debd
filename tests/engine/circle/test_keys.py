"""The list of what can be declared in a circle game: longer than a panel has keys for, so it has pages."""

from __future__ import annotations

from tablectl.engine.facts import Declared, Pressed
from tablectl.engine.table import Table
from tablectl.engine.words import CIRCLE_PICKS, Declaration, Key
from tablectl.handfile.file import parse
from tablectl.handfile.playing import opening
from tablectl.rulebooks.registry import rulebook_of

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
    assert Declaration.PIT_BOSS in pages[-1], "the last line of all is the pit boss"
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
