"""What a configuration says of tags: the register, what is no card, and where each antenna is."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from tablectl.config.reader import Reader
from tablectl.config.sections import CLONE_S, DeckSection
from tablectl.config.spots import Spot, spots
from tablectl.core.records import record
from tablectl.core.validation import Mistake, sentence

#: How long two spots must go on seeing one tag before it is an alarm, in microseconds.
CLONE_US: Final = CLONE_S * 1_000_000


@record
class DeckSettings:
    """`register`: the file of `tablectl.journal.deck_register`. The rest as `TagTracker` has it."""

    register: Path
    not_cards: tuple[str, ...] = ()
    clone_us: int = CLONE_US


def read_deck(reader: Reader, raw: dict[str, Any]) -> DeckSettings:
    """What a file says."""
    section = reader.whole(DeckSection, raw, "deck")
    return DeckSettings(register=section.register, not_cards=section.not_cards, clone_us=section.clone_s * 1_000_000)


def spots_of(raw: object, *, seats: int, n_antennas: int) -> dict[int, Spot] | list[Mistake]:
    """Which antenna of a reader looks where: `SPOT = ANTENNA` or `SPOT = [ANTENNA, …]`, both ways round unambiguous."""
    if not isinstance(raw, dict):
        return [_mistake("spots", repr(raw), sentence("a table [device.spots] of SPOT = ANTENNA"))]
    there = spots(seats)
    found: dict[int, Spot] = {}
    wrong: list[Mistake] = []
    for name, value in raw.items():
        if name not in there:
            wrong.append(_mistake(f"spots.{name}", sentence("no spot of this table"), _guess(name, there)))
            continue
        for antenna in value if isinstance(value, list) and value else [value]:
            if type(antenna) is not int or not 1 <= antenna <= n_antennas:
                right = (
                    sentence("1, its only antenna")
                    if n_antennas == 1
                    else sentence("an antenna of this reader, 1 to {n_antennas}", n_antennas=n_antennas)
                )
                wrong.append(_mistake(f"spots.{name}", repr(antenna), right))
            elif antenna in found:
                wrong.append(
                    _mistake(f"spots.{name}", str(antenna), sentence("an antenna that looks at no other spot"))
                )
            else:
                found[antenna] = there[name]
    unused = [number for number in range(1, n_antennas + 1) if number not in found]
    if not wrong and unused:
        numbers = ", ".join(map(str, unused))
        wrong.append(
            _mistake(
                "spots",
                sentence("nothing for antenna {numbers}", numbers=numbers),
                sentence("a spot for every antenna"),
            )
        )
    return wrong or found


def _guess(name: str, there: Mapping[str, Any]) -> str:
    close = get_close_matches(name, there, n=1)
    all_there = sentence(
        "seat-1 to the last seat, house, board, burn, discard or stub; seat-1.2 for one place of a spot"
    )
    return sentence("did you mean {close!r}? {there}", close=close[0], there=all_there) if close else all_there


def _mistake(key: str, found: str, right: str) -> Mistake:
    return Mistake(where="", key=key, found=found, right=right)
