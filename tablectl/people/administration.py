"""What a manager, or whoever sits at the console of the machine, does to accounts; each of it is on record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tablectl.core.access import AccessKind
from tablectl.core.roles import Role
from tablectl.people.accounts import Account, UnknownAccount
from tablectl.people.first import FIRST_MANAGER, one_time_password
from tablectl.people.people import People
from tablectl.people.rules import CONSOLE, is_name


class NotPossible(ValueError):
    """What was asked for cannot be. `why` has a sentence on the screens."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, kw_only=True, slots=True)
class By:
    """Who does it: a name and the role in which he does."""

    name: str
    role: str = Role.MANAGER.value


AT_CONSOLE = By(name=CONSOLE, role="")


class Administration:
    """Of one house's people. Raises `NotPossible`, and `UnknownAccount` for a name that nobody has."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._accounts = people.accounts

    async def first(self) -> str | None:
        """Where there is no account at all: one manager, and his one-time password; None where there is one."""
        if self._accounts.all():
            return None
        return await self.add(FIRST_MANAGER, display="Manager", roles=[Role.MANAGER], by=AT_CONSOLE)

    async def add(self, name: str, *, display: str, roles: Iterable[Role], by: By) -> str:
        """A new account; its one-time password, which is nowhere else."""
        chosen = frozenset(roles)
        if not is_name(name):
            raise NotPossible("bad-name")
        if not chosen:
            raise NotPossible("no-roles")
        shown = " ".join(display.split())[:60] or name
        if not shown.isprintable():
            raise NotPossible("bad-display")
        password = one_time_password()
        kept = await self._people.hashed(password)
        with self._people.file.transaction():
            if self._accounts.find(name) is not None:
                raise NotPossible("name-taken")
            self._accounts.make(name, display=shown, roles=chosen, password=kept, given_us=self._people.now_us())
            self._record(AccessKind.ACCOUNT_MADE, by, name, " ".join(sorted(chosen)))
        return password

    async def reset(self, name: str, *, by: By) -> str:
        """A new one-time password: the old one and the PIN are worth nothing, sessions end, locks open."""
        password = one_time_password()
        kept = await self._people.hashed(password)
        with self._people.file.transaction():
            self._accounts.set_password(name, kept, must_change=True, given_us=self._people.now_us())
            self._accounts.set_pin(name, None)
            self._people.lockout.forgive(name)
            self._people.browsers.forget(name)
            self._people.passkeys.forget(name)
            self._record(AccessKind.SECRET_CHANGED, by, name, "one-time password")
        self._people.forget_first(name)
        return password

    def set_disabled(self, name: str, *, disabled: bool, by: By) -> None:
        """Shut an account or open it again; it is never deleted, since records name it."""
        with self._people.file.transaction():
            if disabled:
                self._keep_a_manager(self._known(name))
            self._accounts.set_disabled(name, disabled=disabled)
            self._record(AccessKind.ACCOUNT_CHANGED, by, name, "disabled" if disabled else "enabled")

    def set_roles(self, name: str, roles: Iterable[Role], *, by: By) -> None:
        """What this person may do from now on."""
        chosen = frozenset(roles)
        if not chosen:
            raise NotPossible("no-roles")
        with self._people.file.transaction():
            if Role.MANAGER not in chosen:
                self._keep_a_manager(self._known(name))
            self._accounts.set_roles(name, chosen)
            self._record(AccessKind.ACCOUNT_CHANGED, by, name, " ".join(sorted(chosen)))

    def add_badge(self, name: str, badge: str, *, by: By) -> None:
        """This badge is this croupier's from now on."""
        with self._people.file.transaction():
            if self._accounts.of_badge(badge) is not None:
                raise NotPossible("badge-taken")
            if Role.CROUPIER not in self._known(name).roles:
                raise NotPossible("badge-role")
            self._accounts.add_badge(name, badge)
            self._record(AccessKind.ACCOUNT_CHANGED, by, name, "badge")

    def remove_badges(self, name: str, *, by: By) -> None:
        """Lost ones."""
        with self._people.file.transaction():
            self._accounts.remove_badges(name)
            self._record(AccessKind.ACCOUNT_CHANGED, by, name, "no badge")

    def _known(self, name: str) -> Account:
        account = self._accounts.find(name)
        if account is None:
            raise UnknownAccount(name)
        return account

    def _keep_a_manager(self, but: Account) -> None:
        """Somebody has to be able to open accounts again."""
        managers = {
            account.name for account in self._accounts.all() if Role.MANAGER in account.roles and not account.disabled
        }
        if managers == {but.name}:
            raise NotPossible("last-manager")

    def _record(self, kind: AccessKind, by: By, name: str, what: str) -> None:
        self._people.audit_account(kind, by.name, by.role, name, what)
