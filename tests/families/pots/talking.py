"""What the tests of the betting's irregularities share: a circle table whose cards are dealt, and what it concludes."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from msgspec import UNSET

from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Key
from tablectl.families.pots.legality import legal_text
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.facts import parse_fact
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening

STACK: Final = 5000


def dealt(
    *,
    rulebook: str = "circle-holdem",
    seats: int = 4,
    tracking: str = "amounts",
    stacks: dict[int, int] | None = None,
    **profile: str,
) -> Table:
    """The first round of betting is open. The last seat has the button, seats 1 and 2 the blinds of 100 and 200; the
    greatest bet is 5000."""
    table = opened(rulebook=rulebook, seats=seats, tracking=tracking, stacks=stacks, **profile)
    press(table, Key.NO_MORE_BETS)
    deal(table)
    return table


def opened(
    *,
    rulebook: str = "circle-holdem",
    seats: int = 4,
    tracking: str = "amounts",
    stacks: dict[int, int] | None = None,
    **profile: str,
) -> Table:
    """A hand whose blinds are not posted yet."""
    there = range(1, seats + 1)
    chosen = [f"{key}={value}" for key, value in profile.items()]
    head = [
        "# a hand",
        f"rulebook {rulebook}",
        f"tracking {tracking}",
        f"seats {' '.join(map(str, there))}",
        f"button {seats}",
        "limits bet 200..5000",
        *([f"profile {' '.join(chosen)}"] if chosen else []),
    ]
    if tracking == "amounts":
        held = dict.fromkeys(there, STACK) | (stacks or {})
        head += [f"stack {seat} {chips}" for seat, chips in held.items()]
    hand = parse("\n".join([*head, "> press new-hand"]))
    table = Table.resume(hand.carry, rulebook_of)
    for fact in [*opening(hand), *(step.fact for step in hand.steps)]:
        table.apply(fact)
    return table


def press(table: Table, key: Key) -> list[str]:
    return told(table, f.Pressed(at_us=0, key=key))


def told(table: Table, fact: f.Fact) -> list[str]:
    """What it concludes from a fact, as lines of a hand file."""
    decisions = table.apply(fact)
    return decision_lines(fact, decisions, last_draw=len(table.state.deal.draws))


def tell(table: Table, text: str) -> list[str]:
    """What it concludes from the last of these facts, which are lines of a hand file."""
    found: list[str] = []
    for line in text.strip().splitlines():
        found = told(table, parse_fact(line.strip(), 0, table.state.setup))
    return found


def deal(table: Table) -> None:
    """Cards come, until none is due."""
    while table.state.phase.kind is Kind.DEALING and not table.state.held:
        card = next(card for card in DECK if not table.state.deal.knows(card))
        table.apply(f.Drawn(at_us=0, card=card))


def to_the_flop(table: Table) -> None:
    """Everybody calls, the big blind checks, and the flop lies there: seat 1 speaks, 800 is in the pot of four."""
    while table.state.phase.name == "pre-flop-betting":
        rounds = table.state.rounds if isinstance(table.state, PotGameState) else None
        assert rounds is not None
        tell(table, "act call" if rounds.legal().may_call else "act check")
    deal(table)
    assert table.state.phase.name == "flop-betting"


def turn(table: Table) -> int | None:
    """Whose turn it is."""
    return table.state.turn


def pot(table: Table) -> int | None:
    return table.prompt().pot


def legal(table: Table) -> str:
    """What the seat in turn may do, in the words of a refusal."""
    found = table.prompt().legal
    assert found is not None
    return legal_text(found)


#: What an entry may change that its correction leaves: that there was one, and for whom the next one was to be.
_NOT_RESTORED: Final = frozenset({"entry", "chosen", "is_all_in"})


def remembered(table: Table) -> dict[str, object]:
    """Everything that an entry of a betting round can change, but the incidents that it raised."""
    state = table.state
    circle = state
    assert isinstance(circle, PotGameState)
    kept: dict[str, object] = {
        name: _copy(getattr(circle, name))
        for name in (*PotGameState.__slots__, *type(circle).__slots__)
        if name not in _NOT_RESTORED
    }
    rounds = circle.rounds
    if rounds is not None:
        names = {name for kind in type(rounds).__mro__ for name in getattr(kind, "__slots__", ())}
        kept["rounds"] = {name: _copy(getattr(rounds, name)) for name in sorted(names)}
    deal = state.deal
    kept["deal"] = (list(deal.plan), deal.next, dict(deal.at), len(deal.draws))
    kept["hand"] = (state.phase.name, state.staying, state.order, state.is_to_settle, state.house_won)
    kept["carry"] = replace(table.carry(), n_incidents=0, unseen=())
    keys = tuple(key for key in table.prompt().keys if key is not Key.CANCEL)
    kept["prompt"] = replace(table.prompt(), keys=keys, undo=UNSET)
    return kept


def _copy(value: object) -> object:
    if isinstance(value, dict | list | set):
        return value.copy()
    return value


def money(table: Table) -> int:
    """All the chips at the table, before the players and in the pot."""
    circle = table.state
    assert isinstance(circle, PotGameState)
    rounds = circle.rounds
    if rounds is None:
        return sum(circle.stacks.values())
    return sum((rounds.stack(seat) or 0) + (rounds.put_in(seat) or 0) for seat in rounds.order)
