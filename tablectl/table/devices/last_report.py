"""What a shoe says once more when its line comes back is no new card."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine import facts as f
from tablectl.journal.recovery import is_another_report


class LastReport:
    """Tells the shoe's last report, said once more, from a card.

    A shoe says its last report again when its line comes back. The driver knows repetitions by their number; but this
    process may be a new one, and then the journal alone knows which card came last. Within its hand that card cannot
    come again, whenever it is said. In another hand it can, and a card that could not be read is like every other one
    of them: there, it is a repetition at the moment when the line comes back, or for as long as nobody has touched the
    table. A card of which the shoe was not sure may be said again as another one, and as the first one it may be a new
    card: whatever comes at the moment when the line comes back is that report. Whoever draws a second unread card in
    that moment is asked about the felt and sees that one is missing.
    """

    #: How long after the line came back a repetition may take, in microseconds.
    WITHIN_US: Final = 1_000_000

    def __init__(self, last: f.Drawn | None, *, same_hand: bool, is_uncertain: bool = False) -> None:
        self._last = last
        self._is_uncertain = is_uncertain
        self._same_hand = same_hand
        self._is_touched = False
        self._back_us: int | None = None

    def repeats(self, fact: f.Fact) -> bool:
        """Whether this fact is that report once more. Ask for each fact, in their order."""
        match fact:
            case f.DeviceBack(role="shoe"):
                self._back_us = fact.at_us
            case f.DeviceSaid(role="shoe") if is_another_report(fact.what):
                self._last = None  # what was before it will not come again
            case f.Drawn():
                last, self._last = self._last, None
                return last is not None and self._can_be(last, fact)
            case f.DeviceBack() | f.DeviceLost() | f.DeviceSaid() | f.TopologyChanged():
                pass
            case _:
                self._is_touched = True
        return False

    def _can_be(self, last: f.Drawn, said: f.Drawn) -> bool:
        just_back = self._back_us is not None and said.at_us - self._back_us <= self.WITHIN_US
        if last.card is not said.card:
            return self._is_uncertain and just_back
        cannot_come = self._same_hand and said.card is not None and not self._is_uncertain
        return cannot_come or just_back or not self._is_touched
