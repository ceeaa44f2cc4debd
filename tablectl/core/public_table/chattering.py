"""Alarms that chatter: the same cause comes again and again within minutes (EEMUA 191). They are one alarm with a
count. Pure: times are those of the facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

#: So many losses within so long are one alarm.
LOSSES: Final = 3
WITHIN_US: Final = 600_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Losses:
    """How often a device was lost lately: `count` in one go, and when the last ones were (at most three)."""

    count: int = 0
    recent_us: tuple[int, ...] = ()

    @property
    def is_chattering(self) -> bool:
        """Whether they are one alarm with a count."""
        return self.count >= LOSSES

    def chatters_at(self, now_us: int) -> bool:
        """The same at a moment: it is over once nothing was lost for as long as three losses count together."""
        return self.is_chattering and now_us - self.recent_us[-1] <= WITHIN_US


def lost_again(losses: Losses, at_us: int) -> Losses:
    """After one more loss."""
    recent = (*losses.recent_us, at_us)[-LOSSES:]
    if len(recent) == LOSSES and recent[-1] - recent[0] <= WITHIN_US:
        return Losses(count=max(LOSSES, losses.count + 1), recent_us=recent)
    near = tuple(loss_us for loss_us in recent if at_us - loss_us <= WITHIN_US)
    return Losses(count=len(near), recent_us=near)


def bursts(times_us: Sequence[int], least: int = LOSSES) -> tuple[range, ...]:
    """Which of these, in the order of their times, came so densely that at least so many fell into ten minutes: losses
    that are one alarm together, or alarms that are a flood."""
    found: list[range] = []
    for first in range(len(times_us) - least + 1):
        end = first + least
        if times_us[end - 1] - times_us[first] <= WITHIN_US:
            if found and first < found[-1].stop:
                found[-1] = range(found[-1].start, end)
            else:
                found.append(range(first, end))
    return tuple(found)
