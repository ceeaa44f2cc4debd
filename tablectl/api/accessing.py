"""The word by which the screens put on record who signed on and who read what.

They number what they have to tell, and tell it again until it is answered: the same number of the same accounts file
gets the same answer, and no second record, also from a controller that was started since.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.api.behind import Behind, NotAsked
from tablectl.api.entry import Noting
from tablectl.api.lines import said
from tablectl.core.notes import Access
from tablectl.journal.store import JournalUnusable
from tablectl.people.access import AccessKind, NotTaken
from tablectl.people.roles import NAME, Role

_ID: Final = re.compile("[0-9a-f]{32}")
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z")
NUMBER_MOST: Final = 2**53
ABOUT_MOST: Final = 500
_SHAPE: Final = (
    'an access: {"id": 32 hexadecimal digits, "number": from 1, "at": "2026-11-21T20:00:00Z", "what": a word, '
    '"who": a name, "role": a role or "", "about": text, "granted": true or false}'
)


def access(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """One access, on record when this is answered; what will never be is said so (`NotTaken`)."""
    try:
        note = _access(asked["access"], behind.now_us())
    except NotAsked as wrong:
        yield said({"ok": False, "why": NotTaken.SHAPE.value, "error": f"expected {wrong}"})
        return
    try:
        known = behind.accesses.known(note)
    except JournalUnusable as wrong:
        yield said({"ok": False, "error": str(wrong)})
        return
    if known is None:
        noting = Noting(note)
        behind.enter(noting)
        known = noting.wait(behind.answer_s)
    yield said(known)


def _access(sent: object, now_us: int) -> Access:
    """Raises `NotAsked`."""
    match sent:
        case {
            "id": str(file),
            "number": int(number),
            "at": str(when),
            "what": str(what),
            "who": str(who),
            "role": str(role),
            "about": str(about),
            "granted": bool(granted),
        } if type(number) is int and 0 < number <= NUMBER_MOST:
            pass
        case _:
            raise NotAsked(_SHAPE)
    if not _ID.fullmatch(file) or not _TIME.fullmatch(when):
        raise NotAsked(_SHAPE)
    if what not in list(AccessKind):
        raise NotAsked(f"what: one of {', '.join(AccessKind)}")
    if (who and not NAME.fullmatch(who)) or role not in ("", *Role):
        raise NotAsked(f"who: a name in one word, role: one of {', '.join(Role)} or nothing")
    if len(about) > ABOUT_MOST or not about.isprintable():
        raise NotAsked(f"about: printable text, at most {ABOUT_MOST} characters")
    return Access(
        at_us=now_us,
        id=file,
        number=number,
        when=when,
        what=AccessKind(what),
        who=who,
        role=role,
        about=about,
        granted=granted,
    )
