"""Another setup of the same table in words after a `restart` or a `game`: what is different from the file's header.

`with_settings` reads the words, `settings_words` writes them; whatever the one writes, the other reads. The name of the
table is left out: nothing that is decided depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine import facts as f
from tablectl.core.engine.limit_rules import AMOUNT_MOST
from tablectl.core.engine.vocabulary import Equipment, Tracking
from tablectl.core.settlement.pot_rules import WHOLE_RATE, Rake, RakeFrom
from tablectl.games.registry import LIMIT_RULES, most_seats, trackings
from tablectl.journal.handfile.tokens import whole_number

_LIMITS: Final = re.compile(r"([0-9]{1,15})\.\.([0-9]{1,15})")
_NO_FEE: Final = "none"
_YES_OR_NO: Final = {"yes": True, "no": False}
_EXPECTED: Final = (
    f"rulebook= places= chip= resto= tracking= equipment= staff=yes or staff=no, fee=RATE/FROM/CAP or fee={_NO_FEE}, "
    "limits.BET=LEAST..MOST, band.BET=LEAST..MOST or profile.KEY=VALUE"
)


def game_of(rulebook: str, setup: f.Setup) -> f.Setup:
    """The setup of a table that changes to a game: as it is, where that is its game; otherwise the game as it ships,
    with any limits."""
    if rulebook == setup.rulebook:
        return setup
    levels = trackings(rulebook)
    return replace(
        setup,
        rulebook=rulebook,
        seats=min(setup.seats, most_seats(rulebook)),
        tracking=setup.tracking if setup.tracking in levels else levels[0],
        limits=dict.fromkeys(LIMIT_RULES[rulebook].bets, f.Limits(least=0, most=AMOUNT_MOST)),
        profile={},
        fee=None,
        resto=0,
        bands={},
    )


def with_settings(setup: f.Setup, words: Iterable[str]) -> f.Setup:
    """This setup with what the words say instead. Raises `ValueError`."""
    for word in words:
        key, found, value = word.partition("=")
        if not found:
            raise ValueError(_EXPECTED)
        setup = _with(setup, key, value)
    return setup


def _with(setup: f.Setup, key: str, value: str) -> f.Setup:
    if key in _PLAIN:
        return _PLAIN[key](setup, value)
    match key.split(".", 1):
        case ["limits", bet] if (found := _LIMITS.fullmatch(value)) and int(found[1]) <= int(found[2]):
            return replace(setup, limits={**setup.limits, bet: f.Limits(least=int(found[1]), most=int(found[2]))})
        case ["band", bet] if not value or ((found := _LIMITS.fullmatch(value)) and int(found[1]) <= int(found[2])):
            bands = {text: band for text, band in setup.bands.items() if text != bet}
            made = {bet: f.Limits(least=int(found[1]), most=int(found[2]))} if value and found else {}
            return replace(setup, bands=bands | made)
        case ["profile", choice]:
            others = {text: chosen for text, chosen in setup.profile.items() if text != choice}
            return replace(setup, profile=others | ({choice: value} if value else {}))
        case _:
            raise ValueError(_EXPECTED)


def _rulebook(setup: f.Setup, value: str) -> f.Setup:
    if value not in LIMIT_RULES:
        raise ValueError(f"rulebook= and one of {', '.join(LIMIT_RULES)}")
    return game_of(value, setup)


def _tracking(setup: f.Setup, value: str) -> f.Setup:
    if value not in trackings(setup.rulebook):
        raise ValueError(f"tracking= and one of {', '.join(trackings(setup.rulebook))}")
    return replace(setup, tracking=Tracking(value))


def _staff(setup: f.Setup, value: str) -> f.Setup:
    if value not in _YES_OR_NO:
        raise ValueError(f"staff= and one of {', '.join(_YES_OR_NO)}")
    return replace(setup, staff=_YES_OR_NO[value])


def _from_one(value: str, most: int) -> int:
    number = whole_number(value)
    if not 1 <= number <= most:
        raise ValueError(f"a number from 1 to {most} instead of {value!r}")
    return number


def _fee(value: str) -> Rake | None:
    match value.split("/"):
        case [word] if word == _NO_FEE:
            return None
        case [rate, taken_from, cap] if taken_from in list(RakeFrom) and 0 <= whole_number(rate) <= WHOLE_RATE:
            return Rake(rate=whole_number(rate), taken_from=RakeFrom(taken_from), cap=whole_number(cap))
        case _:
            raise ValueError(_EXPECTED)


_PLAIN: Final[Mapping[str, Callable[[f.Setup, str], f.Setup]]] = {
    "rulebook": _rulebook,
    "places": lambda setup, value: replace(setup, seats=_from_one(value, most_seats(setup.rulebook))),
    "chip": lambda setup, value: replace(setup, chip=_from_one(value, AMOUNT_MOST)),
    "resto": lambda setup, value: replace(setup, resto=0 if value == "0" else _from_one(value, AMOUNT_MOST)),
    "tracking": _tracking,
    "equipment": lambda setup, value: replace(setup, equipment=Equipment(value)),
    "fee": lambda setup, value: replace(setup, fee=_fee(value)),
    "staff": _staff,
}


def settings_words(base: f.Setup, setup: f.Setup) -> Iterator[str]:
    """The words that make this setup out of a file's."""
    if setup.rulebook != base.rulebook:
        yield f"rulebook={setup.rulebook}"
        base = game_of(setup.rulebook, base)
    before, now = _told(base), _told(setup)
    for key in dict.fromkeys((*before, *now)):
        if before.get(key) != now.get(key):
            yield f"{key}={now.get(key, '')}"


def _told(setup: f.Setup) -> dict[str, object]:
    """Every setting; a choice that is not there is as the rulings ship it."""
    fee = setup.fee
    told: dict[str, object] = {"places": setup.seats, "chip": setup.chip, "resto": setup.resto}
    told |= {"tracking": setup.tracking, "equipment": setup.equipment}
    told["fee"] = _NO_FEE if fee is None else f"{fee.rate}/{fee.taken_from}/{fee.cap}"
    told["staff"] = "yes" if setup.staff else "no"
    told |= {f"band.{bet}": f"{band.least}..{band.most}" for bet, band in setup.bands.items()}
    told |= {f"limits.{bet}": f"{limits.least}..{limits.most}" for bet, limits in setup.limits.items()}
    return told | {f"profile.{key}": value for key, value in setup.profile.items()}
