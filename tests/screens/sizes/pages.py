"""The pages that are measured: of tables at each moment of the hand files, and of the overview of many tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tablectl.core.roles import Role
from tablectl.web.overview.pages import OverviewPages
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages
from tablectl.web.screens.viewer import Viewer
from tests.overview.halls import HOUSE, Hall
from tests.screens.signed_on import shown_to
from tests.screens.sizes.legibility import DESKS, SCREENS
from tests.screens.sizes.measuring import Check, Rules
from tests.screens.sizes.states import TableState

#: What is pressed at the table.
_KEYS: Final = (
    ".key .first",
    ".key .size",
    ".offer .what b",
    ".answer .first",
    ".quick b",
    ".quick:not(:has(b))",
    ".call .first",
    ".main .first",
    ".plain .first",
    ".choices span",
    ".place .number",
)
#: Amounts that stand without their currency.
_AMOUNTS: Final = (
    ".chip",
    ".stack",
    ".stake b",
    ".sum",
    ".limits",
    ".settled",
    ".net b",
    ".echo",
    "td.win",
    "td.lose",
    "td.push",
)
#: What has to be read across the table: what is to be done, whose turn it is and for how much, and the pot.
_FAR: Final = (".instruction h1", ".resuming h1", ".tilt-banner .instruct", ".pot-now b", ".turn-now b")
_INSTRUCTION: Final = (".instruction h1", ".figures p")
#: Where there is room for it, the steps of a remedy and who is in which pot stand beside the instruction.
_BESIDE: Final = (".box.incident .steps li", ".picture:not(:has(.instruction.held)) .box.pots")
_CROUPIER: Final = Rules(far=_FAR, near=(*_KEYS, *_AMOUNTS), seen=(*_INSTRUCTION, *_BESIDE))
_SMALL_CROUPIER: Final = Rules(far=_FAR, near=(*_KEYS, *_AMOUNTS), seen=_INSTRUCTION)
_OF_AN_INCIDENT: Final = (".top .clause", "h3", ".steps li:first-child")
_ON_A_PHONE: Final = Rules(
    far=_FAR,
    near=(*_KEYS, *_AMOUNTS),
    seen=(
        ".instruction h1",
        *(f".picture:has(.instruction.held) .box.incident {what}" for what in _OF_AN_INCIDENT),
    ),
)
_DESK: Final = Rules(near=_AMOUNTS)
#: What waits longest for the pit boss.
_FIRST_RULING: Final = "article.ruling:not(article.ruling ~ article.ruling)"
_OF_A_RULING: Final = ("h3", ".happened", "blockquote", ".remedies li:first-child button")
_PIT_ON_A_PHONE: Final = Rules(near=_AMOUNTS, seen=tuple(f"{_FIRST_RULING} {what}" for what in _OF_A_RULING))
_VIEWERS: Final = {
    "croupier": Viewer(name="ana", display="Ana", roles=frozenset({Role.CROUPIER}), csrf="0"),
    "pit": Viewer(name="luis", display="Luis", roles=frozenset({Role.PIT_BOSS}), csrf="0"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Measured:
    """A page in a language. `of`: the state that it shows."""

    page: str
    of: str
    language: str
    html: str


def of_tables(states: Sequence[TableState], languages: Sequence[str]) -> Iterator[Measured]:
    """The croupier's and the pit boss's page of each state."""
    pages = Pages()
    for page in _VIEWERS:
        for state in states:
            for language in languages:
                html = _html(pages, page, language, state.picture)
                yield Measured(page=page, of=str(state.moment), language=language, html=html)


def of_overview(hall: Hall, languages: Sequence[str]) -> Iterator[Measured]:
    """The overview of all tables of a floor."""
    pages = OverviewPages(HOUSE)
    for language in languages:
        html = pages.page(language, hall.picture)
        yield Measured(page="overview", of=f"{len(hall.tables)} tables", language=language, html=html)


def _html(pages: Pages, page: str, language: str, picture: Picture) -> str:
    with shown_to(_VIEWERS[page]):
        return pages.page(page, language, picture)


def checks_of(page: str) -> Sequence[Check]:
    """What a page has to keep on each screen, the smallest first and the phone last."""
    if page == "croupier":
        rules = (_SMALL_CROUPIER, _CROUPIER, _CROUPIER, _ON_A_PHONE)
        return [Check(screen=screen, rules=kept) for screen, kept in zip(SCREENS, rules, strict=True)]
    rules = (_DESK, _DESK, _DESK, _PIT_ON_A_PHONE if page == "pit" else _DESK)
    return [Check(screen=screen, rules=kept) for screen, kept in zip(DESKS, rules, strict=True)]
