"""What kinds of alarms there are, and of each how urgent it is, who must respond, and why. Pure.

An alarm needs a response from a named role (ISA-18.2, EEMUA 191). An incident that the rules resolve by themselves
needs none: it is an event, and stands in a list only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

from tablectl.core.engine.cable_faults import FOREIGN, READER_LOST, USB_CHANGED
from tablectl.core.engine.pending import STANDING
from tablectl.core.security import SecurityCause


class Priority(IntEnum):
    """How urgent an alarm is, by what it costs to leave it, and by how soon that is."""

    HIGH = 1
    MEDIUM = 2
    LOW = 3


class Responder(StrEnum):
    """Who must respond to an alarm."""

    CROUPIER = "croupier"
    PIT_BOSS = "pit-boss"
    TECHNICIAN = "technician"


class AlarmKind(StrEnum):
    """What an alarm is about."""

    ROLLED_BACK = "rolled-back"
    RULING = "ruling"
    REQUEST = "request"
    QUESTION = "question"
    READER_LOST = "reader-lost"
    FOREIGN_USB = "foreign-usb"
    USB_CHANGED = "usb-changed"
    SENSOR_LOST = "sensor-lost"
    KEYS_LOST = "keys-lost"
    SHUFFLER_LOST = "shuffler-lost"
    LAMP_LOST = "lamp-lost"
    BADGES_LOST = "badges-lost"
    DEVICE_LOST = "device-lost"
    DEVICE_SAID = "device-said"
    DISK = "disk"
    SIGN_ONS_REFUSED = "sign-ons-refused"
    PAGES_REFUSED = "pages-refused"
    WRITES_REFUSED = "writes-refused"
    SECOND_CONTROLLER = "second-controller"
    USB_FLOOD = "usb-flood"
    NOT_APPROVED = "not-approved"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rank:
    """What follows from the kind of an alarm. Why it is so stands in the catalogues (`alarm-why`)."""

    priority: Priority
    responder: Responder


#: The one table of priorities.
RANKS: Final[Mapping[AlarmKind, Rank]] = {
    # What was played and paid is not on record any more, and somebody may have wanted that.
    AlarmKind.ROLLED_BACK: Rank(priority=Priority.HIGH, responder=Responder.PIT_BOSS),
    # The table is held until he rules.
    AlarmKind.RULING: Rank(priority=Priority.HIGH, responder=Responder.PIT_BOSS),
    # Nobody knows which cards are dealt: nothing is dealt until the reader answers.
    AlarmKind.READER_LOST: Rank(priority=Priority.HIGH, responder=Responder.TECHNICIAN),
    # The table goes on, but a player waits, and the answer is worth nothing after "no more bets".
    AlarmKind.REQUEST: Rank(priority=Priority.MEDIUM, responder=Responder.PIT_BOSS),
    # The table is held, and the croupier, who sits there, has the question before him.
    AlarmKind.QUESTION: Rank(priority=Priority.MEDIUM, responder=Responder.CROUPIER),
    # Play goes on; somebody may have been at the cables.
    AlarmKind.FOREIGN_USB: Rank(priority=Priority.MEDIUM, responder=Responder.PIT_BOSS),
    # Cards are dealt with one check less.
    AlarmKind.SENSOR_LOST: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # The croupier has his screen alone.
    AlarmKind.KEYS_LOST: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # The next deck is not counted by it.
    AlarmKind.SHUFFLER_LOST: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # A device of another package: nobody here knows what it is for.
    AlarmKind.DEVICE_LOST: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # No dealing once it is full; there are days until then.
    AlarmKind.DISK: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # Somebody may be guessing; the account that is guessed at waits by itself, and play goes on.
    AlarmKind.SIGN_ONS_REFUSED: Rank(priority=Priority.MEDIUM, responder=Responder.PIT_BOSS),
    # A program of this machine does what none of ours does: it is not what was installed, or somebody uses it.
    AlarmKind.WRITES_REFUSED: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # The first one plays on; the second one had the keys, or it could not have been refused.
    AlarmKind.SECOND_CONTROLLER: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # The first ones were alarms by themselves; what comes and goes so fast is no person, and wants to be unplugged.
    AlarmKind.USB_FLOOD: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # The table opens no hand once the time is over; there are days until then.
    AlarmKind.NOT_APPROVED: Rank(priority=Priority.MEDIUM, responder=Responder.TECHNICIAN),
    # Nothing of them was shown.
    AlarmKind.PAGES_REFUSED: Rank(priority=Priority.LOW, responder=Responder.PIT_BOSS),
    # Whatever the lamp says is on the screens too.
    AlarmKind.LAMP_LOST: Rank(priority=Priority.LOW, responder=Responder.TECHNICIAN),
    # People can type instead.
    AlarmKind.BADGES_LOST: Rank(priority=Priority.LOW, responder=Responder.TECHNICIAN),
    # An own device was plugged in or out; if the table needs it, its loss is an alarm by itself.
    AlarmKind.USB_CHANGED: Rank(priority=Priority.LOW, responder=Responder.TECHNICIAN),
    # The table does not wait for it, and the device says when it is over.
    AlarmKind.DEVICE_SAID: Rank(priority=Priority.LOW, responder=Responder.CROUPIER),
}
#: The kinds of what a device or a cable does: somebody has to look at it, also where it is over.
OF_CABLES: Final = frozenset({AlarmKind.READER_LOST, AlarmKind.FOREIGN_USB, AlarmKind.USB_CHANGED})
#: Of what somebody tried that he may not.
OF_ATTEMPTS: Final[Mapping[SecurityCause, AlarmKind]] = {
    SecurityCause.SIGN_ONS: AlarmKind.SIGN_ONS_REFUSED,
    SecurityCause.PAGES: AlarmKind.PAGES_REFUSED,
    SecurityCause.WRITES: AlarmKind.WRITES_REFUSED,
    SecurityCause.SECOND_CONTROLLER: AlarmKind.SECOND_CONTROLLER,
    SecurityCause.USB: AlarmKind.USB_FLOOD,
}
_LOST: Final[Mapping[str, AlarmKind]] = {
    "shoe": AlarmKind.READER_LOST,
    "antennas": AlarmKind.SENSOR_LOST,
    "stub": AlarmKind.SENSOR_LOST,
    "panel": AlarmKind.KEYS_LOST,
    "shuffler": AlarmKind.SHUFFLER_LOST,
    "light": AlarmKind.LAMP_LOST,
    "badges": AlarmKind.BADGES_LOST,
}


def kind_of_lost(role: str) -> AlarmKind:
    """Of a device of this role that does not answer, where its loss is no incident."""
    return _LOST.get(role, AlarmKind.DEVICE_LOST)


def kind_of_incident(observed: str, *, is_ruling: bool) -> AlarmKind:
    """Of an incident that is no event. `is_ruling`: the pit boss has to rule on it; or had, where it is over."""
    if observed in READER_LOST:
        return AlarmKind.READER_LOST
    if observed in USB_CHANGED:
        return AlarmKind.FOREIGN_USB if observed.startswith(FOREIGN) else AlarmKind.USB_CHANGED
    if observed.startswith(STANDING):
        return AlarmKind.REQUEST
    return AlarmKind.RULING if is_ruling else AlarmKind.QUESTION
