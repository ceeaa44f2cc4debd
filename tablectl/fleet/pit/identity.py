"""Certificates of tables: given for a one-time code, and again for the key that is enrolled.

Whoever asks has no certificate, or an expired one. A table that was revoked, or is not enrolled, gets nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from cryptography import x509

from tablectl.core.timestamps import time_text, time_us
from tablectl.fleet import codes, signed_times
from tablectl.fleet.certificates import Shown, key_digest, shown_in
from tablectl.fleet.enrolment import Enrol, Enrolled, Refusal, Renew, Renewed
from tablectl.fleet.pit.authority import Authority, NotOurs, key_requested
from tablectl.fleet.pit.store import Code, KnownTable, PitStore
from tablectl.fleet.signed_times import SignedTime
from tablectl.journal.signing import Signer
from tablectl.ops.log import LateLog

#: Who asks again within so long gets the certificate that was made last: to ask often costs nobody anything.
RENEWED_EACH_S: Final = 60.0

_LOG: Final = LateLog()


class Refused(Exception):
    """No certificate. The text says what happened and what to do."""

    def __init__(self, why: Refusal, error: str) -> None:
        super().__init__(error)
        self.why = why


def new_code(store: PitStore, name: str, now_us: int, *, key: bytes = b"") -> str:
    """A code with which the table of this name can be enrolled, or enrolled again; an earlier one is void. `key`: of
    the one journal for which it is good, empty for any. Raises `StoreUnusable`, `Refused`."""
    table = _table(store, name)
    if table is not None:
        _is_the_same(table, key or table.key)
    code = codes.new_code()
    until = time_text(now_us + codes.VALID_S * 1_000_000)
    store.add_code(
        Code(name=name, secret=codes.secret_of(code, name), key=key if table is None else table.key, until=until)
    )
    return code


def issue(authority: Authority, name: str, request: str, now_us: int) -> tuple[str, Shown]:
    """A certificate for a table (PEM), and what it says. Raises `Refused`."""
    now = _moment(now_us)
    if now < authority.begins - timedelta(days=1):
        raise Refused(
            Refusal.WRONG_CLOCK,
            f"the clock of this server says {now:%Y-%m-%d %H:%M}, and its authority was made on"
            f" {authority.begins:%Y-%m-%d}: set the clock",
        )
    try:
        made = authority.for_table(name, request.encode(), now)
    except NotOurs as no:
        raise Refused(Refusal.SHAPE, str(no)) from None
    return made.decode(), shown_in(x509.load_pem_x509_certificate(made))


class _Made(msgspec.Struct, frozen=True, kw_only=True):
    at_s: float
    certificate: str
    shown: Shown


class Identity:
    """Enrols, renews, and tells the time. Used by many threads; `store` is its own."""

    def __init__(
        self, *, store: PitStore, authority: Callable[[], Authority], signer: Signer, now_us: Callable[[], int]
    ) -> None:
        """`authority`: reads it; raises `OSError` and `ValueError` where its key is not there."""
        self._store = store
        self._using = threading.Lock()
        self._authority = authority
        self._signer = signer
        self._now_us = now_us
        #: of each table: its newest certificate, and when that was made
        self._made: dict[str, _Made] = {}

    def time(self, nonce: str) -> SignedTime:
        """The server's time, for whoever asked with this nonce."""
        return signed_times.signed(self._signer, nonce, time_text(self._now_us()))

    def enrol(self, asked: Enrol) -> Enrolled:
        """The table is enrolled, and its code used up. Raises `Refused`, `StoreUnusable`."""
        with self._using:
            code = self._proven(asked)
            key = bytes.fromhex(asked.key)
            if code.key not in (b"", key):
                raise Refused(Refusal.OTHER_JOURNAL, _other_journal(asked.name))
            table = _table(self._store, asked.name)
            if table is not None:
                _is_the_same(table, key)
            authority = self._read_authority()
            certificate, shown = issue(authority, asked.name, asked.request, self._now_us())
            at = time_text(self._now_us())
            if not self._store.enrol(asked.name, key, shown, at, secret=code.secret):
                raise Refused(Refusal.NO_CODE, _no_code(asked.name))
        self._made.pop(asked.name, None)
        _LOG.info("table enrolled", sender=asked.name, until=shown.until)
        answer = Enrolled(
            certificate=certificate, authority=authority.pem.decode(), pit_key=self._signer.public.hex(), at=at
        )
        return msgspec.structs.replace(answer, proof=codes.proof(code.secret, answer.text(asked)))

    def renew(self, asked: Renew) -> Renewed:
        """The next certificate of a table, for the same key, however old its last one is. Raises `Refused`,
        `StoreUnusable`."""
        with self._using:
            table = _table(self._store, asked.name)
            if table is None:
                raise Refused(Refusal.NOT_ADMITTED, f"no table {asked.name} is enrolled here")
            if table.revoked:
                raise Refused(Refusal.NOT_ADMITTED, _revoked(table))
            try:
                key = key_digest(key_requested(asked.request.encode()))
            except NotOurs as no:
                raise Refused(Refusal.SHAPE, str(no)) from None
            if key != table.certificate_key:
                raise Refused(
                    Refusal.OTHER_KEY,
                    f"another key is enrolled for {asked.name}: enrol it again with a code (tablectl pit enrol)",
                )
            return Renewed(certificate=self._renewed(table, asked.request), time=self.time(asked.nonce))

    def _renewed(self, table: KnownTable, request: str) -> str:
        made, now_us = self._made.get(table.name), self._now_us()
        if made is not None and time.monotonic() - made.at_s < RENEWED_EACH_S and made.shown.is_good(_moment(now_us)):
            return made.certificate
        certificate, shown = issue(self._read_authority(), table.name, request, now_us)
        self._store.renewed(table, shown)
        self._made[table.name] = _Made(at_s=time.monotonic(), certificate=certificate, shown=shown)
        _LOG.info("certificate renewed", sender=table.name, until=shown.until)
        return certificate

    def _proven(self, asked: Enrol) -> Code:
        """The code whose proof this is. Raises `Refused`."""
        code = self._store.code(asked.name)
        if code is None:
            raise Refused(Refusal.NO_CODE, _no_code(asked.name))
        if self._now_us() > time_us(code.until):
            raise Refused(
                Refusal.CODE_EXPIRED, f"the code for {asked.name} was good until {code.until}: have another one made"
            )
        if code.tries >= codes.TRIES_MOST:
            raise Refused(
                Refusal.CODE_VOID, f"the code for {asked.name} was tried too often and is void: have another one made"
            )
        if not codes.is_proven(code.secret, asked.text(), asked.proof):
            left = codes.TRIES_MOST - self._store.count_try(asked.name)
            _LOG.warning("wrong code", sender=asked.name, left=left)
            more = f"{left} more tries" if left > 0 else "it is void now: have another one made"
            raise Refused(Refusal.WRONG_CODE, f"this is not the code for {asked.name}; {more}")
        return code

    def _read_authority(self) -> Authority:
        try:
            return self._authority()
        except (OSError, ValueError) as wrong:
            _LOG.warning("no certificate can be made", reason=str(wrong))
            raise Refused(
                Refusal.NO_AUTHORITY,
                "the key of the casino's authority is not at this server: bring a certificate by file"
                " (tablectl pit enrol --request)",
            ) from None


def _moment(at_us: int) -> datetime:
    return datetime.fromtimestamp(at_us / 1_000_000, UTC)


def _table(store: PitStore, name: str) -> KnownTable | None:
    return next((table for table in store.tables() if table.name == name), None)


def _is_the_same(table: KnownTable, key: bytes) -> None:
    """Raises `Refused` where a table of this name is there that is not this one, or may not send any more."""
    if table.revoked:
        raise Refused(Refusal.NOT_ADMITTED, _revoked(table))
    if table.key != key:
        raise Refused(Refusal.OTHER_JOURNAL, _other_journal(table.name))


def _revoked(table: KnownTable) -> str:
    return f"table {table.name} was revoked on {table.revoked}; enrol it anew by another name"


def _other_journal(name: str) -> str:
    return f"{name} has the key of another journal: bring the journal's key back, or enrol this table by another name"


def _no_code(name: str) -> str:
    return f"there is no code for {name}: it was used, or none was made (tablectl pit enrol CONFIG {name})"
