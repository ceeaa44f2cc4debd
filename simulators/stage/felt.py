"""What somebody who watches the public records knows of the table: the robot croupier's eyes.

The table itself is the one that the pages show. Beside it stands what only this croupier keeps: what he counts for his
summary, and the order in which cards were laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Final

from simulators.stage.chip_ledger import ChipLedger
from tablectl.core.engine.decisions import (
    Account,
    Asked,
    BetsReturned,
    Bought,
    CardPlaced,
    Decision,
    Exchanges,
    Folded,
    HandClosed,
    HandOpened,
    HandVoided,
    IncidentRaised,
    Refused,
    SeatVoided,
    SeatWithdrawn,
    StubMade,
)
from tablectl.core.engine.facts import DeviceLost, Opened
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.vocabulary import Key, Remedy
from tablectl.core.events.corrections import as_they_stand, first_told, withdrawn
from tablectl.core.events.stream import PublicRecord, Unknown
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.incident import IncidentState, IncidentView
from tablectl.core.public_table.pot_game import CircleView
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import CIRCLE_GAMES

#: Decisions after which a hand is not one in which all stay and nothing goes wrong.
_NOT_SMOOTH: Final = (Folded, SeatVoided, SeatWithdrawn, BetsReturned, Refused, Asked)


@dataclass(slots=True)
class Felt:
    """Folded from public records, one at a time."""

    table: PublicTable = field(default_factory=PublicTable)
    #: seats whose player has a resto in this session, where the game has one
    begun: set[int] = field(default_factory=set)
    #: seats of the hand before
    before: frozenset[int] = frozenset()
    draws: int = 0
    placed: list[str] = field(default_factory=list)
    draw_at: dict[str, int] = field(default_factory=dict)
    #: where each draw lies, or lay last; in a game with discards the new stubs, and how many cards came before the draw
    lies: dict[int, str] = field(default_factory=dict)
    stubs: list[StubMade] = field(default_factory=list)
    dealt: int = 0
    #: what went wrong, by clause: to ask the pit boss for a standing bet is nothing of the kind
    clauses: Counter[str] = field(default_factory=Counter)
    #: what the croupier was asked
    questions: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    voided: int = 0
    presses: list[int] = field(default_factory=list)
    #: of those hands in which nothing went wrong, and where a bank deals, all stayed
    smooth: list[int] = field(default_factory=list)
    is_smooth: bool = True
    cards: int = 0
    unread: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    ledger: ChipLedger = field(default_factory=ChipLedger)
    _seats: frozenset[int] = frozenset()
    #: the records of the hand in play, and the chips as they were before it
    _hand: list[PublicRecord] = field(default_factory=list)
    _chips_before: ChipLedger = field(default_factory=ChipLedger)

    # -- the table -----------------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return self.table.seq

    @property
    def prompt(self) -> Prompt:
        """What the croupier is told now. Raises `ValueError` before the table has told him anything."""
        if self.table.prompt is None:
            raise ValueError("no record with a prompt has been seen yet")
        return self.table.prompt

    @property
    def phase(self) -> str:
        """That of the hand; `closed` between two hands."""
        return self.table.phase

    @property
    def keys(self) -> frozenset[Key]:
        """The live ones."""
        return frozenset(self.prompt.keys)

    @property
    def bets(self) -> Mapping[int, frozenset[str]]:
        """The names of the bets of each seat of this hand."""
        return {number: frozenset(seat.bets) for number, seat in sorted(self.table.seats.items()) if seat.in_hand}

    @property
    def gone(self) -> frozenset[int]:
        """Seats that were in the hand and are not any more."""
        seats = self.table.seats.items()
        return frozenset(number for number, seat in seats if seat.folded or seat.void or seat.withdrawn)

    @property
    def staying(self) -> list[int]:
        """Seats still in the hand."""
        gone = self.gone
        return [seat for seat in self.bets if seat not in gone]

    @property
    def decided(self) -> frozenset[int]:
        """Seats that have decided in this phase."""
        return frozenset(number for number, seat in self.table.seats.items() if seat.decided)

    @property
    def standing(self) -> frozenset[tuple[int, int]]:
        """Who stands behind a seat and goes on with it: seat and number of the bettor."""
        return frozenset(
            (number, bettor)
            for number, seat in self.table.seats.items()
            for bettor, stands in seat.standing.items()
            if not stands.out
        )

    @property
    def seated(self) -> frozenset[int]:
        """In a game for pots: who has a seat."""
        return frozenset(self.table.circle.players)

    @property
    def present(self) -> frozenset[int]:
        """Who of them is there."""
        return frozenset(number for number, player in self.table.circle.players.items() if player.is_there)

    @property
    def stacks(self) -> Mapping[int, int]:
        """The chips of each of them."""
        players = self.table.circle.players.items()
        return {number: player.stack for number, player in players if player.stack is not None}

    @property
    def waiting(self) -> Mapping[int, IncidentView]:
        """The incidents that the pit boss has to rule on, while the table waits."""
        incidents = self.table.incidents.items()
        return {
            number: incident
            for number, incident in incidents
            if incident.state is IncidentState.RULING and not incident.is_request
        }

    @property
    def requests(self) -> Mapping[int, IncidentView]:
        """The standing bets that wait for him, while the table does not."""
        return {incident.number: incident for incident in self.table.requests}

    @property
    def unacknowledged(self) -> list[int]:
        """The incidents that nobody has acknowledged."""
        return sorted(number for number, incident in self.table.incidents.items() if incident.seen_by is None)

    def dealt_to(self, seat: int) -> list[int]:
        """The draws that lie at a seat, or lay there last, in their order."""
        return [draw for draw, slot in sorted(self.lies.items()) if slot.startswith(f"seat-{seat}.")]

    # -- records -------------------------------------------------------------------------------------------------------

    def see(self, record: PublicRecord) -> None:
        """One more record."""
        if record.draw is not None:
            self.cards += 1
            self.unread += record.commitment is None
            self.draws = record.draw
        self.table = fold(self.table, record)
        match record.event:
            case Opened() as opened if opened.setup.rulebook not in CIRCLE_GAMES:
                # Nobody sits at a circle table that is none any more.
                self.table = replace(self.table, circle=CircleView())
                self.begun = set()
            case DeviceLost() as lost:
                self.lost[lost.device] += 1
                self.is_smooth = False
        self._count_chips(record)
        for decision in first_told(record.decisions):
            self._see(decision)
        self._seats = frozenset(self.bets)

    def _count_chips(self, record: PublicRecord) -> None:
        """An entry that was undone or corrected moved no chips: the hand is counted again, as it stands now."""
        is_correction = withdrawn(record) is not None
        if not is_correction and HandOpened in map(type, record.decisions):
            self._hand, self._chips_before = [], deepcopy(self.ledger)
        self._hand.append(record)
        counted = [record]
        if is_correction:
            self.ledger, counted = deepcopy(self._chips_before), as_they_stand(self._hand)
        for seen in counted:
            for decision in seen.decisions:
                self.ledger.see(decision)

    def _see(self, decision: Decision | Unknown) -> None:
        self.is_smooth &= not isinstance(decision, _NOT_SMOOTH)
        match decision:
            case CardPlaced():
                slot = decision.slot.name
                self.placed.append(slot)
                self.draw_at = {at: draw for at, draw in self.draw_at.items() if draw != decision.draw}
                self.draw_at[slot] = decision.draw
                self.lies[decision.draw] = slot
                self.draws = max(self.draws, decision.draw)
            case HandVoided():
                self.voided += 1
            case HandClosed():
                self._close(decision)
            case Bought():
                self.begun.add(decision.seat)
            case Account():
                self.begun.discard(decision.seat)
            case Exchanges() if not self.dealt:
                self.dealt = self.draws
            case StubMade():
                self.stubs.append(decision)
            case IncidentRaised():
                is_request = Remedy.APPROVE in decision.remedies
                self.is_smooth &= is_request
                if not is_request:
                    self.clauses[decision.clause] += 1
            case Asked():
                self.questions[decision.question] += 1

    def _close(self, closed: HandClosed) -> None:
        self.hands += 1
        self.presses.append(closed.presses)
        if self.is_smooth and self.before == self._seats:
            self.smooth.append(closed.presses)
        self.before, self.is_smooth = self._seats, True
        self.placed, self.draw_at, self.draws = [], {}, 0
        self.lies, self.stubs, self.dealt = {}, [], 0
