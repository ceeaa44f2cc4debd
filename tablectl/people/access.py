"""What people did that has to stand on record although it changes nothing at the table. Pure."""

from __future__ import annotations

from enum import StrEnum


class AccessKind(StrEnum):
    """What somebody did, or tried to do."""

    SIGNED_ON = "signed-on"
    SIGNED_OFF = "signed-off"
    REFUSED = "refused"
    LOCKED = "locked"
    ACCOUNT_MADE = "account-made"
    ACCOUNT_CHANGED = "account-changed"
    SECRET_CHANGED = "secret-changed"
    CO_SIGNED = "co-signed"
    READ_HAND = "read-hand"
    READ_RECORDS = "read-records"
    VERIFIED = "verified"
    OPENED_SEALED = "opened-sealed"
    EXPORTED = "exported"
    READ_TRACE = "read-trace"
    READ_STATISTICS = "read-statistics"
    DOWNLOADED = "downloaded"
