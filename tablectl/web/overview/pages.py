"""From a picture of all tables to the HTML of the overview, part by part: each table is a part, and so are the counts,
the alarms and the calls. A part is made again only when what it shows changed. No I/O once the templates are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from tablectl.core.timestamps import time_text
from tablectl.fleet.pit.announcer import Announcement
from tablectl.fleet.pit.pit_alarms import PitAlarm
from tablectl.fleet.pit.scopes import ALL, PATTERNS_MOST, SCOPES_MOST, FloorPicture, Scope, ScopeFlaw
from tablectl.i18n import times
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.web.overview import words
from tablectl.web.overview.tiles import SHAPES, SIGNS, Shown, Tile, Tiles, count_by_state
from tablectl.web.screens.greeting import TableInfo
from tablectl.web.screens.render import templates
from tablectl.web.screens.screen_texts import ScreenTexts

#: The tiles are as large as their number lets them be: at most so many of each size.
SIZES: Final[Mapping[str, int]] = {"few": 6, "some": 15, "many": 30}
_MOST: Final = "most"
#: A call stands on the page for so long.
CALL_US: Final = 60 * 1_000_000
#: So many different counts and calls are kept as they were made.
MADE_MOST: Final = 1_000
_PACKAGES: Final = ("tablectl.web.overview", "tablectl.web.screens")


@dataclass(frozen=True, kw_only=True, slots=True)
class House:
    """Whose tables they are, where its clock is, and the language in which a page speaks that asks for none."""

    casino: str
    timezone: str
    language: str


class OverviewPages:
    """Renders pages and their parts in any language."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._templates = templates(*_PACKAGES)
        self._texts = cache(self._made_texts)
        # Most of many scopes show one of a few.
        self._counts = lru_cache(MADE_MOST)(self._counts_of)
        self._calls = lru_cache(MADE_MOST)(self._calls_of)
        #: the tile that each part was made of, by language and table
        self._tiles: dict[tuple[str, str], tuple[Tile, str]] = {}
        self._floor_tiles = Tiles()
        #: the list of alarms that each list was made of, by language and scope
        self._alarms: dict[tuple[str, Scope], tuple[tuple[PitAlarm, ...], str]] = {}
        self._now_us = 0

    def page(self, language: str, picture: FloorPicture, scope: Scope = ALL) -> str:
        """The whole page, of the picture of this scope."""
        tiles = self._floor_tiles.of(picture)
        return self._render(
            "page",
            language,
            names=[tile.name for tile in tiles],
            parts=self.parts(language, picture, scope),
            scope=str(scope),
            size=size_of(len(tiles)),
            now=self.clock(language, picture.at_us),
        )

    def title(self, language: str) -> str:
        """What the page is called."""
        return self._texts(language, "").say("overview", "title")

    def entry(self, language: str, scope: Scope = ALL, *, is_wrong: bool) -> str:
        """The page that asks for a viewer's token, and leads to the page of this scope."""
        return self._render("entry", language, scope=str(scope), is_wrong=is_wrong)

    def bad_scope(self, language: str, why: ScopeFlaw) -> str:
        """The page that says why the tables of an address cannot be shown."""
        return self._render("bad_scope", language, scope="", why=why, names_most=PATTERNS_MOST, scopes_most=SCOPES_MOST)

    def parts(self, language: str, picture: FloorPicture, scope: Scope = ALL) -> dict[str, str]:
        """Every part of the picture of this scope, by name."""
        if picture.at_us != self._now_us and self._day(picture.at_us) != self._day(self._now_us):
            self._tiles.clear()
            self._calls.cache_clear()
            self._alarms.clear()  # what was today's has a day beside it from now on
        self._now_us = picture.at_us
        tiles = self._floor_tiles.of(picture)
        made = {f"table-{tile.name}": self._tile(language, tile) for tile in tiles}
        made["counts"] = self._counts(language, tuple(count_by_state(tiles).items()), len(tiles))
        made["alarms"] = self._list(language, picture.alarms, scope)
        calls = [call for call in picture.announced.calls if picture.at_us - call.at_us < CALL_US]
        made["calls"] = self._calls(language, tuple(calls[-3:]), picture.announced.held_back)
        return made

    def _counts_of(self, language: str, counts: tuple[tuple[Shown, int], ...], n_tables: int) -> str:
        return self._render("counts", language, counts=dict(counts), n_tables=n_tables)

    def _calls_of(self, language: str, calls: tuple[Announcement, ...], held_back: int) -> str:
        return self._render("calls", language, calls=calls, held_back=held_back)

    def clock(self, language: str, at_us: int) -> str:
        """The hour in the house."""
        return self._hour(language, at_us, at_us)

    def _list(self, language: str, alarms: tuple[PitAlarm, ...], scope: Scope) -> str:
        known = self._alarms.get((language, scope))
        if known is None or known[0] != alarms:
            known = self._alarms[language, scope] = (alarms, self._render("alarms", language, alarms=alarms))
        return known[1]

    def forget(self, language: str, scope: Scope) -> None:
        """Nobody reads this one any more."""
        self._alarms.pop((language, scope), None)

    def _tile(self, language: str, tile: Tile) -> str:
        known = self._tiles.get((language, tile.name))
        if known is not None and known[0] == tile:
            return known[1]
        game = "" if tile.values is None else tile.values.game
        html = self._render("tile", language, game, tile=tile)
        self._tiles[language, tile.name] = (tile, html)
        return html

    def _made_texts(self, language: str, game: str) -> ScreenTexts:
        info = TableInfo(name="", rulebook=game, seats=0, tracking="", timezone=self.house.timezone)
        return ScreenTexts(language=language, texts=load_texts("tablectl.web.screens"), rulebook=game, table=info)

    def _day(self, at_us: int) -> str:
        return times.day(time_text(at_us), self.house.timezone, self.house.language)

    def _hour(self, language: str, at_us: int, now_us: int) -> str:
        """A time, with its day where that is not today's."""
        zone, today = self.house.timezone, times.local(time_text(now_us), self.house.timezone).date()
        return times.time(time_text(at_us), zone, language, today=today)

    def _render(self, template: str, language: str, game: str = "", **values: object) -> str:
        return self._templates.get_template(f"overview/{template}.html").render(
            t=self._texts(language, game),
            texts_of=lambda other: self._texts(language, other),
            time=lambda at_us: self._hour(language, at_us, self._now_us),
            words=words,
            house=self.house,
            language=language,
            languages=LANGUAGES,
            shapes=SHAPES,
            signs=SIGNS,
            **values,
        )


def size_of(n_tables: int) -> str:
    """How large the tiles are, in a word of the style sheet."""
    return next((size for size, most in SIZES.items() if n_tables <= most), _MOST)
