"""What a table's file says of its games: seats, tracking, limits, a house's choices; each game by itself.

`[table]`, `[limits]`, `[profile]` and `[fee]` are those of the game that the table begins with. Others that it can
change to between hands stand below `[games.ID]`: what they leave out of `seats`, `tracking` and `chip` is the table's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.config.limits import AMOUNT_MOST, bands_of, limits_of
from tablectl.config.toml_reader import TomlReader, guess
from tablectl.config.validation import Mistake
from tablectl.core.engine.facts import Limits, Setup
from tablectl.core.engine.words import Equipment, Tracking
from tablectl.core.options.choices import profile_of
from tablectl.core.options.holdem import Fee
from tablectl.core.settlement.pot_rules import WHOLE_RATE, Rake, RakeFrom
from tablectl.games.registry import GAMES, LIMIT_RULES, PROFILES, RULEBOOKS, most_seats, trackings

#: The section with the other games.
GAMES_SECTION: Final = "games"
#: The greatest smallest chip in play, in the smallest unit of money.
CHIP_MOST: Final = 10**9
#: What a fee is made of; none of it has a default, since no document gives one.
_FEE_KEYS: Final[Mapping[str, str]] = {
    "rate": "hundredths of a per cent: 500 is 5 %",
    "cap": "the most that is taken, in the smallest unit of money",
    "from": f"what rate and cap are of: {' or '.join(RakeFrom)}",
}
_PARTS: Final = ("limits", "profile", "fee")


def keys_of(game: object) -> tuple[str, ...]:
    """The keys of a game beside its limits, choices and fee, whatever the file names as one."""
    known = GAMES.get(game) if isinstance(game, str) else None
    if known is None:
        return ("seats", "tracking")
    return ("seats", "tracking", *(("chip",) if known.is_circle else ()), *(("resto",) if known.has_resto else ()))


class GamesReader(TomlReader):
    """Reads what belongs to one game, and all the others of a table."""

    def __init__(self, path: Path, mistakes: list[Mistake], notices: list[str]) -> None:
        super().__init__(path, mistakes)
        self._notices = notices

    def first(
        self, raw: dict[str, Any], table: dict[str, Any], name: str, equipment: Equipment, *, staff: bool
    ) -> Setup:
        """The game that the table begins with."""
        rulebook = self._choice(table, "table.rulebook", tuple(RULEBOOKS), next(iter(RULEBOOKS)))
        levels = trackings(rulebook)
        tracking = Tracking(self._choice(table, "table.tracking", levels, levels[0].value))
        seats = self._whole(table, "table.seats", 1, most_seats(rulebook), 7)
        made = Setup(
            table=name,
            rulebook=rulebook,
            seats=seats,
            tracking=tracking,
            limits={},
            equipment=equipment,
            chip=self._chip(table, "table.", 1),
            staff=staff,
        )
        # Of a game that is not there nobody can tell what its bets and its choices would have to be.
        return self._completed(made, raw, table, "") if table.get("rulebook") == rulebook else made

    def others(self, raw: dict[str, Any], first: Setup) -> dict[str, Setup]:
        """The games that the table can change to, by their rulebooks."""
        section = self._table(raw, GAMES_SECTION)
        made = {}
        for name in section:
            key = f"{GAMES_SECTION}.{name}"
            if name not in RULEBOOKS:
                self._wrong(key, "a game that is not known here", guess(name, tuple(RULEBOOKS)))
            elif name == first.rulebook:
                self._wrong(
                    key, "the game of [table]", "another one; its keys stand in [table], [limits] and [profile]"
                )
            else:
                made[name] = self._other(section, name, first)
        return made

    def _other(self, section: dict[str, Any], name: str, first: Setup) -> Setup:
        prefix = f"{GAMES_SECTION}.{name}."
        game = self._section(section, prefix[:-1], (*keys_of(name), *_PARTS))
        levels = trackings(name)
        tracking = first.tracking
        if "tracking" in game or tracking not in levels:
            tracking = Tracking(self._choice(game, f"{prefix}tracking", levels, levels[0].value))
        made = Setup(
            table=first.table,
            rulebook=name,
            seats=self._whole(game, f"{prefix}seats", 1, most_seats(name), min(first.seats, most_seats(name))),
            tracking=tracking,
            limits={},
            equipment=first.equipment,
            chip=self._chip(game, prefix, first.chip),
            staff=first.staff,
        )
        return self._completed(made, game, game, prefix)

    # -- parts -------------------------------------------------------------------------------------------------------

    def _completed(self, made: Setup, raw: dict[str, Any], game: dict[str, Any], prefix: str) -> Setup:
        """With its limits, choices, fee and resto: `raw` has the sections, `game` the keys."""
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
            resto=self._resto(game, prefix or "table.", made, limits),
            bands=bands,
            staff=made.staff,
        )

    def _chip(self, game: dict[str, Any], prefix: str, default: int) -> int:
        return self._whole(game, f"{prefix}chip", 1, CHIP_MOST, default)

    def _resto(self, game: dict[str, Any], prefix: str, made: Setup, limits: Mapping[str, Limits]) -> int:
        """FCD-RST-2, FCD-RST-3: what everybody begins with, agreed before the first hand where amounts are entered."""
        key, found = f"{prefix}resto", game.get("resto")
        if not GAMES[made.rulebook].has_resto or (found is None and made.tracking is not Tracking.AMOUNTS):
            return 0
        ante = limits["ante"].least if "ante" in limits else 0
        if made.tracking is not Tracking.AMOUNTS:
            self._wrong(key, repr(found), "nothing where no amounts are entered")
        elif found is None:
            self._wrong(key, "nothing", "what everybody begins with, in the smallest unit of money (FCD-RST-2)")
        elif type(found) is not int or not 1 <= found <= AMOUNT_MOST:
            right = f"an amount in the smallest unit of money, from 1 to {AMOUNT_MOST} (FCD-RST-2)"
            self._wrong(key, repr(found), right)
        elif found % made.chip:
            self._wrong(key, str(found), f"whole chips: a multiple of {made.chip} (FCD-RST-3)")
        elif found < ante:
            self._wrong(key, str(found), f"at least the ante, which is {ante} (FCD-OPN-2)")
        else:
            return found
        return 0

    def _limits(self, raw: dict[str, Any], prefix: str, made: Setup) -> tuple[dict[str, Limits], dict[str, Limits]]:
        """The limits, and the bands in which they can be set at the table."""
        section, rule = self._table(raw, f"{prefix}limits"), LIMIT_RULES[made.rulebook]
        found = limits_of(rule, section, where=str(self._path), tracking=made.tracking)
        limits = self._right(f"{prefix}limits", found)
        return ({}, {}) if limits is None else (limits, bands_of(rule, section))

    def _profile(self, raw: dict[str, Any], prefix: str, rulebook: str) -> dict[str, str]:
        section = self._table(raw, f"{prefix}profile")
        found = self._right(f"{prefix}profile", profile_of(PROFILES[rulebook], section, str(self._path)))
        if found is None:
            return {}
        self._notices.extend(f"{prefix}{notice}" for notice in GAMES[rulebook].notices(found))
        return {str(key): str(value) for key, value in section.items()}

    def _fee(self, raw: dict[str, Any], prefix: str, profile: Mapping[str, str]) -> Rake | None:
        """THL-DEF-7, AMB-37: what the table takes out of a pot, where the house takes anything; then all of it."""
        name = f"{prefix}fee"
        section = self._section(raw, name, ("rate", "cap", "from"))
        if profile.get("fee") != Fee.FROM_THE_POT:
            if "fee" in raw:
                right = f'nothing without fee = "from-the-pot" in [{prefix}profile] (AMB-37)'
                self._wrong(name, "a section", right)
            return None
        for key, right in _FEE_KEYS.items():
            if key not in section:
                self._wrong(f"{name}.{key}", "nothing", f"{right} (THL-DEF-7, AMB-37)")
        return Rake(
            rate=self._whole(section, f"{name}.rate", 1, WHOLE_RATE, 1),
            cap=self._whole(section, f"{name}.cap", 1, AMOUNT_MOST, 1),
            taken_from=RakeFrom(self._choice(section, f"{name}.from", tuple(RakeFrom), RakeFrom.EACH_POT))
            if "from" in section
            else RakeFrom.EACH_POT,
        )
