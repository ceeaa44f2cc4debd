"""Whether whoever deals at a table still may, and is still signed on anywhere."""

from __future__ import annotations

from tablectl.core.roles import Role
from tablectl.people.people import People


class Presence:
    """Of one house's people. The table may name somebody whom the accounts do not know: of him nothing is said."""

    def __init__(self, people: People) -> None:
        self._people = people

    def may_deal(self, name: str) -> bool:
        """Whether this is no account that was shut or is no croupier's any more."""
        account = self._people.accounts.find(name)
        return account is None or (not account.disabled and Role.CROUPIER in account.roles)

    def is_gone(self, name: str) -> bool:
        """Whether this person has an account, and no session that holds."""
        if self._people.accounts.find(name) is None:
            return False
        return not self._people.sessions.is_on(name, self._people.now_us())
