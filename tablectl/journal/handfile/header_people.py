"""What the header of a hand file says of limits that were set at the table and of alarms that are put aside."""

from __future__ import annotations

import re
from typing import Final

from tablectl.core.engine import facts as f
from tablectl.games.registry import LIMIT_RULES
from tablectl.journal.handfile.tokens import BadHandFile, put_once

OF_PEOPLE: Final = ("limits-set", "shelved")
_LIMITS: Final = re.compile(r"(\S+) ([0-9]{1,15})\.\.([0-9]{1,15})")


class PeopleHeader:
    """These lines, as they come. Everything raises `BadHandFile`."""

    def __init__(self) -> None:
        self._now: dict[tuple[str, str], f.Limits] = {}
        self._file: dict[tuple[str, str], f.Limits] = {}
        self.shelved: dict[str, f.OnShelf] = {}

    def take(self, number: int, line: str) -> None:
        """The next line, which begins with one of `OF_PEOPLE`."""
        word, _, rest = line.partition(" ")
        if word == "shelved":
            put_once(self.shelved, *_on_shelf(number, line, rest), number, line)
            return
        which, now, file = _limits_set(number, line, rest)
        put_once(self._now, which, now, number, line)
        put_once(self._file, which, file, number, line)

    @property
    def limits_set(self) -> dict[str, f.SetLimits]:
        """By game, what was set for it and what its file had then."""
        return {
            game: f.SetLimits(
                file={bet: limits for (of, bet), limits in self._file.items() if of == game},
                limits={bet: limits for (of, bet), limits in self._now.items() if of == game},
            )
            for game in dict.fromkeys(game for game, _ in self._now)
        }


def bet_limits(number: int, line: str, rest: str) -> tuple[str, f.Limits]:
    """`ante 500..10000`: the bet and its limits. Raises `BadHandFile`."""
    found = _LIMITS.fullmatch(rest)
    if found is None or int(found[2]) > int(found[3]):
        raise BadHandFile(number, line, f"{line.partition(' ')[0]} BET LEAST..MOST")
    return found[1], f.Limits(least=int(found[2]), most=int(found[3]))


def _limits_set(number: int, line: str, rest: str) -> tuple[tuple[str, str], f.Limits, f.Limits]:
    """`texas-bonus ante 500..10000 file 1000..20000`: the game and its bet, what was set, what the file had then."""
    now, _, file = rest.partition(" file ")
    game, _, limits = now.partition(" ")
    bet = limits.partition(" ")[0]
    if game not in LIMIT_RULES or _LIMITS.fullmatch(limits) is None or _LIMITS.fullmatch(f"{bet} {file}") is None:
        raise BadHandFile(number, line, "limits-set GAME BET LEAST..MOST file LEAST..MOST")
    return (game, bet), bet_limits(number, line, limits)[1], bet_limits(number, line, f"{bet} {file}")[1]


def _on_shelf(number: int, line: str, rest: str) -> tuple[str, f.OnShelf]:
    match rest.split():
        case [alarm, until_us, "by", by, *reason] if reason and until_us.isascii() and until_us.isdecimal():
            return alarm, f.OnShelf(until_us=int(until_us), by=by, reason=" ".join(reason))
        case _:
            raise BadHandFile(number, line, "shelved ALARM UNTIL_US by NAME REASON")
