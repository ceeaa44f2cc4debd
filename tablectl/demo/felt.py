"""What somebody who watches the public records knows of the table: the robot croupier's eyes.

It is deliberately small: what to do now, who is still in, what has happened. The screens have a view of their own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from tablectl.core.engine.words import Remedy
from tablectl.demo.purse import Purse
from tablectl.games.registry import CIRCLE_GAMES

#: Decisions after which a hand is not one in which all stay and nothing goes wrong.
_NOT_SMOOTH: Final = frozenset({"folded", "seat-voided", "seat-withdrawn", "bets-returned", "refused", "asked"})

#: Decisions that only a circle game has, as far as people at the table go by them.
_OF_A_CIRCLE: Final = frozenset(
    {"spoke", "mucked", "taken-back", "stack-now", "player-now", "exchanges", "stub-made", "bought", "account"}
)


@dataclass(slots=True)
class Waiting:
    """An incident that the pit boss has to rule on."""

    number: int
    clause: str
    remedies: list[str]
    #: those that take two persons
    two_persons: list[str]


@dataclass(slots=True)
class Felt:
    """Folded from public records, one at a time."""

    seq: int = 0
    prompt: dict[str, Any] = field(default_factory=dict)
    phase: str = "closed"
    bets: dict[int, set[str]] = field(default_factory=dict)
    #: who stands behind a seat and goes on with it: seat and number of the bettor
    standing: set[tuple[int, int]] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    #: in a circle game: who has a seat, who of them is there, and the chips of each between hands
    seated: set[int] = field(default_factory=set)
    present: set[int] = field(default_factory=set)
    stacks: dict[int, int] = field(default_factory=dict)
    #: seats whose player has a resto in this session, where the game has one
    begun: set[int] = field(default_factory=set)
    #: seats of the hand before
    before: frozenset[int] = frozenset()
    draws: int = 0
    placed: list[str] = field(default_factory=list)
    draw_at: dict[str, int] = field(default_factory=dict)
    #: where each draw lies, or lay last; in a game with discards the new stubs, and how many cards came before the draw
    lies: dict[int, str] = field(default_factory=dict)
    stubs: list[dict[str, Any]] = field(default_factory=list)
    dealt: int = 0
    #: seats that have decided in this phase
    decided: set[int] = field(default_factory=set)
    waiting: dict[int, Waiting] = field(default_factory=dict)
    #: standing bets that wait for the pit boss, while the table does not
    requests: dict[int, Waiting] = field(default_factory=dict)
    unacknowledged: set[int] = field(default_factory=set)
    #: what went wrong, by clause: to ask the pit boss for a standing bet is nothing of the kind
    clauses: Counter[str] = field(default_factory=Counter)
    hands: int = 0
    voided: int = 0
    presses: list[int] = field(default_factory=list)
    #: of those hands in which nothing went wrong, and where a bank deals, all stayed
    smooth: list[int] = field(default_factory=list)
    is_smooth: bool = True
    cards: int = 0
    unread: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    purse: Purse = field(default_factory=Purse)

    @property
    def keys(self) -> frozenset[str]:
        """The live ones."""
        return frozenset(self.prompt.get("keys", ()))

    @property
    def staying(self) -> list[int]:
        """Seats still in the hand."""
        return [seat for seat in sorted(self.bets) if seat not in self.gone]

    def dealt_to(self, seat: int) -> list[int]:
        """The draws that lie at a seat, or lay there last, in their order."""
        return [draw for draw, slot in sorted(self.lies.items()) if slot.startswith(f"seat-{seat}.")]

    def see(self, record: dict[str, Any]) -> None:
        """One more record."""
        self.seq = record["seq"]
        self.prompt = record["prompt"]
        fact = record["fact"]
        if "draw" in fact:
            self.cards += 1
            self.unread += fact.get("card") is None
            self.draws = fact["draw"]
        if fact["kind"] == "opened" and fact["setup"]["rulebook"] not in CIRCLE_GAMES:
            # Nobody sits at a circle table that is none any more.
            self.seated, self.present, self.stacks = set(), set(), {}
            self.begun = set()
        if fact["kind"] == "device-lost":
            self.lost[fact["device"]] += 1
            self.is_smooth = False
        for decision in record["decisions"]:
            self.purse.see(decision)
            self._see(decision)

    def _see(self, each: dict[str, Any]) -> None:
        self.is_smooth &= each["kind"] not in _NOT_SMOOTH
        match each:
            case {"kind": "phase-entered"}:
                self.phase, self.decided = each["phase"], set()
            case {"kind": "bet-taken" | "bets-returned" | "folded", "bettor": int(bettor)} if bettor > 1:
                self._see_standing(each, bettor)
            case {"kind": "bet-taken"}:
                self.bets.setdefault(each["seat"], set()).add(each["bet"])
                self.decided.add(each["seat"])
            case {"kind": "bets-returned"}:
                self.bets.pop(each["seat"], None)
                self.standing = {at for at in self.standing if at[0] != each["seat"]}
            case {"kind": "folded" | "seat-voided" | "seat-withdrawn"}:
                self.gone.add(each["seat"])
            case {"kind": "checked"}:
                self.decided.add(each["seat"])
            case {"kind": "card-placed"}:
                self.placed.append(each["slot"])
                seat = each["slot"].removeprefix("seat-").partition(".")[0]
                if seat.isdecimal():
                    self.bets.setdefault(int(seat), set())
                self.draw_at = {slot: draw for slot, draw in self.draw_at.items() if draw != each["draw"]}
                self.draw_at[each["slot"]] = each["draw"]
                self.lies[each["draw"]] = each["slot"]
                self.draws = max(self.draws, each["draw"])
            case {"kind": "hand-voided"}:
                self.voided += 1
            case {"kind": "hand-closed"}:
                self._close(each)
            case {"kind": str(kind)} if kind in _OF_A_CIRCLE:
                self._see_circle(each)
            case _:
                self._see_incident(each)

    def _see_circle(self, each: dict[str, Any]) -> None:
        match each:
            case {"kind": "spoke", "action": "fold"} | {"kind": "mucked"}:
                self.gone.add(each["seat"])
            case {"kind": "taken-back"}:
                self.gone.discard(each["seat"])
            case {"kind": "bought"}:
                self.begun.add(each["seat"])
            case {"kind": "account"}:
                self.begun.discard(each["seat"])
            case {"kind": "stack-now"}:
                self.stacks[each["seat"]] = each["amount"]
            case {"kind": "exchanges"} if not self.dealt:
                self.dealt = self.draws
            case {"kind": "stub-made"}:
                self.stubs.append(each)
            case {"kind": "player-now"}:
                self._comes_or_goes(each)

    def _comes_or_goes(self, each: dict[str, Any]) -> None:
        if each["what"] in ("takes", "back"):
            self.seated.add(each["seat"])
            self.present.add(each["seat"])
        else:
            self.present.discard(each["seat"])
        if each["what"] == "leaves":
            self.seated.discard(each["seat"])
            self.stacks.pop(each["seat"], None)

    def _see_standing(self, each: dict[str, Any], bettor: int) -> None:
        if each["kind"] == "bet-taken":
            self.standing.add((each["seat"], bettor))
        else:
            self.standing.discard((each["seat"], bettor))

    def _see_incident(self, each: dict[str, Any]) -> None:
        match each:
            case {"kind": "incident-raised", "incident": int(number)}:
                self.unacknowledged.add(number)
                is_request = Remedy.APPROVE in each["remedies"]
                self.is_smooth &= is_request
                if not is_request:
                    self.clauses[each["clause"]] += 1
                if each["chooser"] == "pit-boss":
                    waiting = self.requests if is_request else self.waiting
                    waiting[number] = Waiting(number, each["clause"], each["remedies"], each["two_persons"])
            case {"kind": "incident-escalated", "incident": int(number)}:
                self.waiting[number] = Waiting(number, "", each["remedies"], each["two_persons"])
            case {"kind": "incident-closed", "incident": int(number)}:
                self.waiting.pop(number, None)
                self.requests.pop(number, None)
            case {"kind": "incident-seen", "incident": int(number)}:
                self.unacknowledged.discard(number)

    def _close(self, each: dict[str, Any]) -> None:
        self.hands += 1
        self.presses.append(each["presses"])
        if self.is_smooth and self.before == frozenset(self.bets):
            self.smooth.append(each["presses"])
        self.before, self.is_smooth = frozenset(self.bets), True
        self.bets, self.gone, self.standing = {}, set(), set()
        self.placed, self.draw_at, self.draws = [], {}, 0
        self.lies, self.stubs, self.dealt = {}, [], 0
