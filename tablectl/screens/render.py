"""From a picture of the table to the HTML of a page, part by part. No I/O once the templates are read.

A page is made of parts; a part is sent again only when its HTML changed. Which parts a page has stands in `PARTS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tablectl.engine.words import Declaration, Key
from tablectl.screens import felt
from tablectl.screens.clauses import Clauses
from tablectl.screens.feed import Picture
from tablectl.screens.model import BOARD_SLOTS, HOUSE_SLOTS
from tablectl.screens.recall import HandRow, Recalled, Step
from tablectl.screens.speech import Speech, rank_of, sign_of
from tablectl.screens.story import Teller, clauses_of
from tablectl.screens.texts import LANGUAGES, Texts, load_texts

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "croupier": ("tilt", "status", "resume", "prompt", "seats", "keys", "entry", "side", "felt"),
    "pit": ("tilt", "status", "prompt", "felt", "hands", "settlement", "alerts"),
}
#: The boxes of a player's zone, from the croupier outwards (THB-TAB-2).
BET_BOXES: Final = ("ante", "bonus", "flop", "turn", "river")
#: The panel: which keys stand together, row by row. Seats first, then the hand, then what only a person can see.
KEY_ROWS: Final[tuple[tuple[Key, ...], ...]] = (
    (Key.NEW_HAND, Key.NO_MORE_BETS, Key.BONUS, Key.BANK, Key.CONFIRM),
    (Key.BET, Key.FOLD, Key.CHECK, Key.ALL_BET, Key.ALL_CHECK),
    (Key.FACE_UP, Key.BANK_EXPOSED, Key.WRONG_COUNT, Key.SEEN, Key.NOT_SEEN),
)
#: Keys that declare a fault of the deal: live beside a question, but no answer to it.
DECLARATIONS: Final = frozenset({Key.FACE_UP, Key.BANK_EXPOSED, Key.WRONG_COUNT})
#: What else a croupier can declare: too rare for a key of its own.
OTHER_DECLARATIONS: Final = (Declaration.TURNED_WHILE_DEALT, Declaration.WRONG_ORDER, Declaration.UNREPORTED_CARD)
RANKS: Final = "AKQJT98765432"
SUITS: Final = "shdc"
#: Money that is quickly put into a box: multiples of the least bet.
_CHIPS: Final = (1, 2, 5, 10)


class Pages:
    """Renders pages and their parts in either language."""

    def __init__(self, texts: Texts | None = None, clauses: Clauses | None = None) -> None:
        self._texts = load_texts() if texts is None else texts
        self._clauses = Clauses() if clauses is None else clauses
        templates = files("tablectl.screens").joinpath("templates")
        self._templates = Environment(
            loader=FileSystemLoader(str(templates)),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters.update(rank=rank_of, suit_sign=sign_of)

    def page(self, name: str, language: str, picture: Picture) -> str:
        """A whole page, as it is when it is opened."""
        parts = self.parts(name, language, picture)
        return self._templates.get_template(f"{name}.html").render(
            **self._values(language, picture), page=name, parts=parts
        )

    def index(self, language: str, picture: Picture) -> str:
        """The choice of screens."""
        return self._templates.get_template("index.html").render(**self._values(language, picture), page="index")

    def hands(self, language: str, picture: Picture, rows: tuple[HandRow, ...]) -> str:
        """The list of the last hands."""
        values = self._values(language, picture)
        return self._templates.get_template("recall/hands.html").render(**values, page="recall", rows=rows)

    def hand(self, language: str, picture: Picture, recalled: Recalled, step: Step) -> str:
        """One hand, as it was after a step, with its time line."""
        then = replace(picture, view=step.view, table=recalled.table)
        values = self._values(language, then)
        t, u = Teller(values["t"]), Teller(values["u"])
        told = [
            (each, (t.fact(each), u.fact(each)), tuple(zip(t.decisions(each), u.decisions(each), strict=True)))
            for each in recalled.steps
        ]
        return self._templates.get_template("recall/hand.html").render(
            **{**values, "sealed": values["t"].say("recall", "sealed")},
            page="recall",
            recalled=recalled,
            step=step,
            told=told,
            newest_hand=picture.view.hand,
            clauses=clauses_of(recalled.steps),
        )

    def no_hand(self, language: str, picture: Picture, *, why: str, hand: str = "") -> str:
        """A page that says why there is nothing to see: `unknown` or `no-answer`."""
        values = self._values(language, picture)
        return self._templates.get_template("recall/nothing.html").render(**values, page="recall", why=why, hand=hand)

    def parts(self, name: str, language: str, picture: Picture) -> dict[str, str]:
        """The parts of a page by name."""
        values = self._values(language, picture)
        templates = {part: self._templates.get_template(f"{name}/{part}.html") for part in PARTS[name]}
        return {part: template.render(**values, page=name) for part, template in templates.items()}

    def speech(self, language: str, picture: Picture) -> Speech:
        """How this table speaks in one language."""
        return Speech(language=language, texts=self._texts, clauses=self._clauses, table=picture.table)

    def _values(self, language: str, picture: Picture) -> dict[str, Any]:
        other = next(each for each in LANGUAGES if each != language)
        table = picture.table
        return {
            "t": self.speech(language, picture),
            "u": self.speech(other, picture),
            "language": language,
            "other": other,
            "view": picture.view,
            "table": table,
            "connected": picture.connected,
            "tilt": picture.tilt,
            "sealed": "",
            "seats": tuple(range(1, (table.seats if table is not None else 0) + 1)),
            "places": felt.seat_places(table.seats) if table is not None else (),
            "felt": felt,
            "boxes": BET_BOXES,
            "board_slots": BOARD_SLOTS,
            "house_slots": HOUSE_SLOTS,
            "key_rows": KEY_ROWS,
            "declarations": DECLARATIONS,
            "other_declarations": OTHER_DECLARATIONS,
            "ranks": RANKS,
            "suits": SUITS,
            "chips": _CHIPS,
        }


def language_of(asked: str | None, accepted: str | None) -> str:
    """The language of a page: what the address asks for, else what the browser prefers, else Spanish."""
    if asked in LANGUAGES:
        return str(asked)
    for each in (accepted or "").split(","):
        short = each.split(";")[0].strip()[:2].lower()
        if short in LANGUAGES:
            return short
    return LANGUAGES[0]
