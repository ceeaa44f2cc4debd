"""From a picture of the table to the HTML of a page, part by part. No I/O once the templates are read.

A page is made of parts; a part is sent again only when its HTML changed. Which parts a page has stands in `PARTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tablectl.core.engine.decisions import CardPlaced, CardTurned, Decision
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.stream import Unknown
from tablectl.core.public_table import device_notes
from tablectl.core.public_table.alarms import Alarm, by_state, events_of
from tablectl.core.public_table.hand_row import HandRow
from tablectl.core.public_table.table import PublicTable, Side
from tablectl.i18n.describe import clause_of, conclusions, describe_decision, describe_fact
from tablectl.i18n.disks import room
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import rank_of, sign_of
from tablectl.i18n.texts import load_texts
from tablectl.people.service.answering import PasskeyRules
from tablectl.people.service.table_now import table_now
from tablectl.web.screens import alarm_texts, betting, entered, felt, guidance, payout
from tablectl.web.screens.beside import values_of
from tablectl.web.screens.entries import SHELF_MINUTES
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.games import game_of
from tablectl.web.screens.recall import Recalled, Step
from tablectl.web.screens.screen_texts import ScreenTexts
from tablectl.web.screens.tiles import tiles_of
from tablectl.web.screens.viewer import Viewer, viewer

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "croupier": (
        "demo",
        "tilt",
        "status",
        "staff",
        "notes",
        "resume",
        "prompt",
        "seats",
        "keys",
        "entry",
        "side",
        "felt",
    ),
    "pit": (
        "demo",
        "tilt",
        "status",
        "alarms_only",
        "tiles",
        "ways",
        "notes",
        "prompt",
        "felt",
        "hands",
        "settlement",
        "alerts",
    ),
    "technician": ("demo", "tilt", "status", "uplink", "witness", "health"),
}
#: The page with the alarms, and what is left of it, by template, where time ended the session: its other parts are
#: empty then. Of what a table shows nothing else may be in these.
ALARM_PAGE: Final = "pit"
ALARM_VIEW: Final[Mapping[str, str]] = {
    "demo": "pit/demo.html",
    "tilt": "alarm_view/tilt.html",
    "status": "alarm_view/status.html",
    "alarms_only": "pit/alarms_only.html",
    "alerts": "alarm_view/alerts.html",
}
#: Keys that declare a fault of the deal: live beside a question, but no answer to it.
DECLARATIONS: Final = frozenset({Key.INCIDENT, Key.FACE_UP, Key.BANK_EXPOSED, Key.WRONG_COUNT})
RANKS: Final = "AKQJT98765432"
SUITS: Final = "shdc"
#: Money that is quickly put into a box: multiples of the least bet.
_CHIPS: Final = (1, 2, 5, 10)


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One step on the time line: what happened, and what followed with its clause; each sentence in the languages of
    the page."""

    step: Step
    happened: tuple[str, ...]
    followed: tuple[tuple[tuple[str, ...], str | None], ...]


class Pages:
    """Renders pages and their parts in any language. `now` is the clock by which what was shelved comes back;
    `passkeys`: what a house with passkeys says of them."""

    def __init__(
        self, *, now: Callable[[], datetime] = lambda: datetime.now(UTC), passkeys: PasskeyRules | None = None
    ) -> None:
        self._passkeys = passkeys
        self._texts = load_texts("tablectl.web.screens")
        self._now = now
        self._templates = templates("tablectl.web.screens")

    def now_ms(self) -> int:
        """What the clock of a page goes on from, in milliseconds since the epoch."""
        return int(self._now().timestamp() * 1000)

    def beat(self, picture: Picture) -> dict[str, Any]:
        """What a live page hears again and again, also where nothing changes."""
        return {
            "controller": picture.connected,
            "tilt": picture.tilt is not None,
            "seq": picture.view.seq,
            "now_ms": self.now_ms(),
        }

    def page(self, name: str, language: str, picture: Picture) -> str:
        """A whole page, as it is when it is opened."""
        parts = self.parts(name, language, picture)
        return self._templates.get_template(f"{name}.html").render(
            **self._values(language, picture), page=name, parts=parts
        )

    def plain(self, template: str, language: str, picture: Picture, /, **values: object) -> str:
        """A page that shows nothing live: `TEMPLATE.html` with these values; `page` says whose style it has."""
        found = self._templates.get_template(f"{template}.html")
        return found.render({**self._values(language, picture), "page": "still", **values})

    def says(self, language: str, picture: Picture, why: str, **values: str) -> list[str]:
        """Why something was not done, in the languages of the page."""
        table = "error" if self._texts.has("error", why) else "denied"
        return [texts.say(table, why, **values) for texts in self.spoken(language, picture)]

    def says_refused(self, language: str, picture: Picture, refused: Mapping[str, Any], *, entry: str) -> list[str]:
        """Why the engine did not take an entry, in the languages of the page."""
        why, detail, clause = str(refused["why"]), str(refused["detail"] or ""), refused["clause"]
        spoken = self.spoken(language, picture)
        told = [texts.refusal(why, entry=entry, detail=detail, clause=clause) for texts in spoken]
        return told if clause is None else [f"{text} ({clause})" for text in told]

    def hands(self, language: str, picture: Picture, rows: tuple[HandRow, ...]) -> str:
        """The list of the last hands."""
        return self.plain("recall/hands", language, picture, page="recall", rows=rows)

    def hand(self, language: str, picture: Picture, recalled: Recalled, step: Step) -> str:
        """One hand, as it was after a step, with its time line."""
        then = replace(picture, view=step.view, table=recalled.table)
        spoken = self.spoken(language, then)
        return self.plain(
            "recall/hand",
            language,
            then,
            page="recall",
            sealed=spoken[0].say("recall", "sealed"),
            recalled=recalled,
            step=step,
            told=lines_of(recalled, spoken),
            newest_hand=picture.view.hand,
            clauses=recalled.clauses,
        )

    def no_hand(self, language: str, picture: Picture, *, why: str, hand: str = "") -> str:
        """A page that says why there is nothing to see: `unknown` or `no-answer`."""
        return self.plain("recall/nothing", language, picture, page="recall", why=why, hand=hand)

    def parts(self, name: str, language: str, picture: Picture) -> dict[str, str]:
        """The parts of a page by name."""
        values = self._values(language, picture)
        whole = {part: f"{name}/{part}.html" for part in PARTS[name]}
        named = ALARM_VIEW if viewer().alarms_until_us else whole
        made = {part: self._templates.get_template(text).render(**values, page=name) for part, text in named.items()}
        return {part: made.get(part, "") for part in PARTS[name]}

    def texts(self, language: str, picture: Picture) -> ScreenTexts:
        """The texts of this table in one language."""
        table = picture.table
        rulebook = picture.view.rulebook if table is None else table.rulebook
        return ScreenTexts(language=language, texts=self._texts, rulebook=rulebook, table=table, now=self._now())

    def spoken(self, language: str, picture: Picture) -> tuple[ScreenTexts, ...]:
        """The texts of a page in its language, and in the second one where the table asks for one."""
        second = None if picture.table is None else picture.table.second_language
        shown = (language,) if second in (None, language) else (language, second)
        return tuple(self.texts(text, picture) for text in shown)

    def alarms(self, picture: Picture) -> tuple[Alarm, ...]:
        """The alarms of the table at this moment, in the order of the page."""
        return picture.alarms(self._now_us())

    def _now_us(self) -> int:
        return int(self._now().timestamp() * 1_000_000)

    def _values(self, language: str, picture: Picture) -> dict[str, Any]:
        spoken = self.spoken(language, picture)
        table = picture.table
        game = game_of(picture.view.rulebook if table is None else table.rulebook)
        return {
            **values_of(spoken),
            "now_ms": self.now_ms(),
            "languages": offered(picture),
            "view": picture.view,
            "table": table,
            "connected": picture.connected,
            "tilt": picture.tilt,
            "rolled_back": picture.rolled_back,
            "missing": picture.missing,
            "health": picture.health,
            "uplink": picture.uplink,
            "witness": picture.witness,
            "live": PARTS,
            "me": viewer(),
            "others_deal": _others_deal(picture, viewer()),
            "passkeys": self._passkeys,
            "is_demo": picture.is_demo,
            "sealed": "",
            "seats": tuple(range(1, (table.seats if table is not None else 0) + 1)),
            "places": felt.seat_places(table.seats) if table is not None else (),
            "felt": felt,
            "game": game,
            "boxes": game.boxes,
            "payout": payout,
            "entered": entered,
            "betting": betting,
            "guidance": guidance,
            "device_notes": device_notes,
            "alarms": self.alarms(picture),
            "events": events_of(picture.view),
            "by_state": by_state,
            "alarm_texts": alarm_texts,
            "previews": picture.previews,
            "disks": picture.disks,
            "disk_room": room,
            "shelf_minutes": SHELF_MINUTES,
            "tiles": tiles_of((picture,), self._now_us()),
            "key_rows": game.key_rows,
            "declarations": DECLARATIONS,
            "ranks": RANKS,
            "suits": SUITS,
            "chips": _CHIPS,
        }


def _others_deal(picture: Picture, me: Viewer) -> bool:
    """Whether what belongs to whoever deals is not taken from the one who looks: first he takes the table."""
    if picture.table is None or not me.name or me.is_trainee:
        return False
    now = table_now(picture.view, connected=True, is_staffed=picture.table.staff, is_demo=picture.is_demo)
    return not now.lets_deal(me.name)


@cache
def templates(*packages: str) -> Environment:
    """Those of packages, of the first one that has it. Compiled once a process, not once for each who renders: that
    takes longer than all pages together."""
    made = Environment(
        loader=FileSystemLoader([str(files(package).joinpath("templates")) for package in packages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # to ask the disk for each part of a page took a sixth of what pages of many tables take
    )
    made.filters.update(rank=rank_of, suit_sign=sign_of)
    return made


def lines_of(recalled: Recalled, screen_texts: tuple[ScreenTexts, ...]) -> tuple[Line, ...]:
    """The time line of a hand, each sentence in the languages of `screen_texts`."""
    return tuple(_told(step, screen_texts) for step in recalled.steps)


def _told(step: Step, screen_texts: tuple[ScreenTexts, ...]) -> Line:
    return Line(
        step=step,
        happened=tuple(describe_fact(t, step.record) for t in screen_texts),
        followed=tuple(
            (
                tuple(
                    describe_decision(t, said, entry=step.record.entry, card=_open_card(step.view, said))
                    for t in screen_texts
                ),
                clause_of(said),
            )
            for said in conclusions(step.record)
        ),
    )


def _open_card(view: PublicTable, said: Decision | Unknown) -> str | None:
    """The card that a decision is about, where the picture shows its face."""
    card = view.lying(said.slot.name) if isinstance(said, CardPlaced | CardTurned) else None
    return card.code if card is not None and card.side is Side.FACE else None


def offered(picture: Picture) -> tuple[str, ...]:
    """The languages that a page offers for choice, the table's first; all of them before a table was heard."""
    return LANGUAGES if picture.table is None else picture.table.languages
