"""Any declaration at any moment of a hand in a circle game: nothing raises, nothing is dealt while the table is held,
cards and chips are conserved, and every hand can be ended."""

from __future__ import annotations

from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_KEYS, Declaration, Equipment, Key, Tracking
from tablectl.families.holdem.misdeal import RULES
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import parse
from tests.engine.scenarios import places
from tests.engine.tables import fresh_card

SEATS: Final = (1, 3, 5, 7)
STACK: Final = 2_000
DECLARED: Final = [*RULES, Declaration.MISSING_CARD, Declaration.DEFECTIVE_DECK]
CHOICES: Final[dict[str, list[str]]] = {
    "two_actions": ["two-players", "any-two", "with-chips"],
    "reconstruction": ["readers", "croupier"],
    "exposed_count": ["together", "turned-only"],
    "exposed_card": ["after-the-deal", "at-once"],
    "missing_card_late": ["stands", "void-hand"],
    "blind_without_cards": ["returned", "lost"],
}

#: Either a person declares something, or the hand goes on with so much variety.
Declare = tuple[Declaration, int | None, int | None, int | None]
STEPS = st.lists(
    st.one_of(
        st.integers(0, 63),
        st.tuples(
            st.sampled_from(DECLARED),
            st.sampled_from([None, 1, 3, 4, 5, 7, 10, 11]),
            st.sampled_from([None, 0, 1, 2, 3, 4]),
            st.sampled_from([None, 1, 2, 3]),
        ),
        st.lists(st.just(0), min_size=1, max_size=12),
    ),
    max_size=40,
)


def table_of(tracking: Tracking, equipment: Equipment, profile: dict[str, str]) -> Table:
    chosen = f"profile {' '.join(f'{key}={value}' for key, value in profile.items())}\n" if profile else ""
    chips = "".join(f"stack {seat} {STACK}\n" for seat in SEATS) + "limits bet 200..100000\n"
    hand = parse(
        f"# THL-MIS-0: x\nrulebook circle-holdem\nseats {' '.join(map(str, SEATS))}\nbutton 7\n"
        f"tracking {tracking}\nequipment {equipment}\n{chosen}{chips if tracking is Tracking.AMOUNTS else ''}"
        "> press new-hand\n"
    )
    return Table.resume(hand.carry, rulebook_of)


def next_fact(table: Table, choice: int) -> f.Fact:
    """What the prompt asks for; 0 is the plain way through a hand."""
    state, prompt = table.state, table.prompt()
    if table.wake_us is not None and choice % 3 == 0:
        return f.TimePassed(at_us=table.wake_us)
    if prompt.instruction is not Instruction.WAIT_PIT_BOSS:
        kind = state.phase.kind
        if kind is Kind.VOIDED and not state.held and state.has_antennas and state.felt.seen_at:
            number, spot = next(iter(state.felt.seen_at.items()))
            return f.Gone(at_us=0, spot=spot, card=state.deal.draws[number - 1].card)
        if kind is Kind.DEALING and not state.held:
            return dealt(table, choice)
        turn = state.turn
        if kind is Kind.DECIDING and not state.held and turn is not None and prompt.about != f"seat-{turn}":
            return f.Pressed(at_us=0, key=SEAT_KEYS[turn - 1])
        if kind in (Kind.IDLE, Kind.BETTING) and not state.held:
            choice = 0  # nobody comes or goes
        keys = [key for key in prompt.keys if key not in NOT_PRESSED] or [Key.CONFIRM]
        plain = [key for key in PLAIN if key in keys]
        return f.Pressed(at_us=0, key=plain[0] if plain and not choice else keys[choice % len(keys)])
    number = min(state.ruling)
    remedies = state.ruling[number].remedies
    return f.Ruled(at_us=0, incident=number, remedy=remedies[choice % len(remedies)], by="ana", reason="seen")


PLAIN: Final = (Key.NOT_SEEN, Key.NO_MORE_BETS, Key.CHECK, Key.CALL, Key.SHOW_ALL, Key.CONFIRM, Key.NEW_HAND)
NOT_PRESSED: Final = (Key.INCIDENT, Key.FACE_UP, Key.WRONG_COUNT)


def dealt(table: Table, choice: int) -> f.Fact:
    """The next card, at a wrong seat sometimes where antennas tell; one that is out already, very seldom."""
    state = table.state
    card, due, last = fresh_card(state, choice), state.deal.due, state.deal.last
    assert due is not None
    if choice == 63 and last is not None:
        card = last.card
    seats = [f"seat-{seat}" for seat in (*SEATS, 4)]
    spot = seats[choice % len(seats)] if choice % 8 == 7 else due.spot
    if state.setup.equipment is Equipment.ANTENNAS:
        return f.Seen(at_us=0, spot=spot, card=card)
    if (
        state.setup.equipment is Equipment.BOTH
        and last is not None
        and last.number not in state.felt.seen_at
        and choice % 16
    ):
        return f.Seen(at_us=0, spot=last.slot.spot if last.slot is not None else spot, card=last.card)
    return f.Drawn(at_us=0, card=card)


def tell(table: Table, fact: f.Fact) -> tuple[d.Decision, ...]:
    """Apply it, and look at what must hold whatever it was."""
    state = table.state
    held_before = {*state.asking, *state.ruling.values()}
    before = [draw.slot is not None for draw in state.deal.draws]
    decisions = table.apply(fact)
    if held_before & {*state.asking, *state.ruling.values()}:
        for decision in decisions:
            if isinstance(decision, d.CardPlaced) and decision.slot.spot != "discard":
                assert decision.draw <= len(before), "a new card was dealt"
                assert before[decision.draw - 1], "a waiting card was dealt"
    assert_cards_in_one_place(table)
    assert_chips_conserved(table)
    return decisions


def assert_cards_in_one_place(table: Table) -> None:
    """In a slot, waiting, in question, or back in the deck; of a void hand all are collected."""
    found = places(table.state)
    back = [draw.is_back for draw in table.state.deal.draws]
    least = 0 if table.state.phase.kind is Kind.VOIDED else 1
    assert all(is_back or least <= count <= 1 for count, is_back in zip(found, back, strict=True)), found


def assert_chips_conserved(table: Table) -> None:
    """What lies before the players and in the pot is what they came with."""
    circle = table.state
    assert isinstance(circle, PotGameState)
    if not table.state.amounts:
        return
    if circle.rounds is None:
        assert sum(circle.stacks.values()) == STACK * len(SEATS)
        return
    left = sum(circle.rounds.stack(seat) or 0 for seat in circle.rounds.order)
    dealt_in = sum(circle.stacks[seat] for seat in circle.rounds.order)
    assert circle.rounds.pot == dealt_in - left


def play_to_the_end(table: Table) -> None:
    for _ in range(300):
        if not table.state.in_play and not table.state.held:
            return
        tell(table, next_fact(table, 0))
    raise AssertionError(f"the hand does not end: {table.prompt()}")


@given(
    st.sampled_from([Tracking.ROUNDS, Tracking.ACTIONS, Tracking.AMOUNTS]),
    st.sampled_from(Equipment),
    st.fixed_dictionaries({}, optional={key: st.sampled_from(values) for key, values in CHOICES.items()}),
    STEPS,
)
def test_thl_mis_0_whatever_is_declared_whenever_the_hand_goes_on_or_is_void_and_can_be_ended(
    tracking: Tracking, equipment: Equipment, profile: dict[str, str], steps: list[int | Declare | list[int]]
) -> None:
    table = table_of(tracking, equipment, profile)
    tell(table, f.Pressed(at_us=0, key=Key.NEW_HAND))
    tell(table, f.Pressed(at_us=0, key=Key.NO_MORE_BETS))
    for step in steps:
        if isinstance(step, int):
            tell(table, next_fact(table, step))
        elif isinstance(step, list):
            for choice in step:
                tell(table, next_fact(table, choice))
        else:
            what, seat, cards, lap = step
            spot = None if seat is None else f"seat-{seat}"
            assert tell(table, f.Declared(at_us=0, what=what, spot=spot, cards=cards, lap=lap)), "it is answered"
    play_to_the_end(table)
