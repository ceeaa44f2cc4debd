"""From where a secret comes, and which browsers a person has signed on with before.

Whoever knows a name can guess from anywhere, and the account's lock then stops everybody there. It must not stop its
person, so two places have locks of their own: the table itself, and each browser on which he signed on before (a
device cookie, OWASP). A guess there counts there alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tablectl.people.file import PeopleFile
from tablectl.people.tokens import new_token, token_digest

#: What the cookie of a known browser is called.
BROWSER_COOKIE: Final = "tablectl-browser"
#: A browser that nobody signed on with for so long is none that is known.
KNOWN_US: Final = 180 * 24 * 3600 * 1_000_000
_AT_TABLE: Final = "table"


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class Source:
    """Where somebody asks from. `address`: of the network, or how else he came; `is_at_table`: by the table's own
    browser; `browser`: what his browser's cookie says, "" where it has none."""

    address: str = ""
    is_at_table: bool = False
    browser: str = ""


class KnownBrowsers:
    """Whose sign-on came from which browser. The file keeps digests: a copy of it is no known browser."""

    def __init__(self, file: PeopleFile) -> None:
        self._file = file

    def remember(self, browser: str, name: str, now_us: int) -> str:
        """This person signed on there; what that browser keeps: its own token, or a new one where it has none that
        was made here."""
        token = browser if self._has(browser) else new_token()
        digest = token_digest(token)
        with self._file.transaction():
            self._file.write("DELETE FROM known_browsers WHERE at_us < ?", now_us - KNOWN_US)
            self._file.write("INSERT OR REPLACE INTO known_browsers VALUES (?, ?, ?)", digest, name, now_us)
        return token

    def forget(self, name: str) -> None:
        """All of this person's are as any other."""
        self._file.write("DELETE FROM known_browsers WHERE name = ?", name)

    def place_of(self, source: Source, name: str, now_us: int) -> str:
        """Which lock of this person a guess from there counts at: a word for the table, one for each known browser, and
        "" for everywhere else."""
        if source.is_at_table:
            return _AT_TABLE
        digest = token_digest(source.browser)
        found = self._file.rows("SELECT at_us FROM known_browsers WHERE digest = ? AND name = ?", digest, name)
        is_known = bool(found) and now_us - int(found[0][0] or 0) < KNOWN_US
        return digest if is_known else ""

    def _has(self, browser: str) -> bool:
        return bool(self._file.rows("SELECT 1 FROM known_browsers WHERE digest = ?", token_digest(browser)))
