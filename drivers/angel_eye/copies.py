"""What the copies of one report say together: whether they agree on what the first of them said."""

from __future__ import annotations

from typing import Final

from drivers.angel_eye import messages
from drivers.angel_eye.messages import PAYLOAD_BYTES, Code, Report

CARDS: Final = frozenset((Code.CARD_IN_GAME, Code.CARD_OUTSIDE_GAME, Code.RETRANSMISSION))


def is_good(report: Report) -> bool:
    """Whether it can be understood: a known code, a payload of its length and, where it must be one, a card."""
    if report.code not in PAYLOAD_BYTES or len(report.payload) != PAYLOAD_BYTES[Code(report.code)]:
        return False
    if report.code not in CARDS or messages.card_of(report.payload) is not None:
        return True
    return report.code == Code.CARD_IN_GAME and messages.is_burn_count(report.payload)


class Copies:
    """The good copies of the last report. Never prints a card."""

    def __init__(self, times_said: int) -> None:
        self._times_said = times_said
        self._read: list[object] = []
        self._is_told = False

    def begin(self, report: Report) -> None:
        """The first copy of a new report."""
        self._read = [_reading(report)] if is_good(report) else []
        self._is_told = False

    def add(self, report: Report) -> None:
        """Another copy, whether or not it says the same."""
        if self._read and is_good(report):
            self._read.append(_reading(report))

    @property
    def is_open(self) -> bool:
        """Whether copies differ, and nothing was said of it yet."""
        return len(set(self._read)) > 1 and not self._is_told

    @property
    def is_complete(self) -> bool:
        """Whether all copies that should come are there."""
        return len(self._read) >= self._times_said

    def outvote_the_first(self) -> bool:
        """Whether no majority says what the first copy said; told once a report."""
        if not self.is_open or 2 * self._read.count(self._read[0]) > len(self._read):
            return False
        self._is_told = True
        return True

    def other_card(self) -> str | None:
        """The card that most of the copies say that do not say the first one's; of several, the one that came first.
        None where they say no card."""
        others = [card for card in self._read if isinstance(card, str) and card != self._read[0]]
        return max(others, key=others.count, default=None)


def _reading(report: Report) -> object:
    """What copies are compared by: of a card who it is, for where baccarat would put it does not matter."""
    if report.code in CARDS and messages.card_of(report.payload) is not None:
        return messages.card_of(report.payload)
    return (report.code, report.payload)
