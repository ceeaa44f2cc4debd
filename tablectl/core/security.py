"""What somebody tried at a table that he may not, and how much of it is on record. Pure.

A single attempt says nothing: people mistype, and open an old bookmark. What comes in a burst is put on record as a
note with a count (`core.events.notes.Security`), and is an alarm of the table until somebody acknowledges it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

_MINUTE_US: Final = 60_000_000


class SecurityCause(StrEnum):
    """What was tried."""

    #: A wrong secret, at the sign-on or below a second signature.
    SIGN_ONS = "sign-ons"
    #: A page that is for other roles.
    PAGES = "pages"
    #: An entry at the controller's socket by a user who may only look.
    WRITES = "writes"
    #: A second controller for a table that has one.
    SECOND_CONTROLLER = "second-controller"
    #: Foreign USB devices that come and go faster than any person plugs them.
    USB = "usb"


#: One record of a cause, and then no other one for so long: a flood is a count in the next one.
AGAIN_US: Final = 10 * _MINUTE_US
#: After so long without a record of it a cause is over. Twice as long as between two records of one that goes on.
QUIET_US: Final = 2 * AGAIN_US
#: Before the cause, in the name of its alarm.
_ALARM: Final = "security-"


def alarm_of(cause: SecurityCause) -> str:
    """The name of its alarm, by which it is acknowledged."""
    return f"{_ALARM}{cause}"


#: Every alarm of this sort.
ALARMS: Final[Mapping[str, SecurityCause]] = {alarm_of(cause): cause for cause in SecurityCause}


@dataclass(frozen=True, kw_only=True, slots=True)
class Burst:
    """So many attempts within so long are put on record."""

    least: int
    within_us: int = AGAIN_US


BURSTS: Final[Mapping[SecurityCause, Burst]] = {
    # Five wrong secrets lock an account (`people.lockout`): who forgot his own stays below this, also where somebody
    # else mistypes in the same minutes.
    SecurityCause.SIGN_ONS: Burst(least=10),
    # Nobody is led to a page that is not his: an old bookmark is one or two, and each counts once a minute.
    SecurityCause.PAGES: Burst(least=5),
    # None of our programs enters anything as a user who may not: one is enough.
    SecurityCause.WRITES: Burst(least=1),
    SecurityCause.SECOND_CONTROLLER: Burst(least=1),
    # The first ten within ten minutes are alarms by themselves (`table.usb_list`).
    SecurityCause.USB: Burst(least=1),
}
