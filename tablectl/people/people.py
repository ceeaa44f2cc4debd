"""The people of a house as the screens see them: who is asking, who signs on, who co-signs, and what goes on record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from argon2 import Parameters

from tablectl.core.access import AccessKind
from tablectl.core.roles import Person, Role
from tablectl.journal.clock import now_us as clock_us
from tablectl.people.accounts import Account, Accounts, Way
from tablectl.people.audit import Audit
from tablectl.people.file import PeopleFile
from tablectl.people.first import FIRST_MANAGER, first_file
from tablectl.people.hashing import RFC_9106_LOW_MEMORY, Hashing
from tablectl.people.lockout import Locked, Lockout, Rate, TooMany
from tablectl.people.once import OnceAMinute
from tablectl.people.passkeys import Passkeys
from tablectl.people.rules import (
    UNKNOWN,
    Weakness,
    WeakSecret,
    check_password,
    check_pin,
    is_name,
    normal,
)
from tablectl.people.sessions import IDLE_US, AlarmView, Place, Session, Sessions, csrf_of
from tablectl.people.source import KnownBrowsers, Source
from tablectl.people.tokens import new_token

COOKIE: Final = "tablectl"
#: Who can be the second of two persons.
SECONDS: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
#: Who follows the alarms of a table, and whose browser goes on doing so when time ended the session.
ALARMED: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
#: Secrets that are hashed at the same moment: each takes 64 MiB.
_HASHED_AT_ONCE: Final = 2
#: Longer than any secret: not looked at.
_SECRET_MOST: Final = 1024


class Denial(StrEnum):
    """Why somebody was not signed on. `WRONG` says nothing about which of the two it was."""

    WRONG = "wrong"
    LOCKED = "locked"
    TOO_MANY = "too-many"
    NOT_HERE = "not-here"
    UNKNOWN_BADGE = "unknown-badge"


class Denied(Exception):
    """Not signed on. `pause_s`: how long the account is locked still, in seconds; 0 where it is not."""

    def __init__(self, why: Denial, pause_s: int = 0) -> None:
        super().__init__(why.value)
        self.why = why
        self.pause_s = pause_s


@dataclass(frozen=True, kw_only=True, slots=True)
class SignedOn:
    """Somebody whose session holds. `roles` of the person: at the table those of a croupier alone; none at all before
    the password that was given to him is changed."""

    person: Person
    account: Account
    session: Session
    token: str


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Proven:
    """Whose secret was right, and the hash that it agreed with; `kind`: what it is on record as, where it is worth
    nothing any more."""

    name: str
    way: Way
    kept: str | None
    kind: AccessKind


def _may(account: Account, way: Way, now_us: int) -> bool:
    """Whether this account can be used so. Said after its secret was checked, so that it takes as long."""
    if account.disabled or account.is_given_over(now_us):
        return False
    return way is not Way.PIN or (Role.CROUPIER in account.roles and not account.must_change)


def _may_co_sign(account: Account, way: Way, now_us: int, *, roles: frozenset[Role]) -> bool:
    return _may(account, way, now_us) and bool(account.roles & roles) and not account.must_change


class People:
    """One house's. Everything that asks for a secret takes its time in a thread; the rest is quick."""

    def __init__(
        self,
        path: Path,
        *,
        parameters: Parameters = RFC_9106_LOW_MEMORY,
        now_us: Callable[[], int] = clock_us,
        token: Callable[[], str] = new_token,
        idle_us: int = IDLE_US,
    ) -> None:
        self.file = PeopleFile(path)
        self.accounts = Accounts(self.file)
        self.sessions = Sessions(self.file, token=token, idle_us=idle_us)
        self.lockout = Lockout(self.file)
        self.browsers = KnownBrowsers(self.file)
        self.passkeys = Passkeys(self.file)
        self.audits = Audit(self.file, now_us=now_us)
        self.hashing = Hashing(parameters)
        self.now_us = now_us
        self._rate = Rate()
        self._looks = OnceAMinute(now_us)
        self._hashing_at_once = asyncio.Semaphore(_HASHED_AT_ONCE)

    # --- who is asking ----------------------------------------------------------------------------------------------

    def signed_on(self, token: str, *, is_activity: bool = False) -> SignedOn | None:
        """Whose session this is, None where it is nobody's. `is_activity`: a person did this, no page by itself."""
        if not token:
            return None
        session = self.sessions.find(token, self.now_us(), is_activity=is_activity)
        account = None if session is None else self.accounts.find(session.name)
        if session is None or account is None or account.disabled:
            return None
        roles = account.roles & {Role.CROUPIER} if session.place is Place.TABLE else account.roles
        person = Person(name=account.name, roles=frozenset() if account.must_change else frozenset(roles))
        return SignedOn(person=person, account=account, session=session, token=token)

    def alarm_view(self, token: str) -> AlarmView | None:
        """What a browser may still show where nobody is signed on: the alarms, of somebody who may follow them and
        whose session time ended. To be asked after `signed_on`."""
        view = None if not token else self.sessions.alarm_view(token, self.now_us())
        account = None if view is None else self.accounts.find(view.name)
        if account is None or account.disabled or account.must_change or not account.roles & ALARMED:
            return None
        return view

    # --- signing on -------------------------------------------------------------------------------------------------

    async def sign_on(
        self,
        name: str,
        secret: str,
        *,
        way: Way,
        source: Source,
        instead_of: SignedOn | None = None,
    ) -> str:
        """With a password, or at the table with a PIN; the new session's token. `instead_of`: whose session this
        browser had, which ends. Raises `Denied`."""
        if way is Way.PIN and not source.is_at_table:
            raise Denied(Denial.NOT_HERE)
        proven = await self._proven(name, secret, way=way, source=source, kind=AccessKind.REFUSED)
        with self._still(proven) as account:
            return self._opened(account, Place.TABLE if way is Way.PIN else Place.DESK, way, instead_of)

    def sign_on_by_badge(self, badge: str, *, at_table: bool, instead_of: SignedOn | None = None) -> str:
        """At the table, with a badge that its reader saw; as above. Raises `Denied`."""
        if not at_table:
            raise Denied(Denial.NOT_HERE)
        account = self.accounts.of_badge(badge)
        if account is None or account.disabled or account.must_change or Role.CROUPIER not in account.roles:
            who = UNKNOWN if account is None else account.name
            self.audit(AccessKind.REFUSED, who, "", Way.BADGE, granted=False)
            raise Denied(Denial.UNKNOWN_BADGE)
        return self._opened(account, Place.TABLE, Way.BADGE, instead_of)

    def sign_off(self, signed_on: SignedOn) -> None:
        """End this session."""
        self.sessions.end(signed_on.token)
        person = signed_on.person
        self.audit(AccessKind.SIGNED_OFF, person.name, person.role_among(), "", granted=True)

    def end_alarm_view(self, view: AlarmView) -> None:
        """Sign off from where no more than the alarms were left."""
        self.sessions.end(view.token)
        account = self.accounts.find(view.name)
        role = "" if account is None else account.person.role_among()
        self.audit(AccessKind.SIGNED_OFF, view.name, role, "alarms", granted=True)

    def _opened(self, account: Account, place: Place, way: Way, instead_of: SignedOn | None) -> str:
        with self.file.transaction():
            if instead_of is not None:
                self.sign_off(instead_of)
            token = self.sessions.open(account.name, place, self.now_us())
            role = Role.CROUPIER.value if place is Place.TABLE else account.person.role_among()
            self.audit(AccessKind.SIGNED_ON, account.name, role, way, granted=True)
        self.forget_first(account.name)
        return token

    def forget_first(self, name: str) -> None:
        """The first manager has his password: it stands in no file any more."""
        if name == FIRST_MANAGER:
            first_file(self.file.path).unlink(missing_ok=True)

    async def check(self, name: str, secret: str, *, roles: frozenset[Role] = SECONDS, source: Source) -> Person | None:
        """A second person by his own password: with one of these roles, pit boss or manager where nothing is said; None
        where it is not one. Raises `Denied` while that account or source is locked."""
        may = partial(_may_co_sign, roles=roles)
        try:
            kind = AccessKind.CO_SIGNED
            proven = await self._proven(name, secret, way=Way.PASSWORD, source=source, kind=kind, may=may)
            with self._still(proven) as account:
                return account.person if may(account, proven.way, self.now_us()) else None
        except Denied as no:
            if no.why is not Denial.WRONG:
                raise
            return None

    async def _proven(
        self,
        name: str,
        secret: str,
        *,
        way: Way,
        source: Source,
        kind: AccessKind,
        may: Callable[[Account, Way, int], bool] = _may,
    ) -> Proven:
        account = self.accounts.find(name) if is_name(name) else None
        who = UNKNOWN if account is None else account.name
        place = self.browsers.place_of(source, who, self.now_us())
        try:
            self._rate.hit(place or source.address)
            locks = self.lockout.attempt(name if is_name(name) else UNKNOWN, way, place, self.now_us())
        except TooMany:
            self.audits.record_often(AccessKind.REFUSED, who, f"{way} too-many")
            raise Denied(Denial.TOO_MANY) from None
        except Locked as locked:
            self.audits.record_often(AccessKind.REFUSED, who, f"{way} locked")
            raise Denied(Denial.LOCKED, locked.pause_s) from None
        kept = self.accounts.kept(name, way) if account is not None else None
        agrees = await self._agrees(kept, secret)
        # Whoever changed it meanwhile has made this secret worthless.
        account = self.accounts.find(name) if agrees else None
        if account is None or kept != self.accounts.kept(name, way) or not may(account, way, self.now_us()):
            self.audit(kind, who, "", f"{way}", granted=False)
            if locks:
                self.audit(AccessKind.LOCKED, who, "", f"{way}", granted=False)
            raise Denied(Denial.WRONG)
        self.lockout.right(name, way, place)
        if kept is not None and self.hashing.is_outdated(kept):
            made = await self.hashed(normal(secret))
            with self.file.transaction():
                if self.accounts.rehash(name, way, kept, made):
                    kept = made
                    self.audit_account(AccessKind.ACCOUNT_CHANGED, name, "", name, f"{way} hashed anew")
        return Proven(name=name, way=way, kept=kept, kind=kind)

    @contextmanager
    def _still(self, proven: Proven) -> Iterator[Account]:
        """What a secret opens, in one transaction with a look at whether it is that of an open account still: while it
        was hashed a manager may have given another one. Raises `Denied`."""
        with self.file.transaction():
            account = self.accounts.find(proven.name)
            is_good = account is not None and proven.kept == self.accounts.kept(proven.name, proven.way)
            if account is not None and is_good and _may(account, proven.way, self.now_us()):
                yield account
                return
        self.audit(proven.kind, proven.name, "", f"{proven.way}, changed meanwhile", granted=False)
        raise Denied(Denial.WRONG)

    async def _agrees(self, kept: str | None, secret: str) -> bool:
        try:
            text = normal(secret[:_SECRET_MOST])
        except WeakSecret:
            kept, text = None, ""
        async with self._hashing_at_once:
            return await asyncio.to_thread(self.hashing.agrees, kept, text)

    async def hashed(self, secret: str) -> str:
        """As it is kept."""
        async with self._hashing_at_once:
            return await asyncio.to_thread(self.hashing.made, secret)

    # --- one's own secrets ------------------------------------------------------------------------------------------

    async def change_password(self, signed_on: SignedOn, old: str, new: str, *, source: Source) -> str:
        """Another password of one's own: every session ends, and a new one begins, whose token this is. Raises
        `WeakSecret`, `Denied`."""
        account = signed_on.account
        check_password(new, name=account.name, display=account.display)
        if normal(old) == normal(new):
            raise WeakSecret(Weakness.SAME_AS_BEFORE)
        proven = await self._proven(account.name, old, way=Way.PASSWORD, source=source, kind=AccessKind.REFUSED)
        kept = await self.hashed(normal(new))
        with self._still(proven) as account:
            self.accounts.set_password(account.name, kept, must_change=False)
            self._secret_changed(account, Way.PASSWORD)
            return self.sessions.open(account.name, Place.DESK, self.now_us())

    async def change_pin(self, signed_on: SignedOn, password: str, pin: str, *, source: Source) -> str:
        """A croupier's PIN for the table; as above. Raises `WeakSecret`, `Denied`."""
        account = signed_on.account
        if Role.CROUPIER not in account.roles or account.must_change:
            raise Denied(Denial.NOT_HERE)
        check_pin(pin)
        proven = await self._proven(account.name, password, way=Way.PASSWORD, source=source, kind=AccessKind.REFUSED)
        kept = await self.hashed(pin)
        with self._still(proven) as account:
            if Role.CROUPIER not in account.roles or account.must_change:
                raise Denied(Denial.NOT_HERE)
            self.accounts.set_pin(account.name, kept)
            self._secret_changed(account, Way.PIN)
            return self.sessions.open(account.name, Place.DESK, self.now_us())

    def _secret_changed(self, account: Account, way: Way) -> None:
        who, role = account.name, account.person.role_among()
        self.audit_account(AccessKind.SECRET_CHANGED, who, role, account.name, way)

    # --- on record --------------------------------------------------------------------------------------------------

    def audit(self, kind: AccessKind, who: str, role: str, about: str, *, granted: bool) -> int:
        """Put on record what somebody did or was not let do; its number."""
        return self.audits.record(kind, who, role, about, granted=granted)

    def audit_account(self, kind: AccessKind, who: str, role: str, name: str, what: str) -> None:
        """Put on record what was done to an account, and how that left it: `tablectl people check` looks whether it is
        so still."""
        roles, state = self.accounts.left(name)
        self.audit(kind, who, role, f"{name} {what}; roles={roles} state={state}", granted=True)

    def look(self, found: SignedOn, kind: AccessKind, role: str, about: str, *, granted: bool = True) -> None:
        """Put on record what somebody looks at, or was not let look at: once a minute, however often it is shown."""
        if self._looks.is_first(csrf_of(found.token), f"{kind} {about}"):
            self.audit(kind, found.person.name, role, about, granted=granted)
