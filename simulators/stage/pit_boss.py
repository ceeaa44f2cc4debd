"""The demo's pit boss: rules on what waits for him, unless a visitor at the screen does so first."""

from __future__ import annotations

import random
import time
from typing import Final

from simulators.stage.dealing import Dealing
from simulators.stage.hands import Hands
from tablectl.core.public_table.incident import IncidentView

#: Who he says that he is, and who stands with him for what takes two.
NAME: Final = "pit-boss"
SECOND: Final = "luis"
_TAKES_WHAT_IS_PROPOSED: Final = 0.7
#: How often he gets to a standing bet before "no va más".
_IN_TIME: Final = 0.8
#: The longest time that a standing bet is left to a visitor, as a share of that for an alert.
_REQUEST_SHARE: Final = 0.1
#: How often he looks whether somebody else deals, in seconds.
_LOOK_S: Final = 0.2


class PitBoss:
    """`waits_s`: how long an alert is left to a visitor; 0 where there is none. `dealing`: who deals meanwhile; he who
    takes over or hands back ends the wait."""

    def __init__(self, hands: Hands, *, seed: int, waits_s: float, dealing: Dealing) -> None:
        self._dealing = dealing
        self._hands = hands
        self._felt = hands.felt
        self._dice = random.Random(f"{seed}/pit-boss")
        self._waits_s = waits_s
        self._left_alone: set[int] = set()

    def rule(self) -> None:
        """The table is held: it goes on after his ruling."""
        if self._felt.waiting and not self._visitor_does(self._waits_s):
            self._rule(self._felt.waiting[min(self._felt.waiting)])

    def approve(self) -> bool:
        """One of the standing bets that wait for him, or none: he does not always get to them."""
        for number in sorted(self._felt.requests):
            if number in self._left_alone:
                continue
            if self._visitor_does(self._waits_s * _REQUEST_SHARE):
                return True
            if self._dice.random() < _IN_TIME:
                self._rule(self._felt.requests[number])
                return True
            self._left_alone.add(number)
        return False

    def acknowledge(self) -> None:
        """Everything that happened, where no visitor looks at it."""
        if not self._waits_s:
            for number in self._felt.unacknowledged:
                self._hands.enter(f"acknowledge {number} by pit-boss")

    def _visitor_does(self, waits_s: float) -> bool:
        """A visitor may rule on the pit boss's screen; whatever is recorded meanwhile ends the wait, and that somebody
        else deals now, or nobody any more."""
        was_persons, until_s = self._dealing.is_persons, time.monotonic() + waits_s
        while (left_s := until_s - time.monotonic()) > 0:
            is_recorded = self._hands.look(patience_s=min(left_s, _LOOK_S))
            if is_recorded or self._dealing.is_persons is not was_persons or self._dealing.is_over:
                return True
        return False

    def _rule(self, incident: IncidentView) -> None:
        as_proposed = self._dice.random() < _TAKES_WHAT_IS_PROPOSED
        remedy = incident.remedies[0] if as_proposed else self._dice.choice(incident.remedies)
        who = f"{NAME}+{SECOND}" if remedy in incident.two_persons else NAME
        self._hands.enter(f"rule {incident.number} {remedy} by {who} as the pit boss saw it")
