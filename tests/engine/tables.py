"""What the tests of the engine share: a fingerprint of everything a table remembers, and somebody who plays on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tablectl.cards import DECK, Card
from tablectl.engine import facts as f
from tablectl.engine.deal import Draw
from tablectl.engine.prompts import Instruction
from tablectl.engine.state import Incident, Pending, State
from tablectl.engine.table import Table
from tablectl.engine.words import Key, Tracking
from tablectl.rulebooks.registry import rulebook_of

LIMITS: Final = {"ante": f.Limits(least=100, most=10_000), "bonus": f.Limits(least=100, most=1_000)}


def setup(*, seats: int = 9, tracking: Tracking = Tracking.AMOUNTS, profile: dict[str, str] | None = None) -> f.Setup:
    return f.Setup(
        table="t", rulebook="texas-bonus", seats=seats, tracking=tracking, limits=LIMITS, profile=profile or {}
    )


def table_of(chosen: f.Setup) -> Table:
    return Table(chosen, rulebook_of)


def replay(chosen: f.Setup, facts: Iterable[f.Fact]) -> Table:
    table = table_of(chosen)
    for fact in facts:
        table.apply(fact)
    return table


# --- fingerprint ----------------------------------------------------------------------------------------------------


def _of_draw(draw: Draw | None) -> object:
    if draw is None:
        return None
    return (draw.number, draw.card.code if draw.card else None, draw.slot.name if draw.slot else None, draw.named)


def _of_incident(incident: Incident | None) -> object:
    if incident is None:
        return None
    return (
        incident.number,
        incident.clause,
        incident.remedies,
        incident.chooser,
        _of_draw(incident.draw),
        incident.spot,
    )


def _of_question(pending: Pending) -> object:
    return (pending.question, pending.about, _of_incident(pending.incident), pending.cards)


def fingerprint(state: State) -> object:
    """Everything that a table remembers, as plain values: but how often a key was pressed, which counts every press."""
    deal = state.deal
    return (
        state.phase.name,
        state.setup,
        state.next_setup,
        state.hand,
        state.n_incidents,
        [_of_draw(draw) for draw in deal.draws],
        [(slot.name, draw.number) for slot, draw in deal.at.items()],
        [slot.name for slot in deal.plan],
        deal.next,
        [draw.number for draw in deal.waiting],
        (deal.n_discarded, sorted(deal.face_up), [deal.knows(card) for card in DECK]),
        {seat: (dict(held.bets), held.folded, held.void) for seat, held in state.seats.items()},
        {seat: dict(bets) for seat, bets in state.previous.items()},
        sorted(state.decided),
        [_of_question(pending) for pending in state.asking],
        {number: _of_incident(incident) for number, incident in state.ruling.items()},
        sorted(state.unseen),
        [draw.number for draw in state.naming],
        state.modifier,
        _of_incident(state.shoe_lost),
    )


# --- somebody who plays on ------------------------------------------------------------------------------------------

#: Choices are made with a number; 0 is the plain way through a hand.
ANSWER_KEYS: Final = (
    Key.NOT_SEEN,
    Key.SEEN,
    Key.CONFIRM,
    Key.SEAT_1,
    Key.SEAT_2,
    Key.SEAT_3,
    Key.SEAT_4,
    Key.SEAT_5,
    Key.BANK,
)


def fresh_card(state: State, choice: int) -> Card | None:
    """A card that is not out yet; None when all are."""
    left = [card for card in DECK if not state.deal.knows(card)]
    return left[choice % len(left)] if left else None


def next_fact(table: Table, choice: int, at_us: int = 0) -> f.Fact:
    """What a table would see next where everybody does what the prompt says."""
    state, prompt = table.state, table.prompt()

    def press(key: Key) -> f.Fact:
        return f.Pressed(at_us=at_us, key=key)

    def name() -> f.Fact:
        card = fresh_card(state, choice)
        if card is None:
            return f.Called(at_us=at_us, by="croupier", reason="no card is left to name")
        return f.Named(at_us=at_us, slot=prompt.about, card=card, by="ana")

    def answer() -> f.Fact:
        answers = [key for key in ANSWER_KEYS if key in prompt.keys]
        return press(answers[choice % len(answers)])

    def rule() -> f.Fact:
        assert prompt.incident is not None
        remedies = state.ruling[prompt.incident].remedies
        return f.Ruled(at_us=at_us, incident=prompt.incident, remedy=remedies[choice % len(remedies)], by="ana")

    def decide() -> f.Fact:
        keys = [key for key in (Key.BET, Key.ALL_BET, Key.FOLD, Key.CHECK, Key.ALL_CHECK) if key in prompt.keys]
        return press(keys[choice % len(keys)])

    def open_bets() -> f.Fact:
        if state.seats and choice % 3 == 0:
            return press(Key.NO_MORE_BETS)
        seat = choice % state.setup.seats + 1
        ante, bonus = (1000, 500) if state.amounts else (None, None)
        return f.Bets(at_us=at_us, seat=seat, amounts={"ante": ante, "bonus": bonus} if choice % 2 else {"ante": ante})

    doing: dict[Instruction, Callable[[], f.Fact]] = {
        Instruction.WAIT_SHOE: lambda: f.DeviceBack(at_us=at_us, device="shoe-1", role="shoe"),
        Instruction.ANSWER: answer,
        Instruction.WAIT_PIT_BOSS: rule,
        Instruction.NAME_CARD: name,
        Instruction.NEW_HAND: lambda: press(Key.NEW_HAND),
        Instruction.TAKE_BETS: open_bets,
        Instruction.DEAL: lambda: f.Drawn(at_us=at_us, card=fresh_card(state, choice)),
        Instruction.ASK_SEAT: decide,
        Instruction.REVEAL_BANK: lambda: press(Key.BANK),
        Instruction.SETTLE: lambda: press(Key.CONFIRM),
        Instruction.COLLECT: lambda: press(Key.CONFIRM),
    }
    return doing[prompt.instruction]()


def play_on(table: Table, tell: Callable[[f.Fact], object] | None = None, *, at_most: int = 150) -> None:
    """Do what the prompt says until the hand is over and nothing waits. Fails where that does not come to an end.

    `tell`: how the table is told a fact, where somebody listens.
    """
    done: list[f.Fact] = []
    for _ in range(at_most):
        if not table.state.in_play and not table.state.held:
            return
        done.append(next_fact(table, 0))
        (tell or table.apply)(done[-1])
    raise AssertionError(f"the hand does not end: {table.prompt()}, after {done[-5:]}")
