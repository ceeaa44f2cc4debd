"""A circle table with people at it: somebody who plays on, and whatever people do and say in between."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Action, Declaration, Equipment, Key, SeatChange, Tracking
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening
from tests.engine.tables import fresh_card

HANDS: Final = Path(__file__).parents[2] / "hands"
#: Three players, blinds of 100 and 200, button at seat 3: seat 1 posts the small blind, seat 3 speaks first.
THREE: Final = """rulebook circle-holdem
seats 1 2 3
button 3
stack 1 20000
stack 2 20000
stack 3 20000
limits bet 200..100000
"""
DEAL: Final = """> press no-more-bets
> draw As
> draw Ks
> draw Qs
> draw Ad
> draw Kd
> draw Qd
"""


def played(text: str) -> tuple[Table, list[str]]:
    """A hand as a file has it, without what follows: the table then, and the decisions of the last line."""
    hand = parse(text)
    table = Table.resume(hand.carry, rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    found: list[str] = []
    for step in hand.steps:
        found = decision_lines(step.fact, table.apply(step.fact), last_draw=len(table.state.deal.draws))
    return table, found


def circle_of(table: Table) -> PotGameState:
    circle = table.state
    assert isinstance(circle, PotGameState)
    return circle


# --- people ---------------------------------------------------------------------------------------------------------

_WORDS: Final = (
    Declaration.ABSENT_AT_TURN,
    Declaration.PROTECTED_TAKEN,
    Declaration.UNPROTECTED_TAKEN,
    Declaration.RETRIEVE_UNCALLED,
    Declaration.RETRIEVE_ALL_IN,
    Declaration.RETRIEVE_MISLED,
    Declaration.CARDS_IN_CONTACT,
    Declaration.OBJECTION,
    Declaration.CLAIM,
    Declaration.COLLUSION,
    Declaration.SHARED_POT,
    Declaration.CHIPS_POCKETED,
    Declaration.OWN_CARDS_SHOWN,
    Declaration.COMMENTED,
    Declaration.ALL_IN_SHOWN,
)


def at_will(table: Table, kind: int, choice: int) -> f.Fact:
    """Something that people do or say at this moment, whether it may be or not."""
    seat, other = choice % 10 + 1, choice // 10 % 10 + 1
    match kind:
        case 0:
            return f.Moved(at_us=0, seat=seat, what=list(SeatChange)[choice // 10 % len(SeatChange)])
        case 1:
            return f.Stacked(at_us=0, seat=seat, amount=(0, 150, 3000)[choice // 10 % 3])
        case 2:
            return f.ButtonPlaced(at_us=0, seat=seat)
        case 3:
            keys = table.prompt().keys or (Key.CONFIRM,)
            return f.Pressed(at_us=0, key=keys[choice % len(keys)])
        case _:
            there = table.state.order or (seat, other)
            spots = [f"seat-{number}" for number in there]
            return f.Declared(
                at_us=0,
                what=_WORDS[choice % len(_WORDS)],
                spot=spots[choice // 16 % len(spots)],
                other=spots[choice // 64 % len(spots)] if choice % 3 else None,
            )


#: Keys that declare something else while a question is asked.
_NO_ANSWERS: Final = (Key.INCIDENT, Key.FACE_UP, Key.WRONG_COUNT)


def next_step(table: Table, choice: int) -> f.Fact:
    """What a table would see next where everybody does what is to be done."""
    state, circle = table.state, circle_of(table)
    if table.prompt().instruction is Instruction.ANSWER:
        keys = [key for key in table.prompt().keys if key not in _NO_ANSWERS]
        return f.Pressed(at_us=0, key=keys[choice % len(keys)])
    if state.ruling:
        incident = state.ruling[min(state.ruling)]
        remedy = incident.remedies[choice % len(incident.remedies)]
        return f.Ruled(at_us=0, incident=incident.number, remedy=remedy, by="ana", second="luis", reason="seen")
    if state.menu:
        return f.Pressed(at_us=0, key=Key.CANCEL)
    if state.unnamed:
        slot, card = state.unnamed[0].slot, fresh_card(state, choice)
        assert slot is not None
        assert card is not None
        return f.Named(at_us=0, slot=slot.name, card=card, by="ana")
    return _by_phase(table, circle, choice)


def _somebody_to_play_with(circle: PotGameState) -> f.Fact:
    broke = next((seat for seat in circle.present if seat not in circle.able), None)
    if broke is not None:
        return f.Stacked(at_us=0, seat=broke, amount=1000)
    away = next((player.seat for player in circle.players if not player.is_in), None)
    if away is not None:
        return f.Moved(at_us=0, seat=away, what=SeatChange.BACK)
    taken = {player.seat for player in circle.players}
    return f.Moved(at_us=0, seat=min(set(range(1, 11)) - taken), what=SeatChange.TAKES)


def _by_phase(table: Table, circle: PotGameState, choice: int) -> f.Fact:
    state = table.state
    match state.phase.kind:
        case Kind.IDLE if len(circle.able) < 2:
            return _somebody_to_play_with(circle)
        case Kind.IDLE:
            return f.Pressed(at_us=0, key=Key.NEW_HAND)
        case Kind.BETTING if state.phase.name == "seating":
            return f.ButtonPlaced(at_us=0, seat=circle.present[0]) if circle.present else f.Called(at_us=0, by="ana")
        case Kind.BETTING:
            return f.Pressed(at_us=0, key=Key.NO_MORE_BETS)
        case Kind.DEALING:
            return f.Drawn(at_us=0, card=None if choice == 63 else fresh_card(state, choice))
        case Kind.DECIDING:
            return _action(table, circle, choice)
        case Kind.REVEALING:
            return f.Pressed(at_us=0, key=(Key.SHOW_ALL, Key.SHOW, Key.FOLD)[choice % 3 if choice % 5 else 0])
        case _:
            return f.Pressed(at_us=0, key=Key.CONFIRM)


def _action(table: Table, circle: PotGameState, choice: int) -> f.Fact:
    rounds = circle.rounds
    assert rounds is not None
    if table.state.setup.tracking is Tracking.ROUNDS or rounds.turn is None:
        return f.Pressed(at_us=0, key=Key.CONFIRM)
    legal = rounds.legal()
    raised = f.Acted(at_us=0, action=Action.RAISE, to=legal.raise_from)
    passive = f.Acted(at_us=0, action=Action.CHECK if legal.may_check else Action.CALL)
    options: list[f.Fact] = [passive, passive, f.Acted(at_us=0, action=Action.FOLD)]
    if legal.may_raise:
        options.append(raised)
    if legal.may_go_all_in and table.state.amounts:
        options.append(f.Acted(at_us=0, action=Action.ALL_IN, to=legal.all_in))
    return options[choice % len(options)]


class Scenario:
    """A table, what it was told, and what it keeps true all the time: no money comes or goes."""

    def __init__(self, setup: f.Setup, seats: Iterable[int]) -> None:
        self.table = Table(setup, rulebook_of)
        self.table.seat_players(tuple(seats))
        self.said: list[d.Decision] = []
        if setup.tracking is Tracking.AMOUNTS:
            for seat in seats:
                self.tell(f.Stacked(at_us=0, seat=seat, amount=1000 * seat + 50))

    def tell(self, fact: f.Fact) -> None:
        before = self._money()
        decisions = self.table.apply(fact)
        self.said += decisions
        if before is None:
            return
        after = self._money()
        paid = [decision.amount for decision in decisions if isinstance(decision, d.StackNow)]
        if after is not None:
            assert after == before, fact
        elif paid and any(isinstance(decision, d.HandClosed) for decision in decisions):
            closed = next(decision for decision in decisions if isinstance(decision, d.HandClosed))
            assert sum(paid) + (closed.float_change or 0) == before, fact

    def _money(self) -> int | None:
        """All the chips of this hand: those in the pot and those after. None without a hand, without amounts, or where
        somebody sits down whose chips nobody entered."""
        rounds = circle_of(self.table).rounds
        if rounds is None or rounds.pot is None:
            return None
        stacks = [stack for seat in rounds.order if (stack := rounds.stack(seat)) is not None]
        return rounds.pot + sum(stacks) if len(stacks) == len(rounds.order) else None

    def play_on(self, *, at_most: int = 400) -> None:
        """Until the hand is over and nothing waits."""
        for _ in range(at_most):
            if not self.table.state.in_play and not self.table.state.held:
                return
            self.tell(next_step(self.table, 0))
        raise AssertionError(f"the hand does not end: {self.table.prompt()}")


def setup_of(rulebook: str, tracking: Tracking, profile: dict[str, str]) -> f.Setup:
    return f.Setup(
        table="t",
        rulebook=rulebook,
        seats=10,
        tracking=tracking,
        limits={"bet": f.Limits(least=200, most=100_000)},
        profile=profile,
        equipment=Equipment.SHOE,
        chip=50,
    )
