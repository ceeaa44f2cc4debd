"""What happens at a table, for the property tests: any facts at all, mistakes that fit the moment, and people who play
on in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Equipment, Key, Plug, Question, Remedy, Strange, Tracking
from tablectl.core.options.choices import Profile, choices
from tablectl.games.texas_bonus.options import TexasBonusProfile
from tablectl.games.texas_poker.options import TexasPokerProfile
from tests.engine.states import kept as kept_bets
from tests.engine.tables import SIDE, fresh_card, next_fact, setup, table_of

# --- any facts at all -----------------------------------------------------------------------------------------------

PROFILES: Final[Mapping[str, type[Profile]]] = {"texas-bonus": TexasBonusProfile, "texas-poker": TexasPokerProfile}
NUMBERS = st.one_of(st.integers(-1, 14), st.sampled_from([-(10**9), 2**31, 10**12]))


BANDS: Final = {bet: f.Limits(least=100, most=20_000) for bet in ("ante", "bonus", "txb")}


def setups(rulebook: str) -> st.SearchStrategy[f.Setup]:
    keys = choices(PROFILES[rulebook])
    return st.builds(
        setup,
        st.just(rulebook),
        seats=st.sampled_from([3, 1, 9]),
        tracking=st.sampled_from(Tracking),
        equipment=st.sampled_from(Equipment),
        staff=st.booleans(),
        bands=st.sampled_from([{}, BANDS]),
        profile=st.fixed_dictionaries(
            {}, optional={key: st.sampled_from(choice.values) for key, choice in keys.items()}
        ),
    )


SETUPS = st.sampled_from(sorted(PROFILES)).flatmap(setups)
SEAT_SPOTS = [f"seat-{seat}" for seat in range(12)]
SPOTS = st.one_of(
    st.none(), st.sampled_from(["house", *SEAT_SPOTS, "seat-x", "seat-²", "seat-", "board", "burn", "discard", ""])
)
BET_NAMES = st.sampled_from(["ante", "bonus", "flop", "turn", "river", "txb", "second", ""])
AMOUNTS = st.one_of(st.none(), st.sampled_from([0, 100, 500, 1000, 2000, -1000, 10**12]))
CARDS = st.one_of(st.none(), st.sampled_from(DECK))
ROLES = st.sampled_from(["shoe", "antennas", "panel", "light", "kettle"])
AT = st.just(0)
ALARMS = st.one_of(
    NUMBERS.map(lambda number: f"incident-{number}"),
    st.sampled_from(["device-shoe-1", "device-felt-1", "device-", "incident-x", "kettle", ""]),
)

ANY_FACT: st.SearchStrategy[f.Fact] = st.one_of(
    st.builds(f.Opened, at_us=AT, setup=SETUPS),
    st.builds(f.Drawn, at_us=AT, card=CARDS),
    st.builds(f.Seen, at_us=AT, spot=SPOTS.filter(bool), card=CARDS, position=st.one_of(st.none(), NUMBERS)),
    st.builds(f.Gone, at_us=AT, spot=SPOTS.filter(bool), card=CARDS),
    st.builds(f.StrangeTag, at_us=AT, spot=SPOTS.filter(bool), what=st.sampled_from(Strange)),
    st.builds(f.OnFelt, at_us=AT, spots=st.lists(SPOTS.filter(bool), max_size=2).map(tuple)),
    st.builds(f.Counted, at_us=AT, cards=st.one_of(st.just(52), NUMBERS)),
    st.builds(f.Shuffled, at_us=AT, cards=st.one_of(st.just(52), NUMBERS)),
    st.builds(f.Pressed, at_us=AT, key=st.sampled_from(Key)),
    st.builds(f.Bets, at_us=AT, seat=NUMBERS, amounts=st.dictionaries(BET_NAMES, AMOUNTS, max_size=3)),
    st.builds(
        f.StandingBet,
        at_us=AT,
        seat=NUMBERS,
        amounts=st.dictionaries(BET_NAMES, AMOUNTS, max_size=3),
        consent=st.booleans(),
    ),
    st.builds(f.Removed, at_us=AT, seat=NUMBERS, bettor=st.integers(-1, 5)),
    st.builds(f.StandsOut, at_us=AT, seat=NUMBERS, bettor=NUMBERS),
    st.builds(
        f.Declared,
        at_us=AT,
        what=st.sampled_from(Declaration),
        spot=SPOTS,
        other=SPOTS,
        cards=st.one_of(st.none(), NUMBERS),
        lap=st.one_of(st.none(), NUMBERS),
    ),
    st.builds(
        f.Ruled,
        at_us=AT,
        incident=NUMBERS,
        remedy=st.sampled_from(Remedy),
        by=st.just("ana"),
        second=st.sampled_from(["", "ana", "luis"]),
    ),
    *(st.builds(kind, at_us=AT, croupier=st.sampled_from(["ana", "luis", ""])) for kind in (f.SignedOn, f.SignedOff)),
    st.builds(
        f.LimitsSet,
        at_us=AT,
        limits=st.dictionaries(
            BET_NAMES, st.sampled_from([f.Limits(least=low, most=1000) for low in (0, 100, 500)]), max_size=2
        ),
        by=st.just("ana"),
        second=st.sampled_from(["", "ana", "luis"]),
    ),
    st.builds(
        f.Shelved,
        at_us=AT,
        alarm=ALARMS,
        minutes=st.sampled_from([60, 0, -1, 10**12]),
        by=st.just("ana"),
        reason=st.sampled_from(["later", ""]),
    ),
    st.builds(f.Unshelved, at_us=AT, alarm=ALARMS, by=st.just("ana")),
    st.builds(f.Acknowledged, at_us=AT, incident=NUMBERS, by=st.just("ana")),
    st.builds(f.Acknowledged, at_us=AT, incident=st.just(0), by=st.just("ana"), alarm=ALARMS),
    st.builds(
        f.Named,
        at_us=AT,
        slot=st.sampled_from([*BY_NAME, "board.99", "nowhere"]),
        card=st.sampled_from(DECK),
        by=st.just("ana"),
    ),
    st.builds(f.Called, at_us=AT, by=st.just("luis"), reason=st.just("")),
    st.builds(f.DeviceLost, at_us=AT, device=st.sampled_from(["shoe-1", "felt-1"]), role=ROLES, reason=st.just("")),
    st.builds(f.DeviceBack, at_us=AT, device=st.sampled_from(["shoe-1", "felt-1"]), role=ROLES),
    st.builds(
        f.DeviceSaid,
        at_us=AT,
        device=st.sampled_from(["shoe-1", "felt-1"]),
        role=ROLES,
        what=st.just("error"),
        code=NUMBERS,
    ),
    st.builds(
        f.TopologyChanged,
        at_us=AT,
        change=st.sampled_from(Plug),
        what=st.sampled_from(["panel, 05f3:0405 at 1-1", "046d:c31c at 1-2"]),
        is_allowed=st.booleans(),
    ),
    st.builds(f.Failed, at_us=AT, fact=st.just("?"), error=st.just("broken"), card=CARDS),
)

# --- mistakes that fit the moment ------------------------------------------------------------------------------------


def _out(state: State, choice: int) -> Card | None:
    """A card that is out of the shoe."""
    known = [draw.card for draw in state.deal.draws if draw.card is not None]
    return known[choice % len(known)] if known else None


def _declared(state: State, choice: int) -> f.Fact:
    """Something about seats that are in the hand, said at once."""
    seats = [f"seat-{seat}" for seat in state.order] or ["seat-1"]
    what = list(Declaration)[choice % len(Declaration)]
    spots = [*seats, "house"] if what is Declaration.WRONG_COUNT else seats
    spot, other = spots[choice // 16 % len(spots)], seats[-1 - choice // 16 % len(seats)]
    drawn = choice // 64 % (len(state.deal.draws) + 2) if choice % 3 == 0 else None
    return f.Declared(at_us=0, what=what, spot=spot, other=other, cards=choice // 16 % 4, drawn=drawn)


def _ruled(state: State, choice: int) -> f.Fact:
    waiting = {**state.requests, **state.ruling}
    if not waiting:
        return f.Called(at_us=0, by="ana")
    incident = sorted(waiting.values(), key=lambda open_incident: open_incident.number)[choice % len(waiting)]
    return f.Ruled(
        at_us=0,
        incident=incident.number,
        remedy=incident.remedies[choice // 3 % len(incident.remedies)],
        by="ana",
        reason="so it is" if choice % 4 else "",
    )


def _standing(state: State, choice: int) -> f.Fact:
    seat = state.order[choice % len(state.order)] if state.order else 1
    ante, side = (1000, 100 + choice) if state.amounts else (None, None)
    amounts = {"ante": ante, SIDE[state.rulebook.id]: side} if choice % 2 else {"ante": ante}
    return f.StandingBet(at_us=0, seat=seat, amounts=amounts, consent=choice % 5 != 4)


def _seen(state: State, choice: int) -> f.Fact:
    spots = [*(f"seat-{seat}" for seat in state.order), "house", "board", "burn", "discard"]
    card = _out(state, choice // 8) if choice % 3 else fresh_card(state, choice)
    return f.Seen(at_us=0, spot=spots[choice % len(spots)], card=card)


def _gone(state: State, choice: int) -> f.Fact:
    there = list(state.felt.seen_at.items())
    if not there:
        return f.Gone(at_us=0, spot="seat-1", card=_out(state, choice))
    number, spot = there[choice % len(there)]
    return f.Gone(at_us=0, spot=spot, card=state.deal.draws[number - 1].card)


def _live_key(table: Table, choice: int) -> f.Fact:
    keys = table.prompt().keys or (Key.CONFIRM,)
    return f.Pressed(at_us=0, key=keys[choice % len(keys)])


def _named(table: Table, choice: int) -> f.Fact:
    slots = [slot.name for slot, draw in table.state.deal.at.items() if draw.card is None or draw.named] or ["board.1"]
    card = (fresh_card(table.state, choice) if choice % 2 else _out(table.state, choice)) or DECK[0]
    return f.Named(at_us=0, slot=slots[choice % len(slots)], card=card, by="ana")


_MISTAKES: Final[tuple[Callable[[Table, int], f.Fact], ...]] = (
    lambda table, choice: _declared(table.state, choice),
    lambda table, choice: f.Declared(at_us=0, what=list(Declaration)[choice % len(Declaration)]),
    _live_key,
    lambda table, choice: f.Drawn(at_us=0, card=fresh_card(table.state, choice)),
    lambda table, choice: f.Drawn(at_us=0, card=_out(table.state, choice)),
    lambda table, _: f.Drawn(at_us=0, card=None),
    lambda table, choice: _seen(table.state, choice),
    lambda table, choice: _gone(table.state, choice),
    lambda table, choice: _ruled(table.state, choice),
    lambda table, choice: _standing(table.state, choice),
    lambda table, choice: f.StandsOut(at_us=0, seat=(table.state.order or (1,))[0], bettor=choice % 3 + 1),
    lambda table, choice: f.Removed(at_us=0, seat=(table.state.order or (1,))[0], bettor=choice % 3 + 1),
    lambda table, _: f.Opened(at_us=0, setup=table.state.setup),
    _named,
    lambda table, _: f.Pressed(at_us=0, key=Key.INCIDENT),
)


@dataclass(frozen=True)
class OrdinarySteps:
    """So many steps of an ordinary hand, with so much variety."""

    steps: int
    choice: int


@dataclass(frozen=True)
class Mistake:
    """Something that a table can see at this moment and that the prompt does not ask for."""

    kind: int
    choice: int


Move = f.Fact | OrdinarySteps | Mistake

#: The questions during which the shoe may still report what it could not before.
AFTER_A_GAP = frozenset({Question.NOTHING_DRAWN, Question.FELT})

MISTAKES = st.builds(Mistake, kind=st.integers(0, len(_MISTAKES) - 1), choice=st.integers(0, 63))
#: A croupier who plays on, and errs sometimes; and in between anything.
MOVES = st.lists(
    st.one_of(
        st.builds(OrdinarySteps, steps=st.integers(1, 24), choice=st.integers(0, 7)),
        MISTAKES,
        MISTAKES,
        ANY_FACT,
    ),
    max_size=16,
)


@dataclass(frozen=True)
class Snapshot:
    """The part of a table that the properties speak of, as it was at one moment."""

    kind: Kind
    #: what the table waits for
    holding: frozenset[Pending | Incident]
    gap: bool
    #: how many places each card of the hand has, and whether it lies in a slot, in order of drawing
    places: tuple[int, ...]
    laid: tuple[bool, ...]
    #: every bet that lies there, by seat, bettor and box
    stakes: Mapping[tuple[int, int, str], int | None]
    kept: Mapping[tuple[int, int, str], int | None]
    #: the seats that have a card which nobody knows
    unread: frozenset[int | None]

    @staticmethod
    def at(state: State) -> Snapshot:
        lost = () if state.shoe_lost is None else (state.shoe_lost,)
        return Snapshot(
            kind=state.phase.kind,
            holding=frozenset((*state.asking, *state.ruling.values(), *lost)),
            gap=bool(state.asking) and all(pending.question in AFTER_A_GAP for pending in state.asking),
            places=tuple(places(state)),
            laid=tuple(draw.slot is not None for draw in state.deal.draws),
            stakes={(seat, bettor, bet): amount for seat, bettor, bet, amount in state.seats.bets()},
            unread=frozenset(slot.seat for slot, draw in state.deal.at.items() if draw.card is None),
            kept={(seat, 1, bet): amount for seat, bets in kept_bets(state).items() for bet, amount in bets.items()},
        )


def places(state: State) -> list[int]:
    """In how many places each card is: a slot, among those that wait, in question, seen where none is due yet."""
    at = state.deal.at
    assert len({id(draw) for draw in at.values()}) == len(at), "no card lies in two slots"
    assert all(draw.slot is slot for slot, draw in at.items()), "a slot and its card know each other"
    questions = [pending.incident for pending in state.asking if pending.incident is not None]
    asked = {id(incident.draw) for incident in (*questions, *state.ruling.values())}
    left_over = {asks.drawn for asks in state.asking if asks.question is Question.PUT_AWAY and asks.incident is None}
    return [
        sum(
            (
                draw.slot is not None and (draw.slot.spot == "discard" or at.get(draw.slot) is draw),
                sum(card is draw for card in state.deal.waiting),
                draw.slot is None and (id(draw) in asked or draw.number in left_over),
                draw.slot is None and state.felt.is_passing(draw),
            )
        )
        for draw in state.deal.draws
    ]


@dataclass(frozen=True)
class ScenarioStep:
    """One fact, what it met, what followed and what was there after it."""

    before: Snapshot
    fact: f.Fact
    decisions: tuple[d.Decision, ...]
    after: Snapshot


class Scenario:
    """What a table was told, and what it concluded."""

    def __init__(self, chosen: f.Setup, moves: list[Move]) -> None:
        self.chosen = chosen
        self.table = table_of(chosen)
        self.steps: list[ScenarioStep] = []
        for move in moves:
            if isinstance(move, OrdinarySteps):
                for _ in range(move.steps):
                    self.tell(next_fact(self.table, move.choice))
            elif isinstance(move, Mistake):
                self.tell(_MISTAKES[move.kind](self.table, move.choice))
            else:
                self.tell(move)

    def tell(self, fact: f.Fact) -> None:
        before = Snapshot.at(self.table.state)
        decisions = self.table.apply(fact)
        self.steps.append(ScenarioStep(before, fact, decisions, Snapshot.at(self.table.state)))

    @property
    def facts(self) -> list[f.Fact]:
        return [step.fact for step in self.steps]

    @property
    def decisions(self) -> list[d.Decision]:
        return [decision for step in self.steps for decision in step.decisions]


def scenarios(rulebook: str) -> st.SearchStrategy[Scenario]:
    return st.builds(Scenario, setups(rulebook), MOVES)
