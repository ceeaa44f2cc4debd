"""What somebody who watches the public records knows of the table: the robot croupier's eyes.

It is deliberately small: what to do now, who is still in, what has happened. The screens have a view of their own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Waiting:
    """An incident that the pit boss has to rule on."""

    number: int
    clause: str
    remedies: list[str]


@dataclass(slots=True)
class Felt:
    """Folded from public records, one at a time."""

    seq: int = 0
    prompt: dict[str, Any] = field(default_factory=dict)
    phase: str = "closed"
    bets: dict[int, set[str]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)
    draws: int = 0
    placed: list[str] = field(default_factory=list)
    draw_at: dict[str, int] = field(default_factory=dict)
    decided: bool = False
    waiting: dict[int, Waiting] = field(default_factory=dict)
    unacknowledged: set[int] = field(default_factory=set)
    clauses: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    voided: int = 0
    presses: list[int] = field(default_factory=list)
    cards: int = 0
    unread: int = 0
    lost: Counter[str] = field(default_factory=Counter)

    @property
    def keys(self) -> frozenset[str]:
        """The live ones."""
        return frozenset(self.prompt.get("keys", ()))

    @property
    def staying(self) -> list[int]:
        """Seats still in the hand."""
        return [seat for seat in sorted(self.bets) if seat not in self.gone]

    def see(self, record: dict[str, Any]) -> None:
        """One more record."""
        self.seq = record["seq"]
        self.prompt = record["prompt"]
        fact = record["fact"]
        if "draw" in fact:
            self.cards += 1
            self.unread += fact.get("card") is None
            self.draws = fact["draw"]
        if fact["kind"] == "device-lost":
            self.lost[fact["device"]] += 1
        for decision in record["decisions"]:
            self._see(decision)

    def _see(self, each: dict[str, Any]) -> None:
        match each["kind"]:
            case "phase-entered":
                self.phase, self.decided = each["phase"], False
            case "bet-taken":
                self.bets.setdefault(each["seat"], set()).add(each["bet"])
                self.decided = True
            case "bets-returned":
                self.bets.pop(each["seat"], None)
            case "folded" | "seat-voided":
                self.gone.add(each["seat"])
                self.decided = True
            case "checked":
                self.decided = True
            case "card-placed":
                self.placed.append(each["slot"])
                self.draw_at[each["slot"]] = each["draw"]
                self.draws = max(self.draws, each["draw"])
            case "hand-voided":
                self.voided += 1
            case "hand-closed":
                self._close(each)
            case _:
                self._see_incident(each)

    def _see_incident(self, each: dict[str, Any]) -> None:
        match each:
            case {"kind": "incident-raised", "incident": int(number)}:
                self.clauses[each["clause"]] += 1
                self.unacknowledged.add(number)
                if each["chooser"] == "pit-boss":
                    self.waiting[number] = Waiting(number, each["clause"], each["remedies"])
            case {"kind": "incident-escalated", "incident": int(number)}:
                self.waiting[number] = Waiting(number, "", each["remedies"])
            case {"kind": "incident-closed", "incident": int(number)}:
                self.waiting.pop(number, None)
            case {"kind": "incident-seen", "incident": int(number)}:
                self.unacknowledged.discard(number)

    def _close(self, each: dict[str, Any]) -> None:
        self.hands += 1
        self.presses.append(each["presses"])
        self.bets, self.gone = {}, set()
        self.placed, self.draw_at, self.draws = [], {}, 0
