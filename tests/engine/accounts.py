"""What was said of a hand's money and of its incidents, and what must be true of it after every fact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tablectl.core.engine import decisions as d
from tablectl.core.engine.vocabulary import Chooser, Posted

Stake = tuple[int, int, str]


@dataclass
class Said:
    """One decision, and which fact of the hand in play it followed from; 0 between two hands."""

    number: int
    decision: d.Decision


@dataclass
class Accounts:
    """All that stands of what a table said, in its order: what a correction withdrew is not there any more."""

    said: list[Said] = field(default_factory=list)
    #: where the hand in play, or the last one, begins
    first: int = 0
    number: int = 0

    def add(self, decisions: Iterable[d.Decision]) -> None:
        """What followed from one more fact."""
        if self.number:
            self.number += 1
        number, is_counted = self.number, True
        for decision in decisions:
            if isinstance(decision, d.HandOpened):
                self.first, self.number, number = len(self.said), 1, 1
            if isinstance(decision, d.Withdrawn):
                kept = [said for said in self.said[self.first :] if said.number < decision.number]
                self.said[self.first :] = kept
                is_counted = False
            elif isinstance(decision, d.Again):
                number, is_counted = decision.number, True
            elif is_counted:
                self.said.append(Said(number, decision))
            if isinstance(decision, d.HandClosed):
                self.number = 0

    def hand(self) -> Iterator[Said]:
        """What stands of the hand in play, or of the last one and what came after it."""
        return iter(self.said[self.first :])

    def check_incidents(self) -> None:
        """An incident is closed once, and was raised before."""
        opened: set[int] = set()
        known: set[int] = set()
        for said in self.said:
            match said.decision:
                case d.IncidentRaised(incident=number):
                    opened.add(number)
                    known.add(number)
                case d.IncidentEscalated(incident=number):
                    assert number in opened, ("escalated, and not open", said)
                case d.IncidentClosed(incident=number):
                    assert number in known, ("closed, and never raised", said)
                    assert number in opened, ("closed twice", said)
                    opened.discard(number)
                case _:
                    pass

    def open_incidents(self) -> set[int]:
        """Those for which somebody has a choice still, as far as anybody was told."""
        opened: set[int] = set()
        for said in self.said:
            match said.decision:
                case d.IncidentRaised(incident=number, chooser=chooser):
                    opened.discard(number)
                    if chooser is not Chooser.RULE:
                        opened.add(number)
                case d.IncidentEscalated(incident=number):
                    opened.add(number)
                case d.IncidentClosed(incident=number):
                    opened.discard(number)
                case _:
                    pass
        return opened

    def check_bank(self) -> None:
        """Against the bank: a bet goes back once, or is decided once, and never both."""
        lies: dict[Stake, int | None] = {}
        settled: dict[Stake, d.BetSettled] = {}
        back: set[Stake] = set()
        voided_by: int | None = None
        reversed_since_void: set[Stake] = set()
        for said in self.hand():
            match said.decision:
                case d.BetTaken(seat=seat, bettor=bettor, bet=bet, amount=amount):
                    lies[seat, bettor, bet] = amount
                case d.BetsReturned(seat=seat, bettor=bettor):
                    lies = {key: amount for key, amount in lies.items() if key[0] != seat or bettor not in (1, key[1])}
                case d.Folded(seat=seat, bettor=bettor) if bettor > 1:
                    lies.pop((seat, bettor, "second"), None)
                case d.LeftToBoxes(bet=bet):
                    lies |= {(seat, bettor, bet): None for seat, bettor, _ in lies}
                case d.HandVoided():
                    assert voided_by is None, ("void twice", said)
                    voided_by = said.number
                case d.HandClosed():
                    # A bet that was to stay in its box goes back where the next hand is at another table.
                    reversed_since_void.clear()
                case d.Refund(seat=seat, bettor=bettor, bet=bet, amount=amount):
                    key = (seat, bettor, bet)
                    assert key in lies, ("refunded, and does not lie there", said)
                    assert key not in back, ("refunded twice", said)
                    assert key not in settled, ("refunded, and settled", said)
                    assert amount == lies[key], ("another amount is refunded", said, lies[key])
                    assert key not in reversed_since_void, ("refunded, and taken back", said)
                    back.add(key)
                case d.BetSettled(seat=seat, bettor=bettor, bet=bet):
                    key = (seat, bettor, bet)
                    assert key not in settled, ("settled twice", said)
                    assert key not in back, ("settled, and refunded", said)
                    settled[key] = said.decision
                case d.BetReversed(seat=seat, bettor=bettor, bet=bet, stake=stake, pays=pays):
                    key = (seat, bettor, bet)
                    was = settled.pop(key, None)
                    assert was is not None, ("taken back, and not settled", said)
                    assert (was.stake, was.pays) == (stake, pays), ("another amount is taken back", said, was)
                    assert key not in back, ("taken back, and refunded", said)
                    if voided_by is not None:
                        reversed_since_void.add(key)
                case _:
                    pass

    def check_pots(self) -> None:
        """Between players: a hand is void once, and whoever has his chips back has them once. An ante that stays for a
        redeal may go back later."""
        back: Counter[tuple[int, str]] = Counter()
        voided_by: int | None = None
        for said in self.hand():
            match said.decision:
                case d.HandVoided():
                    assert voided_by is None, ("void twice", said)
                    voided_by = said.number
                case d.Refund(seat=seat, bet=bet):
                    back[seat, bet] += 1
                    assert back[seat, bet] == 1, ("refunded twice", said)
                    assert voided_by in (None, said.number) or bet == Posted.ANTE, ("refunded when it was void", said)
                case _:
                    pass
