"""What happens at a circle table, for the property over any order of facts: any facts at all, mistakes that fit the
moment, and people who play on in between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tablectl.core.engine import antennas
from tablectl.core.engine import facts as f
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Action, Declaration, Equipment, Key, Remedy, SeatChange, Tracking
from tablectl.core.options.choices import choices
from tablectl.families.pots.state import PotGameState
from tablectl.games.registry import PROFILES, rulebook_of
from tests.engine.tables import fresh_card
from tests.families.pots.people import circle_of, next_step

GAMES: Final = ("circle-holdem", "open-holdem")
_TRACKINGS: Final = (Tracking.ROUNDS, Tracking.ACTIONS, Tracking.AMOUNTS)
ANTE: Final = f.Limits(least=50, most=50)
_STACKS: Final = (150, 900, 5_000, 20_000)


def setups(rulebook: str) -> st.SearchStrategy[f.Setup]:
    """Every choice of the house at random."""
    keys = choices(PROFILES[rulebook])
    return st.builds(
        lambda tracking, equipment, profile, staff: f.Setup(
            table="t",
            rulebook=rulebook,
            seats=10,
            tracking=tracking,
            limits={"bet": f.Limits(least=200, most=100_000), **({"ante": ANTE} if rulebook == "draw-poker" else {})},
            profile=profile,
            equipment=equipment,
            chip=50,
            staff=staff,
            bands={"bet": f.Limits(least=100, most=200_000)},
        ),
        st.sampled_from(_TRACKINGS),
        st.sampled_from(Equipment),
        st.fixed_dictionaries({}, optional={key: st.sampled_from(choice.values) for key, choice in keys.items()}),
        st.booleans(),
    )


@dataclass(frozen=True)
class Go:
    """So many steps of an ordinary hand, with so much variety."""

    steps: int
    choice: int


@dataclass(frozen=True)
class Chance:
    """Something that a table can see at this moment and that the prompt does not ask for."""

    kind: int
    choice: int


@dataclass(frozen=True)
class Lit:
    """So many keys, each any one that is lit then, the list of what can be declared and its seats among them; cards,
    devices and the pit boss in between where they are waited for."""

    steps: int
    choice: int

    def fact(self, table: Table, number: int) -> f.Fact:
        choice = self.choice * 31 + number * 17 + number // 5
        prompt = table.prompt()
        is_waiting = prompt.instruction is Instruction.DEAL and choice % 8 > 0
        if is_waiting or not prompt.keys:
            return ordinary(table, choice)
        return f.Pressed(at_us=0, key=prompt.keys[choice % len(prompt.keys)])


Step = Go | Chance
#: How many kinds of things happen by chance.
KINDS: Final = 21
_STEP: Final = st.one_of(
    st.builds(Go, steps=st.integers(1, 24), choice=st.integers(0, 63)),
    st.builds(Chance, kind=st.integers(0, KINDS - 1), choice=st.integers(0, 4095)),
    st.builds(Chance, kind=st.integers(0, KINDS - 1), choice=st.integers(0, 4095)),
)
STEPS: Final = st.lists(_STEP, max_size=18)
STEPS_AND_KEYS: Final = st.lists(
    st.one_of(_STEP, st.builds(Lit, steps=st.integers(1, 24), choice=st.integers(0, 4095))), max_size=18
)
SEATS: Final = st.sets(st.integers(1, 10), min_size=2, max_size=10)


def dealt_by_hand(table: Table, choice: int) -> f.Fact | None:
    """What antennas tell of an ordinary hand: the card that is due comes to its spot, one that was drawn is seen there,
    collected ones are gone. None where they have nothing to tell."""
    state = table.state
    if not state.has_antennas or state.held or state.menu or state.unnamed:
        return None
    if state.phase.kind is Kind.VOIDED and antennas.still_there(state):
        number, spot = next((number, spot) for number, spot in state.felt.seen_at.items() if spot != "discard")
        return f.Gone(at_us=0, spot=spot, card=state.deal.draws[number - 1].card)
    due, equipment = state.deal.due, state.setup.equipment
    if equipment is Equipment.ANTENNAS and state.phase.kind is Kind.DEALING and due is not None:
        return f.Seen(at_us=0, spot=due.spot, card=fresh_card(state, choice))
    if equipment is Equipment.BOTH and state.phase.kind is not Kind.VOIDED:
        for slot, draw in state.deal.at.items():
            is_known = draw.card is not None and state.deal.newest(draw.card) is draw
            if is_known and draw.number not in state.felt.confirmed and draw.number not in state.felt.seen_at:
                return f.Seen(at_us=0, spot=slot.spot, card=draw.card)
    return None


def ordinary(table: Table, choice: int) -> f.Fact:
    """What a table would see next where everybody does what is to be done."""
    state = table.state
    if table.wake_us is not None and choice % 3 == 0:
        return f.TimePassed(at_us=table.wake_us)
    if table.prompt().instruction is Instruction.SIGN_ON:
        return f.SignedOn(at_us=0, croupier="ana")
    if state.shoe_lost is not None:
        role = "antennas" if state.setup.equipment is Equipment.ANTENNAS else "shoe"
        away = sorted(name for text, name in state.lost if text == role)
        return f.DeviceBack(at_us=0, device=away[0] if away else "reader", role=role)
    if state.felt.before and state.phase.kind is Kind.BETTING and not state.held:
        return f.OnFelt(at_us=0, spots=())
    if (
        state.phase.kind is Kind.IDLE
        and not state.held
        and state.rulebook.errors.shuffle_first
        and not state.is_shuffled
    ):
        return f.Shuffled(at_us=0, cards=52)
    return dealt_by_hand(table, choice) or next_step(table, choice)


def _spot(table: Table, choice: int) -> str:
    spots = [*(f"seat-{seat}" for seat in table.state.order or (1, 11)), "board", "burn", "discard", "house"]
    return spots[choice % len(spots)]


def _out(table: Table, choice: int) -> f.Seen | f.Gone:
    """A card that is out already is seen somewhere, or leaves where it lies."""
    state = table.state
    known = [draw for draw in state.deal.draws if draw.card is not None]
    if not known:
        return f.Seen(at_us=0, spot=_spot(table, choice), card=None)
    draw = known[choice // 8 % len(known)]
    if choice % 2 and draw.number in state.felt.seen_at:
        return f.Gone(at_us=0, spot=state.felt.seen_at[draw.number], card=draw.card)
    return f.Seen(at_us=0, spot=_spot(table, choice // 64), card=draw.card)


def _declared(table: Table, choice: int) -> f.Fact:
    what = list(Declaration)[choice % len(Declaration)]
    spot, other = _spot(table, choice // 64), _spot(table, choice // 512)
    said = spot if choice % 5 else None
    return f.Declared(
        at_us=0, what=what, spot=said, other=other if choice % 3 else None, cards=choice % 5, lap=choice % 3
    )


def _ruled(table: Table, choice: int) -> f.Fact:
    if not table.state.ruling:
        return f.Called(at_us=0, by="ana")
    incident = table.state.ruling[sorted(table.state.ruling)[choice % len(table.state.ruling)]]
    remedies = (*incident.remedies, Remedy.VOID_HAND)
    remedy = remedies[choice // 4 % len(remedies)]
    return f.Ruled(at_us=0, incident=incident.number, remedy=remedy, by="ana", second="luis", reason="seen")


def _alarm(choice: int) -> str:
    return "device-reader" if choice % 4 == 0 else f"incident-{choice % 8}"


_AMOUNTS: Final = (None, 0, 100, 150, 200, 400, 1_000, 5_000, -5, 10**12)


def _transferred(table: Table, choice: int) -> f.Transferred:
    """For a claim that was upheld, if there is one."""
    claims = table.state.upheld if isinstance(table.state, PotGameState) else ()
    return f.Transferred(
        at_us=0,
        incident=claims[-1] if claims else choice % 5,
        giver=choice % 11,
        taker=choice // 11 % 11,
        amount=_AMOUNTS[choice // 16 % len(_AMOUNTS)] or 0,
        by="ana",
        second=("", "ana", "luis")[choice % 3],
    )


def by_chance(table: Table, kind: int, choice: int) -> f.Fact:
    """Something that people do, say or that devices tell at this moment, whether it may be or not."""
    state, seat = table.state, choice % 11
    amount = _AMOUNTS[choice // 16 % len(_AMOUNTS)]
    action = list(Action)[choice // 8 % len(Action)]
    keys = table.prompt().keys or (Key.CONFIRM,)
    told: tuple[f.Fact, ...] = (
        f.Moved(at_us=0, seat=seat, what=list(SeatChange)[choice // 16 % len(SeatChange)]),
        f.Stacked(at_us=0, seat=seat, amount=_STACKS[choice // 16 % len(_STACKS)]),
        f.ButtonPlaced(at_us=0, seat=seat),
        f.Pressed(at_us=0, key=keys[choice % len(keys)]),
        f.Pressed(at_us=0, key=list(Key)[choice % len(Key)]),
        f.Acted(at_us=0, action=action, seat=seat or None, to=amount, is_all_in=choice % 7 == 0),
        f.PutIn(at_us=0, seat=state.turn or seat, chips=amount or 0, is_single=choice % 2 == 0, said=None),
        f.PutIn(at_us=0, seat=seat, chips=amount or 0, said=action, said_to=amount),
        _declared(table, choice),
        _ruled(table, choice),
        f.Drawn(at_us=0, card=None if choice % 16 == 0 else fresh_card(state, choice)),
        _out(table, choice),
        f.Seen(at_us=0, spot=_spot(table, choice), card=fresh_card(state, choice // 16)),
        f.Opened(at_us=0, setup=state.setup),
        f.DeviceLost(at_us=0, device="reader", role=("shoe", "antennas")[choice % 2], reason="x"),
        f.SignedOn(at_us=0, croupier=("ana", "luis")[choice % 2]),
        f.SignedOff(at_us=0, croupier=("ana", "luis")[choice % 2]),
        f.LimitsSet(at_us=0, limits={"bet": f.Limits(least=choice, most=100_000)}, by="ana", second="luis"),
        f.Shelved(at_us=0, alarm=_alarm(choice), minutes=choice % 2000, by="ana", reason="later"),
        f.Unshelved(at_us=0, alarm=_alarm(choice), by="ana"),
        _transferred(table, choice),
    )
    assert len(told) == KINDS
    return told[kind]


def opened(setup: f.Setup, seats: set[int], choice: int) -> Table:
    """Players sit there, with chips where amounts are entered."""
    table = Table(setup, rulebook_of)
    table.seat_players(tuple(sorted(seats)))
    if setup.tracking is Tracking.AMOUNTS:
        for seat in sorted(seats):
            table.apply(f.Stacked(at_us=0, seat=seat, amount=_STACKS[(choice + seat) % len(_STACKS)]))
    return table


def steps_of(step: Step | Lit) -> int:
    """How many facts a step is; each depends on what followed from those before it."""
    return 1 if isinstance(step, Chance) else step.steps


def fact_of(table: Table, step: Step | Lit, number: int = 0) -> f.Fact:
    """What a step tells, the so manieth fact of it."""
    match step:
        case Go():
            return ordinary(table, step.choice + number)
        case Lit():
            return step.fact(table, number)
        case Chance():
            return by_chance(table, step.kind, step.choice)


#: In this order a croupier comes to the end of a hand.
_ONWARD: Final = (Key.CONFIRM, Key.CHECK, Key.CALL, Key.FOLD)


def onward(table: Table, choice: int) -> f.Fact:
    """The next fact on the way to the end of the hand: in a betting round by keys that are lit and nothing else."""
    state, keys = table.state, table.prompt().keys
    told = ordinary(table, choice)
    if state.phase.kind is not Kind.DECIDING or state.held or not isinstance(told, f.Acted | f.Pressed):
        return told
    circle = circle_of(table)
    if circle.chosen is not None or circle.is_all_in:
        return f.Pressed(at_us=0, key=Key.CANCEL)
    lit = [key for key in _ONWARD if key in keys]
    assert lit, f"no key leads on: {table.prompt()}"
    return f.Pressed(at_us=0, key=lit[0])


def money(table: Table) -> int | None:
    """All the chips of this hand, those in the pot and those after; None where nobody knows."""
    rounds = circle_of(table).rounds
    if rounds is None or rounds.pot is None:
        return None
    stacks = [stack for seat in rounds.order if (stack := rounds.stack(seat)) is not None]
    return rounds.pot + sum(stacks) if len(stacks) == len(rounds.order) else None
