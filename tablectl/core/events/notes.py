"""What the journal records besides facts of the table: its own life. A note passes no engine and changes no hand.

A note stands in a record where a fact stands, has no decisions, and repeats the prompt of the record before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeAlias

from msgspec import UNSET, UnsetType

from tablectl.core.access import AccessKind
from tablectl.core.records import event, record
from tablectl.core.security import SecurityCause
from tablectl.core.timestamps import time_text


@event
class Stopped:
    """The controller ended in order. Signed: after it nothing is missing."""

    at_us: int
    why: str


@event
class Tilted:
    """The controller ended because the table cannot be trusted. Until a `Cleared`, no controller deals here."""

    at_us: int
    tilt: str
    reason: str


@event
class Cleared:
    """A person looked into a tilt and let the table go on."""

    at_us: int
    by: str
    reason: str


@event
class Unsealed:
    """Somebody asked to see the sealed cards of a hand. Recorded before anything is shown, and when it is refused.

    `request` is what the auditor signed, `signature` in hexadecimal digits; both empty where nothing was signed.
    """

    at_us: int
    of_hand: int
    by: str
    reason: str
    granted: bool
    request: str = ""
    signature: str = ""


@event
class VolumeOpened:
    """The first record of each volume but the first one: `follows` says what it goes on from."""

    at_us: int
    volume: int
    follows: Mapping[str, Any]


@event
class VolumeClosed:
    """The last record of a volume; the next one is in the next file."""

    at_us: int
    volume: int


@event
class DeckMoved:
    """A deck of the register is from now on `in-play`, `ready`, `quarantined` or `retired`; and the deck in play when a
    controller starts."""

    at_us: int
    deck: str
    state: str
    by: str
    reason: str


@event
class Access:
    """Somebody signed on or off, or read something, as the screens told it. `granted` is False where it was refused.

    `id` and `number` tell it from every other one: which accounts file (32 hexadecimal digits), and the how-manieth of
    it. `when` is the time at which it was (RFC 3339, UTC); it may be told later. `who` is empty where nobody said a
    name; `role` is what it was done as, `about` what it was about.
    """

    at_us: int
    id: str
    number: int
    when: str
    what: AccessKind
    who: str
    role: str
    about: str
    granted: bool


@event
class BadgeShown:
    """A badge was held to the reader of badges. `badge`: keyed digest of its number, 32 hexadecimal digits; the number
    itself is nowhere."""

    at_us: int
    badge: str


@event
class Tested:
    """A technician tries the lamps or the keys, between two hands: what is pressed meanwhile is not played."""

    at_us: int
    what: str
    by: str


@event
class Restored:
    """The journal was put in place from a backup, before this start. `made` and `when`: of the backup and of the
    restore (RFC 3339, UTC); `records` and `hash` (64 hexadecimal digits): the newest record that the backup had. `by`
    is empty where nobody said a name, all of it where what was left of the restore could not be read."""

    at_us: int
    made: str
    when: str
    records: int
    hash: str
    by: str


class CountOccasion(StrEnum):
    """Why the tray was counted, where that is a form of its own: play begins at the table, or ends."""

    OPENING = "opening"
    CLOSING = "closing"


@record
class ChipCount:
    """So many chips of one denomination, which is in the smallest unit of money."""

    value: int
    count: int


@event
class FloatCounted:
    """Somebody counted the chips in the croupier's tray. `amount`: what lay there; `expected`: what should have, by the
    records before this one, None where nobody could know; both in the smallest unit of money. `second` is empty where
    one person is enough. `chips`, here and below: of what the amount is made, where the house counts by denomination;
    `occasion` of a count that opens or closes the table. Both are new members (docs/journal.md)."""

    at_us: int
    amount: int
    expected: int | None
    by: str
    second: str
    chips: tuple[ChipCount, ...] | UnsetType = UNSET
    occasion: CountOccasion | UnsetType = UNSET


@event
class FloatFilled:
    """Chips were brought to the tray, in the smallest unit of money."""

    at_us: int
    amount: int
    by: str
    second: str
    chips: tuple[ChipCount, ...] | UnsetType = UNSET


@event
class FloatCredited:
    """Chips were taken away from the tray, in the smallest unit of money."""

    at_us: int
    amount: int
    by: str
    second: str
    chips: tuple[ChipCount, ...] | UnsetType = UNSET


@event
class Format:
    """From here on the journal has members and kinds of notes that no version before `needs` can read (docs/journal.md
    says which `number` brought what). Written once, after the first hand that such a version closed."""

    at_us: int
    number: int
    needs: str


@event
class ClockStepped:
    """The machine's clock was set by so many microseconds (before zero: back) since the table last agreed with it.
    `at_us` is the time after it. What stands before this note was timed by the clock as it ran until then: a hand in
    which it was set went on in its own time."""

    at_us: int
    by_us: int


@event
class OpenEnd:
    """A start found records that were not signed yet, from `first` to `last`: the controller before was killed in a
    hand. The start's own signature vouches for them as they were found."""

    at_us: int
    first: int
    last: int


@event
class Receipted:
    """The pit server has all records up to `to_seq`, whose hash is `to_hash` (64 hexadecimal digits), and signed that
    (`signature`, 128 of them; `tablectl.journal.receipts` says over which text). `when`: by its clock (RFC 3339, UTC);
    `table` and `epoch`: as it knows this table and its journal."""

    at_us: int
    table: str
    epoch: str
    to_seq: int
    to_hash: str
    when: str
    signature: str


@event
class Security:
    """Somebody tried what he may not, `count` times from `first` to `last` (RFC 3339, UTC) since the last record of
    this cause. `source`: who tried, as far as that is known: names of accounts, of users of the machine, of pages; and
    never a secret. It is written for a burst, and then at most once in `core.security.AGAIN_US`."""

    at_us: int
    cause: SecurityCause
    count: int
    first: str
    last: str
    source: str


@record
class MissingHead:
    """A record that the table signed and that its journal does not have (`HeadMissing`), as long as nobody accepted
    that. `at`: when it was found (RFC 3339, UTC)."""

    to_seq: int
    to_hash: str
    at: str
    restored: int


@event
class HeadMissing:
    """Whoever follows the table knows a record `to_seq`, whose hash is `to_hash` (64 hexadecimal digits) and which the
    table signed (`signature`, 128 of them), and the journal has another one there, or none: it was put back to an older
    state, or its past was written anew. `restored`: the record that says that a backup was put in place at this start,
    which may explain it; 0 where there was none."""

    at_us: int
    to_seq: int
    to_hash: str
    signature: str
    restored: int

    @property
    def head(self) -> MissingHead:
        """What of it stands in records until somebody accepts it."""
        return MissingHead(to_seq=self.to_seq, to_hash=self.to_hash, at=time_text(self.at_us), restored=self.restored)


@event
class RollbackAccepted:
    """Two persons looked into why the journal does not have the record `to_seq` with this hash, and the table goes on
    with the journal as it is. `second` is empty where one person is enough."""

    at_us: int
    to_seq: int
    to_hash: str
    by: str
    second: str
    reason: str


@event
class SoftwareApproval:
    """Whether the software of a real table is what somebody approved. Where it is not, hands are opened `until` then
    (RFC 3339, UTC); empty where it is. With each start, and after each hand that was dealt without an approval."""

    at_us: int
    approved: bool
    until: str


@event
class Proven:
    """Somebody signed, with a passkey, what is entered next under his name and another one's: the lines of text that
    `tablectl.journal.challenge.challenge_of` makes of the table, the record `head_seq` with its hash, `nonce` and
    `action`. All that an authenticator and a browser said stands here in base64url (`key`: COSE, RFC 9052), so that
    it can be checked without the accounts; `rp` is the host name for which the key was made."""

    at_us: int
    by: str
    table: str
    action: str
    head_seq: int
    head_hash: str
    nonce: str
    rp: str
    credential: str
    key: str
    client_data: str
    authenticator_data: str
    signature: str


#: What says of the croupier's tray that it was counted, or that chips came or went.
FloatNote: TypeAlias = FloatCounted | FloatFilled | FloatCredited
Note: TypeAlias = (
    Stopped
    | Tilted
    | Cleared
    | Unsealed
    | DeckMoved
    | VolumeOpened
    | VolumeClosed
    | Access
    | BadgeShown
    | Tested
    | Restored
    | FloatCounted
    | FloatFilled
    | FloatCredited
    | Format
    | ClockStepped
    | OpenEnd
    | Receipted
    | Security
    | HeadMissing
    | RollbackAccepted
    | SoftwareApproval
    | Proven
)

#: Kinds that version 0.1.0 does not know: the journal takes them after its `format` note (`Journal.takes_new`).
NEW_NOTES: Final[frozenset[type[Any]]] = frozenset(
    {ClockStepped, OpenEnd, Receipted, Security, HeadMissing, RollbackAccepted, SoftwareApproval, Proven}
)
