"""What a table's file says of its games: seats, tracking, limits, a house's choices; each game by itself.

`[table]`, `[limits]`, `[profile]` and `[fee]` are those of the game that the table begins with. Others that it can
change to between hands stand below `[games.ID]`: what they leave out of `seats`, `tracking` and `chip` is the table's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.config.limits import bands_of, limits_of
from tablectl.config.reader import Reader, guess
from tablectl.config.schema import Key, Section, keys
from tablectl.config.sections import FeeSection, GameSection, TableSection
from tablectl.core.engine.facts import Limits, Setup
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.options.choices import profile_of
from tablectl.core.options.holdem import Fee
from tablectl.core.settlement.pot_rules import Rake
from tablectl.core.validation import sentence
from tablectl.games.registry import GAMES, LIMIT_RULES, PROFILES, RULEBOOKS, most_seats, trackings

#: The section with the other games.
GAMES_SECTION: Final = "games"


def keys_of(section: type[Section], game: object) -> Iterator[Key]:
    """The keys of `[table]` or of `[games.GAME]` that a game has, with its bounds and words; `game` as the file names
    it, whatever stands there."""
    known = GAMES.get(game) if isinstance(game, str) else None
    seats, levels = most_seats(known.id if known is not None else ""), trackings(known.id if known is not None else "")
    for key in keys(section).values():
        if key.name == "seats":
            yield key.between(1, seats)
        elif key.name == "tracking":
            yield key.one_of(tuple(level.value for level in levels))
        elif key.name == "chip":
            if known is not None and known.is_circle:
                yield key
        elif key.name != "resto" or (known is not None and known.has_resto):
            yield key


class GamesReader:
    """Reads what belongs to one game, and all the others of a table."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def first(self, raw: dict[str, Any], table: TableSection, *, staff: bool) -> Setup:
        """The game that the table begins with."""
        made = Setup(
            table=table.name,
            rulebook=table.rulebook,
            seats=min(table.seats, most_seats(table.rulebook)),
            tracking=table.tracking or trackings(table.rulebook)[0],
            limits={},
            equipment=table.equipment,
            chip=table.chip,
            staff=staff,
        )
        said = self._reader.table(raw, "table")
        # Of a game that is not there nobody can tell what its bets and its choices would have to be.
        return (
            self._completed(made, raw, said, "", resto=table.resto) if said.get("rulebook") == made.rulebook else made
        )

    def others(self, raw: dict[str, Any], first: Setup) -> dict[str, Setup]:
        """The games that the table can change to, by their rulebooks."""
        section = self._reader.table(raw, GAMES_SECTION)
        made = {}
        for name in section:
            key = f"{GAMES_SECTION}.{name}"
            if name not in RULEBOOKS:
                self._reader.wrong(key, sentence("a game that is not known here"), guess(name, RULEBOOKS))
            elif name == first.rulebook:
                right = sentence("another one; its keys stand in [table], [limits] and [profile]")
                self._reader.wrong(key, sentence("the game of [table]"), right)
            else:
                made[name] = self._other(self._reader.table(section, key), name, first)
        return made

    def _other(self, game: dict[str, Any], name: str, first: Setup) -> Setup:
        prefix = f"{GAMES_SECTION}.{name}."
        there = keys_of(GameSection, name)
        said = GameSection(**self._reader.values(GameSection, game, prefix, there=there))
        levels = trackings(name)
        if said.tracking is None and first.tracking not in levels and "tracking" not in game:
            self._reader.wrong(f"{prefix}tracking", sentence("nothing"), guess("", levels))
        made = Setup(
            table=first.table,
            rulebook=name,
            seats=min(first.seats, most_seats(name)) if said.seats is None else said.seats,
            tracking=said.tracking or (first.tracking if first.tracking in levels else levels[0]),
            limits={},
            equipment=first.equipment,
            chip=first.chip if said.chip is None else said.chip,
            staff=first.staff,
        )
        return self._completed(made, game, game, prefix, resto=said.resto)

    # -- parts -------------------------------------------------------------------------------------------------------

    def _completed(
        self, made: Setup, raw: dict[str, Any], game: dict[str, Any], prefix: str, *, resto: int | None
    ) -> Setup:
        """With its limits, choices, fee and resto: `raw` has the sections, `game` the keys, `resto` is what it says."""
        profile = self._profile(raw, prefix, made.rulebook)
        limits, bands = self._limits(raw, prefix, made)
        return Setup(
            table=made.table,
            rulebook=made.rulebook,
            seats=made.seats,
            tracking=made.tracking,
            limits=limits,
            profile=profile,
            equipment=made.equipment,
            chip=made.chip,
            fee=self._fee(raw, prefix, profile),
            resto=self._resto(f"{prefix or 'table.'}resto", game.get("resto"), made, limits, resto),
            bands=bands,
            staff=made.staff,
        )

    def _resto(self, name: str, found: object, made: Setup, limits: Mapping[str, Limits], resto: int | None) -> int:
        """FCD-RST-2, FCD-RST-3: what everybody begins with, agreed before the first hand where amounts are entered."""
        if not GAMES[made.rulebook].has_resto or (found is None and made.tracking is not Tracking.AMOUNTS):
            return 0
        ante = limits["ante"].least if "ante" in limits else 0
        if made.tracking is not Tracking.AMOUNTS:
            self._reader.wrong(name, repr(found), sentence("nothing where no amounts are entered"))
        elif found is None:
            right = sentence("what everybody begins with, in the smallest unit of money (FCD-RST-2)")
            self._reader.wrong(name, sentence("nothing"), right)
        elif resto is None:
            return 0  # told where it was read
        elif resto % made.chip:
            self._reader.wrong(
                name, str(resto), sentence("whole chips: a multiple of {chip} (FCD-RST-3)", chip=made.chip)
            )
        elif resto < ante:
            self._reader.wrong(name, str(resto), sentence("at least the ante, which is {ante} (FCD-OPN-2)", ante=ante))
        else:
            return resto
        return 0

    def _limits(self, raw: dict[str, Any], prefix: str, made: Setup) -> tuple[dict[str, Limits], dict[str, Limits]]:
        """The limits, and the bands in which they can be set at the table."""
        section, rule = self._reader.table(raw, f"{prefix}limits"), LIMIT_RULES[made.rulebook]
        found = limits_of(rule, section, where=str(self._reader.path), tracking=made.tracking)
        limits = self._reader.right(f"{prefix}limits", found)
        return ({}, {}) if limits is None else (limits, bands_of(rule, section))

    def _profile(self, raw: dict[str, Any], prefix: str, rulebook: str) -> dict[str, str]:
        section = self._reader.table(raw, f"{prefix}profile")
        chosen = profile_of(PROFILES[rulebook], section, str(self._reader.path))
        found = self._reader.right(f"{prefix}profile", chosen)
        if found is None:
            return {}
        for notice in GAMES[rulebook].notices(found):
            self._reader.notice(notice, prefix=prefix)
        return {str(key): str(value) for key, value in section.items()}

    def _fee(self, raw: dict[str, Any], prefix: str, profile: Mapping[str, str]) -> Rake | None:
        """THL-DEF-7, AMB-37: what the table takes out of a pot, where the house takes anything; then all of it."""
        name = f"{prefix}fee"
        section = self._reader.table(raw, name)
        if profile.get("fee") != Fee.FROM_THE_POT:
            self._reader.known(section, f"{name}.", keys(FeeSection))
            if "fee" in raw:
                right = sentence('nothing without fee = "from-the-pot" in [{prefix}profile] (AMB-37)', prefix=prefix)
                self._reader.wrong(name, sentence("a section"), right)
            return None
        fee = self._reader.section(FeeSection, section, f"{name}.")
        return None if fee is None else Rake(rate=fee.rate, cap=fee.cap, taken_from=fee.taken_from)
