"""One whole hand of five-card draw, told line by line, and the table as it was after any of them."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.table import Table
from tablectl.families.draw.state import DrawState
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import parse
from tests.engine.states import draws
from tests.engine.tables import lines

#: Three players, seat 3 the nominal dealer. Seat 1 has a pair of aces, seat 2 of kings, seat 3 five spades.
CARDS: Final = ["As", "Ks", "2s", "Ad", "Kd", "3s", "5c", "6c", "4s", "8c", "9c", "8s", "Tc", "Jc", "9s"]
STACK: Final = 2000
_AMOUNTS: Final = "limits bet 100..10000\nlimits ante 50..50\nchip 50\n" + "".join(
    f"stack {seat} {STACK}\n" for seat in (1, 2, 3)
)
_BETTING: Final = {
    "amounts": (("act 1 check", "act 2 bet 100", "act 3 call", "act 1 call"), ("act 1 bet 100", "act 2 fold")),
    "actions": (("act 1 check", "act 2 bet", "act 3 call", "act 1 call"), ("act 1 bet", "act 2 fold")),
    "rounds": (("press confirm",), ("press confirm",)),
}
_LAST_CALL: Final = {"amounts": ("act 3 call",), "actions": ("act 3 call",), "rounds": ()}


def table_of(extra: str = "", *, tracking: str = "amounts") -> Table:
    """Before the cut is offered: the button is with seat 3, the antes are due."""
    chips = _AMOUNTS if tracking == "amounts" else f"tracking {tracking}\n"
    text = f"# FCD-IRR-0: x\nrulebook draw-poker\nseats 1 2 3\nbutton 3\n{chips}{extra}\n> press new-hand\n"
    table = Table.resume(parse(text).carry, rulebook_of)
    lines(table, "press new-hand")
    return table


def entries(tracking: str = "amounts", *, is_cut: bool = True) -> tuple[str, ...]:
    """What is entered in that hand, up to the pot that is delivered."""
    first, second = _BETTING[tracking]
    return (
        *(("press confirm",) if is_cut else ()),
        "press no-more-bets",
        *(f"draw {card}" for card in CARDS),
        *first,
        *("asks 1", "press confirm", "draw 2c", "press check", "asks 2", "press confirm", "draw 2d", "draw 2h"),
        *second,
        *_LAST_CALL[tracking],
        "press show-all",
        *_named(tracking),
        "press confirm",
    )


def _named(tracking: str) -> tuple[str, ...]:
    """With a shoe alone a person says which cards were kept. Where only rounds are entered, seat 2 is in as well."""
    kept = {1: "As Ad 5c 8c", 3: "2s 3s 4s"}
    return tuple(
        f"name seat-{seat}.{n} {code} by ana" for seat in (1, 3) for n, code in enumerate(kept[seat].split(), 1)
    )


def told(extra: str = "", *said: str, tracking: str = "amounts") -> Table:
    """The table after these lines."""
    table = table_of(extra, tracking=tracking)
    for line in said:
        lines(table, line)
    return table


def dealt(extra: str = "", *said: str, tracking: str = "amounts", is_cut: bool = True) -> Table:
    """The table when every card of the deal lies there, and these lines after that."""
    begun = entries(tracking, is_cut=is_cut)[: len(CARDS) + 1 + is_cut]
    return told(extra, *begun, *said, tracking=tracking)


def circle_of(table: Table) -> DrawState:
    return draws(table)


def chips(table: Table) -> int:
    """All the money of a table where amounts are entered: stacks, pots of hands that nobody opened, and this hand's."""
    circle = circle_of(table)
    rounds = circle.rounds
    in_hand = table.state.in_play and rounds is not None and table.state.phase.name != "voided"
    if in_hand:
        assert rounds is not None
        before = [stack for seat in rounds.order if (stack := rounds.stack(seat)) is not None]
        return sum(before) + (rounds.pot or 0) + circle.carried
    kept = sum(amount or 0 for bets in circle.kept.values() for amount in bets.values())
    return sum(circle.stacks.values()) + kept + circle.carried
