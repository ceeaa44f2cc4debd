"""What each reader of the public stream says of the table, in one form in which they can be compared.

`None` stands for what a reader says nothing about. Cards are known by the number of their draw, places by their spot
(`seat-3`, `board`); a card that lies nowhere yet is at the empty spot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from simulators.stage.felt import Felt as Robot
from tablectl.core.engine.cable_faults import cited
from tablectl.core.engine.decisions import IncidentEscalated, IncidentRaised
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.state import State
from tablectl.core.public_table.table import DISCARDED, GATHERED, SEATED, PublicTable, SeatView
from tablectl.families.pots.state import PotGameState
from tablectl.journal.evidence.result import Result
from tablectl.notifications.alerts import Alert
from tablectl.statistics.folding import Totals
from tablectl.statistics.rows import IncidentRow

#: A bet by seat, bettor and name.
Bet = tuple[int, int, str]
#: Where the engine does not say which cards of a hand lie where: a game with discards.
_UNKNOWN: Final = "?"


@dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """The table after a record. `seats`: those in the hand; `out`: those of them that are no more in it (folded, void,
    withdrawn); `why_out`: which of these it was, and who was sent from the table; `bets`: against the bank, settled or
    not, with their amounts; `put_in`: in a game for pots, what each seat has in the hand; `stacks`: the chips before
    each seat; `cards`: where each draw lies; `void`: the clause by which the hand was annulled, empty where it was not;
    `incidents`: by number, the clause and whether it is closed."""

    phase: str | None = None
    held: bool | None = None
    seats: frozenset[int] | None = None
    out: frozenset[int] | None = None
    why_out: frozenset[tuple[str, int]] | None = None
    bets: Mapping[Bet, int | None] | None = None
    put_in: Mapping[int, int] | None = None
    stacks: Mapping[int, int] | None = None
    cards: Mapping[int, str] | None = None
    void: str | None = None
    incidents: Mapping[int, object] | None = None


def differences(one: Picture, other: Picture) -> list[str]:
    """What two pictures say differently, of what both say."""
    found = []
    for field in fields(Picture):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        if ours is not None and theirs is not None and not _are_alike(ours, theirs):
            found.append(f"{field.name}: {_shown(ours, theirs)} / {_shown(theirs, ours)}")
    return found


def _are_alike(one: object, other: object) -> bool:
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return one == other
    return one.keys() == other.keys() and all(
        value == other[key] or _UNKNOWN in (value, other[key]) for key, value in one.items()
    )


def _shown(one: object, other: object) -> object:
    """Of sets and mappings what the other one does not have."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return {key: value for key, value in one.items() if key not in other or other[key] != value}
    return set(one - other) if isinstance(one, frozenset) and isinstance(other, frozenset) else one


def of_engine(state: State) -> Picture:
    """What is true: the rules' own memory. In a game for pots nobody is told in public who will get cards: who is in
    the hand counts once every seat has one. Money counts until it is decided who gets it."""
    picture = Picture(phase=state.phase.name, held=state.held)
    if not state.in_play:
        return picture
    out = frozenset(seat for seat in state.order if not state.seats[seat].stays)
    picture = replace(picture, cards=_engine_cards(state, out))
    if not isinstance(state, PotGameState):
        bets = {(seat, bettor, name): amount for seat, bettor, name, amount in state.seats.bets()}
        return replace(picture, seats=frozenset(state.order), out=out, bets=bets)
    dealt = {slot.seat for slot in state.deal.at}
    if not state.order or not dealt.issuperset(state.order):
        return picture
    picture = replace(picture, seats=frozenset(state.order), out=out)
    rounds = state.rounds
    if rounds is None or state.phase.kind not in IN_HAND:
        return picture
    put_in = {seat: rounds.put_in(seat) for seat in state.order}
    stacks = {seat: rounds.stack(seat) for seat in state.order}
    return replace(
        picture,
        put_in={seat: chips for seat, chips in put_in.items() if chips},
        stacks={seat: chips for seat, chips in stacks.items() if chips is not None},
    )


def _engine_cards(state: State, out: frozenset[int]) -> Mapping[int, str]:
    """Of a seat that is out the engine does not say whether its cards were taken away. A card without a place may be
    asked about, or lie among those of a hand in which cards were changed."""
    found = {}
    for draw in state.deal.draws:
        if draw.is_back:
            continue
        is_sure = draw.slot is not None and draw.slot.seat not in out
        found[draw.number] = draw.slot.name.partition(".")[0] if is_sure and draw.slot is not None else _UNKNOWN
    return found


def of_page(view: PublicTable, *, is_for_pots: bool) -> Picture:
    """What the pages of croupier and pit show, and a hand that is gone through again."""
    in_hand = {number: seat for number, seat in view.seats.items() if seat.in_hand}
    put_in = {seat: player.put_in for seat, player in view.circle.players.items() if player.put_in}
    stacks = {seat: player.stack for seat, player in view.circle.players.items() if player.stack is not None}
    dealt = {seat: chips for seat, chips in stacks.items() if seat in in_hand}
    given_up = {seat for seat, player in view.circle.players.items() if player.has_mucked}
    return Picture(
        phase=view.phase,
        held=view.held,
        seats=frozenset(in_hand),
        out=frozenset(number for number, seat in in_hand.items() if seat.folded or seat.void or seat.withdrawn),
        why_out=frozenset(
            (why, number)
            for number, seat in in_hand.items()
            for why, applies in (
                ("folded", seat.folded or number in given_up),
                ("void", seat.void),
                ("withdrawn", seat.withdrawn),
                ("expelled", seat.expelled),
            )
            if applies
        ),
        bets=None if is_for_pots else _page_bets(view),
        put_in=put_in if is_for_pots else None,
        stacks=dealt if is_for_pots else None,
        cards={card.draw: _spot(card.slot) for card in view.cards.values()},
        void=view.void or "",
        incidents={
            number: (cited(incident.clause, incident.observed), not incident.open)
            for number, incident in view.incidents.items()
        },
    )


def _page_bets(view: PublicTable) -> Mapping[Bet, int | None]:
    """Those that were paid before the end lie no more in their boxes, and stand in a list of their own."""
    paid = {
        (settled_view.seat, settled_view.bettor, settled_view.bet): settled_view.stake
        for settled_view in (*view.paid, *view.reversals)
    }
    lying = {key: amount for seat in view.seats.values() for key, amount in _boxes(seat).items()}
    return {**paid, **lying}


def _boxes(seat: SeatView) -> Mapping[Bet, int | None]:
    everybody = {SEATED: seat.bets, **{number: standing_view.bets for number, standing_view in seat.standing.items()}}
    return {(seat.seat, bettor, name): amount for bettor, bets in everybody.items() for name, amount in bets.items()}


def _spot(slot: str | None) -> str:
    """Without the position. The screens have names of their own for discards of which nobody sees how they lie, and for
    those that went into a new stub."""
    spot = (slot or "").partition(".")[0]
    return {DISCARDED: "discard", GATHERED: "stub"}.get(spot, spot)


def of_evidence(end: Result, *, is_for_pots: bool) -> Picture:
    """What the rows of the evidence page say of a hand as far as it has come."""
    rows = end.players if is_for_pots else [row for row in end.bettors if row.bettor == SEATED]
    out = frozenset(row.holding.seat for row in rows if row.holding.state)
    if is_for_pots:
        put_in = {row.holding.seat: row.put_in - (row.refunded or 0) for row in end.players if row.put_in is not None}
        return Picture(out=out, put_in={seat: chips for seat, chips in put_in.items() if chips})
    bets = {
        (row.holding.seat, row.bettor, bet.name): bet.amount
        for row in end.bettors
        for bet in row.bets
        if not (bet.is_returned and row.bettor != SEATED and row.holding.state)
    }
    return Picture(seats=frozenset(row.holding.seat for row in rows), out=out, bets=bets)


def of_robot(robot: Robot) -> Picture:
    """What the demo's croupier goes by."""
    return Picture(
        phase=robot.phase,
        held=robot.table.held,
        out=robot.gone & robot.bets.keys(),
    )


def of_statistics(totals: Totals, rows: Mapping[int, IncidentRow]) -> Picture:
    """What goes into the statistics; `rows`: all that were made so far."""
    incidents = {number: (row.clause, row.closed_us is not None) for number, row in rows.items()}
    return Picture(void=totals.hand.void if totals.hand is not None else None, incidents=incidents)


def of_notifications(told: Iterable[Alert]) -> Picture:
    """Which incidents phones and mailboxes are told of; how they end is not told there."""
    return Picture(
        incidents={
            alert.said.incident: _UNKNOWN
            for alert in told
            if isinstance(alert.said, IncidentRaised | IncidentEscalated)
        }
    )
