"""What people do that stands on record without changing the game: signing on, and reading. Pure."""

from __future__ import annotations

from enum import StrEnum


class AccessKind(StrEnum):
    """Told to the controller by whoever keeps the accounts."""

    SIGNED_ON = "signed-on"
    SIGNED_OFF = "signed-off"
    #: A secret that was wrong.
    REFUSED = "refused"
    #: A page that is for others.
    PAGE_REFUSED = "page-refused"
    #: So many wrong secrets that no more are looked at for a while.
    LOCKED = "locked"
    ACCOUNT_MADE = "account-made"
    ACCOUNT_CHANGED = "account-changed"
    SECRET_CHANGED = "secret-changed"
    #: The second name under what needs two.
    CO_SIGNED = "co-signed"
    READ_HAND = "read-hand"
    READ_RECORDS = "read-records"
    VERIFIED = "verified"
    OPENED_SEALED = "opened-sealed"
    EXPORTED = "exported"
    READ_TRACE = "read-trace"
    READ_STATISTICS = "read-statistics"
    DOWNLOADED = "downloaded"


class NotTaken(StrEnum):
    """Why the controller will never take what it was told. Where it says none of these it may take it later."""

    #: It is none of what it puts on record.
    SHAPE = "shape"
    #: The number stands for something else: the accounts are those of a copy, which was put back.
    NUMBER = "number"
