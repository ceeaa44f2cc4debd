"""The answers to the questions of the pages: the one place where a name is put to an action.

Who is not signed on here does nothing at the table, whatever process says so. The controller is asked by nobody but
this service in the name of people.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar

from tablectl.api.client import NoController
from tablectl.core.access import AccessKind
from tablectl.core.events.notes import BadgeShown
from tablectl.core.events.stream import PublicRecord
from tablectl.core.roles import Person, Role
from tablectl.ops.tasks import Run
from tablectl.people.accounts import Account, Way
from tablectl.people.administration import Administration, By, NotPossible
from tablectl.people.audit import Ask, Teller
from tablectl.people.badges import Badges
from tablectl.people.demo_pin import kept, kept_dealing
from tablectl.people.people import SECONDS, Denial, Denied, People, SignedOn
from tablectl.people.presence import Presence
from tablectl.people.service.authority import (
    BY_CROUPIER_TOO,
    CROUPIERS,
    OF_TWO,
    act_of,
    action_of,
    needs_second,
    roles_for,
    signed,
)
from tablectl.people.service.questions import (
    LOOKS,
    Act,
    AddPasskey,
    Administer,
    AskPasskeys,
    AskRefusedRows,
    AskRegister,
    AskTiles,
    AskToSign,
    Assertion,
    BeginPasskey,
    ChangeSecret,
    ChooseLanguage,
    IsGone,
    Look,
    NotYours,
    Opened,
    PasskeyShown,
    Question,
    RefusedRow,
    Register,
    RemovePasskey,
    Second,
    Seen,
    SignOff,
    SignOn,
    SignOnByBadge,
    TableReply,
    Tiles,
    Who,
)
from tablectl.people.service.relieving import Relieving
from tablectl.people.service.table_now import TableSeen
from tablectl.people.sessions import Place
from tablectl.people.source import Source

T = TypeVar("T")

#: How long an entry of whoever just took the table waits for the record that says so, in seconds.
_TAKEN_WITHIN_S: Final = 1.0

if TYPE_CHECKING:
    from tablectl.people.service.passkeys import PasskeyDesk

Lines = Callable[[Mapping[str, Any]], AsyncIterator[Mapping[str, Any]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class PasskeyRules:
    """For which host name passkeys are made, and whether the second of two persons signs with one."""

    host: str
    is_required: bool = False


def passkey_rules(host: str | None, *, is_required: bool) -> PasskeyRules | None:
    """As a configuration says them; None where this house has no passkeys."""
    return None if host is None else PasskeyRules(host=host, is_required=is_required)


class AccountsService:
    """Of one house's people, before one table. `ask` and `lines` reach its controller and raise `NoController`."""

    def __init__(
        self, people: People, table: TableSeen, ask: Ask, lines: Lines, passkeys: PasskeyRules | None = None
    ) -> None:
        """Without `passkeys` this house has none."""
        self.people = people
        self._passkey_rules = passkeys
        self._table = table
        self._ask = ask
        self._lines = lines
        self._badges = Badges()
        self._presence = Presence(people)
        self._administration = Administration(people)
        self._teller = Teller(people.audits, ask)
        self._relieving = Relieving(table, ask, self._presence)
        self._answers: Final[Mapping[type, Callable[[Any], Awaitable[Any]]]] = {
            Who: self._who,
            ChooseLanguage: self._choose_language,
            IsGone: self._is_gone,
            SignOn: self._sign_on,
            SignOnByBadge: self._sign_on_by_badge,
            SignOff: self._sign_off,
            ChangeSecret: self._change_secret,
            AskTiles: self._tiles,
            AskRegister: self._register,
            Administer: self._administer,
            AskRefusedRows: self._refused_rows,
            Look: self._look,
            Act: self._act,
            AskPasskeys: self._passkeys,
            BeginPasskey: self._begin_passkey,
            AddPasskey: self._add_passkey,
            RemovePasskey: self._remove_passkey,
            AskToSign: self._to_sign,
        }

    def now_us(self) -> int:
        """The time by which sessions end."""
        return self.people.now_us()

    async def ask(self, question: Question[T]) -> T:
        """The answer. Raises one of `REFUSALS`, and for `Act` `NoController`."""
        answer: T = await self._answers[type(question)](question)
        return answer

    async def progress(self, act: Act) -> AsyncGenerator[Mapping[str, Any]]:
        """Every line of the controller's answer. Raises as `ask`."""
        request = await self._authorized(act)
        async for line in self._lines(request):
            yield line

    def heard(self, record: PublicRecord) -> None:
        """The table's record, as it came: a badge that is shown opens a session for a moment."""
        if isinstance(record.event, BadgeShown):
            self._badges.show(record.event.badge, at_us=record.at_us)

    def running(self) -> Mapping[str, Run]:
        """What has to run as long as the service does, by what it is called in the log."""
        return {
            "the telling of what people did": self._teller.run,
            "the relieving of croupiers": self._relieving.run,
        }

    def settle(self) -> None:
        """Put on record what was only counted so far: nothing more is asked."""
        self.people.audits.settle(is_end=True)

    # -- who is asking -------------------------------------------------------------------------------------------------

    async def _who(self, asked: Who) -> Seen:
        found = self.people.signed_on(asked.token, is_activity=asked.is_activity)
        if found is not None:
            return Seen(signed_on=found, language=found.account.language)
        view = self.people.alarm_view(asked.token)
        account = None if view is None else self.people.accounts.find(view.name)
        return Seen(alarm_view=view, language="" if account is None else account.language)

    async def _choose_language(self, asked: ChooseLanguage) -> bool:
        found = self.people.signed_on(asked.token)
        if found is None:
            return False
        self.people.accounts.set_language(found.account.name, asked.language)
        return True

    async def _is_gone(self, asked: IsGone) -> bool:
        return self._presence.is_gone(asked.name)

    def _signed_on(self, token: str, roles: frozenset[Role] | None = None) -> SignedOn:
        """Whoever is signed on, with one of these roles. Raises `NotYours`."""
        found = self.people.signed_on(token, is_activity=True)
        if found is None or (roles is not None and not found.person.roles & roles):
            raise NotYours("not-yours")
        return found

    # -- signing on and off --------------------------------------------------------------------------------------------

    async def _sign_on(self, asked: SignOn) -> Opened:
        before, way = self.people.signed_on(asked.replaces), Way(asked.way)
        token = await self.people.sign_on(asked.name, asked.secret, way=way, source=asked.source, instead_of=before)
        self._end_alarms(asked.replaces)
        left = None
        if before is not None and way is Way.PASSWORD and before.person.name != asked.name:
            left = await self._leaves_table(before)
        if way is Way.PIN:
            return Opened(token=token, left=left, taken=await self._takes_table(asked.name))
        browser = self.people.browsers.remember(asked.source.browser, asked.name, self.people.now_us())
        return Opened(token=token, browser=browser, left=left)

    async def _sign_on_by_badge(self, asked: SignOnByBadge) -> Opened | None:
        if not asked.source.is_at_table:
            raise Denied(Denial.NOT_HERE)
        badge = self._badges.take(self.people.now_us())
        if badge is None:
            await self._table.changed(at_most_s=asked.wait_s)
            badge = self._badges.take(self.people.now_us())
        if badge is None:
            return None
        before = self.people.signed_on(asked.replaces)
        token = self.people.sign_on_by_badge(badge, at_table=True, instead_of=before)
        self._end_alarms(asked.replaces)
        account = self.people.accounts.of_badge(badge)
        return Opened(token=token, taken=await self._takes_table("" if account is None else account.name))

    def _end_alarms(self, token: str) -> None:
        """This browser has another session now: of the one before not even the alarms are left."""
        view = self.people.alarm_view(token)
        if view is not None:
            self.people.sessions.end(view.token)

    async def _sign_off(self, asked: SignOff) -> TableReply | None:
        found = self.people.signed_on(asked.token)
        if found is not None:
            left = await self._leaves_table(found)
            self.people.sign_off(found)
            return left
        view = self.people.alarm_view(asked.token)
        if view is not None:
            self.people.end_alarm_view(view)
        return None

    async def _takes_table(self, name: str) -> TableReply:
        return await self._tell(f"croupier {name}", name)

    async def _leaves_table(self, found: SignedOn) -> TableReply | None:
        now, name = self._table.now(), found.person.name
        if found.session.place is not Place.TABLE and name not in (now.croupier, now.next_croupier):
            return None
        return await self._tell(f"croupier-off {name}", name)

    async def _tell(self, line: str, name: str) -> TableReply:
        try:
            reply = await self._ask({"enter": line, "by": name})
        except NoController:
            return TableReply(is_reached=False, ok=False)
        refused = reply.get("refused") or {}
        return TableReply(
            ok=reply.get("ok") is True, error=str(reply.get("error", "")), refused=str(refused.get("detail", ""))
        )

    async def _change_secret(self, asked: ChangeSecret) -> str:
        found = self.people.signed_on(asked.token, is_activity=True)
        if found is None:
            raise NotYours("sign-on")
        change = self.people.change_pin if Way(asked.way) is Way.PIN else self.people.change_password
        return await change(found, asked.old, asked.new, source=asked.source)

    # -- who there is --------------------------------------------------------------------------------------------------

    async def _tiles(self, _asked: AskTiles) -> Tiles:
        croupiers = tuple(filter(_has_tile, self.people.accounts.all()))
        is_demo = self._table.now().is_demo
        path = self.people.file.path
        return Tiles(
            croupiers=croupiers,
            demo_pin=kept(path) if is_demo else "",
            demo_dealing=kept_dealing(path) if is_demo else "",
        )

    async def _register(self, asked: AskRegister) -> Register:
        self._signed_on(asked.token, frozenset({Role.MANAGER}))
        return Register(accounts=self.people.accounts.all(), locked=self.people.lockout.locked(self.people.now_us()))

    async def _administer(self, asked: Administer) -> str:
        person = self._signed_on(asked.token, frozenset({Role.MANAGER})).person
        await self._second_for_roles(person, asked)
        by = By(name=person.name)
        name, administration = asked.name, self._administration
        match asked.do:
            case "add":
                return await administration.add(name, display=asked.display, roles=asked.roles, by=by)
            case "reset":
                return await administration.reset(name, by=by)
            case "disable" | "enable":
                administration.set_disabled(name, disabled=asked.do == "disable", by=by)
            case "roles":
                administration.set_roles(name, asked.roles, by=by)
            case "badge":
                badge = self._badges.take(self.people.now_us())
                if badge is None:
                    raise NotPossible("no-badge")
                administration.add_badge(name, badge, by=by)
            case "no-badge":
                administration.remove_badges(name, by=by)
        return ""

    async def _second_for_roles(self, person: Person, asked: Administer) -> None:
        """Whoever makes an auditor does not do so alone. Raises `NotPossible`."""
        account = self.people.accounts.find(asked.name)
        before = frozenset() if account is None or asked.do == "add" else account.roles
        if asked.do not in ("add", "roles") or not needs_second(before, frozenset(asked.roles)):
            return
        if self._passkey_rules is not None and self._passkey_rules.is_required:
            raise NotPossible("auditor-at-console")
        if asked.second is None or asked.second.name == person.name:
            raise NotPossible("second-needed")
        try:
            found = await self._by_secret(asked.second, SECONDS, asked.source)
        except NotYours as no:
            raise NotPossible("second-wrong" if no.why == "second-wrong" else "second-wait") from None
        about = f"{asked.do} {asked.name} with {person.name}"
        self.people.audit(AccessKind.CO_SIGNED, found.name, found.role_among(SECONDS), about, granted=True)

    async def _refused_rows(self, asked: AskRefusedRows) -> tuple[RefusedRow, ...]:
        self._signed_on(asked.token, frozenset({Role.AUDITOR}))
        return tuple(RefusedRow(row=dict(row), why=why) for row, why in self.people.audits.refused())

    # -- passkeys ------------------------------------------------------------------------------------------------------

    @cached_property
    def _passkey_desk(self) -> PasskeyDesk:
        """Loaded when the first one is asked for. Raises `NotYours` where this house has none."""
        if self._passkey_rules is None:
            raise NotYours("no-passkeys")
        desk: type[PasskeyDesk] = importlib.import_module("tablectl.people.service.passkeys").PasskeyDesk
        return desk(self.people, self._passkey_rules.host, self._ask)

    async def _passkeys(self, asked: AskPasskeys) -> tuple[PasskeyShown, ...] | None:
        found = self._signed_on(asked.token)
        return None if self._passkey_rules is None else self._passkey_desk.shown(found.person.name)

    async def _begin_passkey(self, asked: BeginPasskey) -> dict[str, Any]:
        return self._passkey_desk.begin(await self._by_password(asked.token, asked.password, asked.source))

    async def _add_passkey(self, asked: AddPasskey) -> None:
        self._passkey_desk.add(self._signed_on(asked.token), asked.label, asked.made)

    async def _remove_passkey(self, asked: RemovePasskey) -> None:
        found = await self._by_password(asked.token, asked.password, asked.source)
        self._passkey_desk.remove(found, asked.credential)

    async def _by_password(self, token: str, password: str, source: Source) -> SignedOn:
        """Whoever is signed on at a desk, with his own password once more. Raises `NotYours`, `Denied`."""
        found = self._signed_on(token)
        if found.session.place is not Place.DESK or found.account.must_change:
            raise Denied(Denial.NOT_HERE)
        if await self.people.check(found.person.name, password, roles=frozenset(Role), source=source) is None:
            raise Denied(Denial.WRONG)
        return found

    async def _to_sign(self, asked: AskToSign) -> dict[str, Any]:
        what = act_of(asked.request)
        person = self._signed_on(asked.token, roles_for(what)).person
        self._may_be_second(person, what, asked.second)
        request = signed(asked.request, what, f"{person.name}+{asked.second}")
        return await self._passkey_desk.to_sign(asked.second, action_of(request))

    # -- on record -----------------------------------------------------------------------------------------------------

    async def _look(self, asked: Look) -> None:
        found = self.people.signed_on(asked.token)
        if found is None or asked.kind not in LOOKS or asked.role not in {"", *found.person.roles}:
            raise NotYours("not-yours")
        if asked.once:
            self.people.look(found, asked.kind, asked.role, asked.about, granted=asked.granted)
        else:
            self.people.audit(asked.kind, found.person.name, asked.role, asked.about, granted=asked.granted)

    # -- acting --------------------------------------------------------------------------------------------------------

    async def _act(self, act: Act) -> dict[str, Any]:
        return dict(await self._ask(await self._authorized(act)))

    async def _authorized(self, act: Act) -> dict[str, Any]:
        """The request with the names of those who ask for it. Raises `NotYours`."""
        what = act_of(act.request)
        roles = roles_for(what)
        person = self._signed_on(act.token, roles).person
        if act.as_croupier or roles <= CROUPIERS or not person.roles & roles - CROUPIERS:
            await self._deals_here(person, what, act.source)
        if act.second is None:
            return signed(act.request, what, person.name)
        request = signed(act.request, what, f"{person.name}+{act.second.name}")
        await self._signs_too(person, what, act.second, request, act.source)
        return request

    async def _deals_here(self, person: Person, what: str, source: Source) -> None:
        """Whoever deals enters at the table, and nobody for him where the house knows its people. The record that says
        who took it may be on its way. Raises `NotYours`, `NoController`."""
        if not source.is_at_table:
            raise NotYours("not-here")
        if what == "croupier":
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(_TAKEN_WITHIN_S):
                while not self._table.now().lets_deal(person.name):
                    await self._table.changed(at_most_s=_TAKEN_WITHIN_S)
        now = self._table.now()
        if not now.connected:
            raise NoController("the table is not followed yet; try again")
        if not now.lets_deal(person.name):
            raise NotYours("not-at-table", croupier=now.croupier or "—")

    async def _signs_too(
        self, person: Person, what: str, second: Second, request: Mapping[str, Any], source: Source
    ) -> None:
        """A second person signs this request beside the first one: with a passkey, or with his own password where that
        is enough. Raises `NotYours`, `NoController`."""
        beside = self._may_be_second(person, what, second.name)
        if second.passkey is not None:
            found, how = await self._by_passkey(second.name, second.passkey, action_of(request), beside), ", passkey"
        elif self._passkey_rules is not None and self._passkey_rules.is_required:
            raise NotYours("second-passkey")
        else:
            found, how = await self._by_secret(second, beside, source), ""
        about = f"{what} with {person.name}{how}"
        self.people.audit(AccessKind.CO_SIGNED, found.name, found.role_among(beside), about, granted=True)

    async def _by_secret(self, second: Second, beside: frozenset[Role], source: Source) -> Person:
        try:
            found = await self.people.check(second.name, second.secret, roles=beside, source=source)
        except Denied as no:
            raise NotYours(f"second-{no.why}", pause=str(no.pause_s)) from None
        if found is None:
            raise NotYours("second-wrong")
        return found

    async def _by_passkey(self, name: str, passkey: Assertion, action: str, beside: frozenset[Role]) -> Person:
        account = self.people.accounts.find(name)
        if not _co_signs(account, beside):
            raise NotYours("second-wrong")
        await self._passkey_desk.prove(name, passkey, action)
        return account.person

    def _may_be_second(self, person: Person, what: str, name: str) -> frozenset[Role]:
        """The roles of whom a second one has to have one. Raises `NotYours` where nobody signs beside this person."""
        if what not in OF_TWO:
            raise NotYours("second")
        if name == person.name:
            raise NotYours("second-same")
        return SECONDS | CROUPIERS if what in BY_CROUPIER_TOO else SECONDS


def _co_signs(account: Account | None, roles: frozenset[Role]) -> TypeGuard[Account]:
    """Whether somebody of this account can sign beside another, with one of these roles."""
    return account is not None and not account.disabled and not account.must_change and bool(account.roles & roles)


def _has_tile(account: Account) -> bool:
    return account.has_pin and Role.CROUPIER in account.roles and not account.disabled and not account.must_change
