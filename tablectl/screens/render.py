"""From a picture of the table to the HTML of a page, part by part. No I/O once the templates are read.

A page is made of parts; a part is sent again only when its HTML changed. Which parts a page has stands in `PARTS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tablectl.engine.words import Declaration, Key
from tablectl.screens import felt
from tablectl.screens.clauses import Clauses
from tablectl.screens.feed import Picture
from tablectl.screens.model import BOARD_SLOTS, HOUSE_SLOTS
from tablectl.screens.speech import Speech, rank_of, sign_of
from tablectl.screens.texts import LANGUAGES, Texts, load_texts

PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "croupier": ("status", "prompt", "seats", "keys", "entry", "side", "felt"),
    "pit": ("status", "prompt", "felt", "hands", "settlement", "alerts"),
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
