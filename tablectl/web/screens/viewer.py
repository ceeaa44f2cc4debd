"""Who looks at what is being made: known to the gate before an endpoint answers, and to every template after it.

It goes beside the request and not through each page's arguments, so that no page can be made that forgets the token
its forms need. Each request has a context of its own.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from tablectl.core.roles import Role
from tablectl.people.people import SignedOn
from tablectl.people.sessions import AlarmView, csrf_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Viewer:
    """`name` is "" where nobody signed on; `csrf` is what the page sends back with whatever it does. `alarms_until_us`:
    how long a browser whose session time ended shows the alarms still, in microseconds since the epoch; 0 where it
    does not. `is_trainee`: he enters at a table for training, whoever is its croupier."""

    name: str = ""
    display: str = ""
    roles: frozenset[Role] = frozenset()
    csrf: str = ""
    must_change: bool = False
    alarms_until_us: int = 0
    is_trainee: bool = False

    @property
    def alarms_until(self) -> str:
        """The same, RFC 3339 UTC."""
        return datetime.fromtimestamp(self.alarms_until_us / 1_000_000, UTC).isoformat()


NOBODY: Final = Viewer()
_VIEWER: Final = ContextVar[Viewer]("viewer", default=NOBODY)


def viewer_of(signed_on: SignedOn | None, alarm_view: AlarmView | None = None) -> Viewer:
    """The one who is signed on, as templates know him; without a name where nobody is and the alarms are left."""
    if signed_on is None:
        if alarm_view is None:
            return NOBODY
        return Viewer(csrf=csrf_of(alarm_view.token), alarms_until_us=alarm_view.until_us)
    return Viewer(
        name=signed_on.person.name,
        display=signed_on.account.display,
        roles=signed_on.person.roles,
        csrf=csrf_of(signed_on.token),
        must_change=signed_on.account.must_change,
    )


def show_to(viewer: Viewer) -> None:
    """From here on, in this request."""
    _VIEWER.set(viewer)


def viewer() -> Viewer:
    """Who looks."""
    return _VIEWER.get()
