"""Every page in every state that is looked at: by axe, at the size of a finger, with a keyboard, and for its picture.

One line a page and state in `SHOWN`; a page that is new needs no more than that. What is more than a table and its
screens (somebody signed on, files beside it) is a context manager of its own in `serve`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Page, expect

from tablectl.tilt import Mark, TiltKind, leave
from tests.screens import circle_hands, draw_hands, hands, healths
from tests.screens.browsing import Tabs
from tests.screens.conftest import serving
from tests.screens.controller import Bench, Controller, poker, setup

#: How large a page is looked at; the croupier's at its smallest, too.
CROUPIER: Final = (1280, 800)
CROUPIER_SMALL: Final = (1024, 600)
PIT: Final = (1600, 1000)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stage:
    """A table at play, and where its screens are."""

    url: str
    controller: Controller
    socket: Path


def _nothing(_stage: Stage) -> None:
    """Nothing happens any more before the page is looked at."""


@contextmanager
def _table(bench: Bench) -> Iterator[Stage]:
    with tempfile.TemporaryDirectory(prefix="shown-") as folder:
        socket = Path(folder) / "control"
        with Controller(socket, bench) as controller, serving(socket) as url:
            yield Stage(url=url, controller=controller, socket=socket)


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A page in a state. `door` is its path as `all_doors` has it, `at` the address where that has parameters;
    `happens` is done once the page is open; `waits` finds what is there only in this state."""

    door: str
    state: str
    waits: str
    bench: Callable[[], Bench] = Bench
    at: str = ""
    happens: Callable[[Stage], None] = _nothing
    size: tuple[int, int] = CROUPIER
    serve: Callable[[Bench], AbstractContextManager[Stage]] = _table

    @property
    def name(self) -> str:
        """As its picture is called, without the language."""
        words = [each.strip("{}") for each in self.door.split("/") if each]
        return "-".join([*(words or ["index"]), self.state])

    @contextmanager
    def opened(self, tabs: Tabs, size: tuple[int, int] | None = None) -> Iterator[Callable[[str], Page]]:
        """What opens the page in a language; every page that it opened is closed at the end."""
        pages: list[Page] = []
        with self.serve(self.bench()) as stage:

            def page_in(language: str) -> Page:
                page = tabs.take(*(size or self.size))
                pages.append(page)
                page.goto(f"{stage.url}{self.at or self.door}?lang={language}")
                if len(pages) == 1:
                    self.happens(stage)
                if page.locator("[data-part]").count():
                    expect(page.locator("body.followed")).to_have_count(1)
                expect(page.locator(self.waits).first).to_be_visible()
                return page

            yield page_in
            tabs.give_back(*pages)


# --- what happens -----------------------------------------------------------------------------------------------------


def of_bonus(lines: str) -> Callable[[], Bench]:
    """A table of Texas Hold'em Bonus where this happened."""

    def made() -> Bench:
        bench = Bench(setup())
        bench.lines(hands.DEVICES + lines)
        return bench

    return made


def of_poker(lines: str) -> Callable[[], Bench]:
    """A table of Texas Poker where this happened."""

    def made() -> Bench:
        bench = Bench(poker())
        bench.lines(hands.DEVICES + lines)
        return bench

    return made


def of_circle(lines: str, rulebook: str = "circle-holdem") -> Callable[[], Bench]:
    """A table of a circle game where this happened."""
    return lambda: circle_hands.table(lines, rulebook=rulebook)


def of_open(lines: str) -> Callable[[], Bench]:
    """A table of open hold'em where this happened."""
    return of_circle(lines, "open-holdem")


def of_draw(lines: str) -> Callable[[], Bench]:
    """A table of five-card draw where this happened."""
    return lambda: draw_hands.table(lines)


def _nine() -> Bench:
    return draw_hands.table(draw_hands.NEW_STUB, seats=draw_hands.NINE)


def _away(stage: Stage) -> None:
    stage.controller.stop()


def _tilted(stage: Stage) -> None:
    reason = "/var/lib/tablectl/mesa-1/table.db: record 66 could not be written: database or disk is full"
    leave(
        Mark(kind=TiltKind.DISK_FULL, reason=reason, at="2026-11-21T22:46:52.000000Z"),
        [stage.socket.with_suffix(".tilt")],
    )
    stage.controller.stop()


def _all_states(stage: Stage) -> None:
    stage.controller.report = healths.told(healths.ALL_STATES, troubles=["the thread panel-reader has not moved"])


def _croupier(
    state: str, waits: str, bench: Callable[[], Bench] = Bench, happens: Callable[[Stage], None] = _nothing
) -> Shown:
    return Shown(door="/croupier", state=state, waits=waits, bench=bench, happens=happens)


def _pit(state: str, waits: str, bench: Callable[[], Bench], happens: Callable[[Stage], None] = _nothing) -> Shown:
    return Shown(door="/pit", state=state, waits=waits, bench=bench, happens=happens, size=PIT)


def _recall(state: str, waits: str, hand: int) -> Shown:
    return Shown(
        door="/pit/hands/{hand}", state=state, waits=waits, at=f"/pit/hands/{hand}", bench=of_bonus(_MANY), size=PIT
    )


_DEAL: Final = hands.BETS + hands.HOLE_CARDS
_POKER: Final = hands.POKER_BETS + hands.STANDING + hands.POKER_DEAL
_MISDEAL: Final = _DEAL + "draw 9c\n"
_RULED: Final = _MISDEAL + "press seen\n"
_SETTLED: Final = _DEAL + hands.FLOP + hands.TO_THE_RIVER + "press bank\n"
_COMPLAINT: Final = "said shuffler mezcladora door-open\nsaid antennas felt-3 scan-failed 8\n"
_MANY: Final = hands.WHOLE + hands.VOID + hands.MID_HAND
_BETTING: Final = "press new-hand\nbet 1 ante 1000 bonus 500\n"
_VOID: Final = _RULED + "rule 1 void-hand by ana seen\n"
_SPEAKING: Final = circle_hands.BLINDS + circle_hands.CARDS
_LIST: Final = circle_hands.TO_THE_FLOP + "press incident"
_ASKED: Final = ".instruction h1"

SHOWN: Final = (
    Shown(door="/", state="choice", waits=".doors"),
    # the croupier, game by game
    _croupier("between-hands", ".key.live", of_bonus("")),
    _croupier("bets", "form.bets", of_bonus(_BETTING)),
    _croupier("dealing", "[data-due]", of_bonus(hands.BETS + "draw As\ndraw 7d")),
    _croupier("decision", ".seat.turn", of_bonus(_DEAL)),
    _croupier("refused", ".refusal", of_bonus(_DEAL + "press bank")),
    _croupier("held", ".instruction.held", of_bonus(_MISDEAL)),
    _croupier("ruling", ".instruction.held", of_bonus(_RULED)),
    _croupier("void", ".refunds", of_bonus(_VOID)),
    _croupier("settlement", ".settlement", of_bonus(_SETTLED)),
    _croupier("incidents", ".offer", of_bonus(_DEAL + "press incident")),
    _croupier("resume", ".resuming", of_bonus(hands.MID_HAND + "restart")),
    _croupier("complaint", ".notes li", of_bonus(_DEAL + _COMPLAINT)),
    _croupier("tilt", ".tilt-banner", of_bonus(hands.MID_HAND), _tilted),
    _croupier("away", "#lost-controller", of_bonus(_DEAL), _away),
    _croupier("demo", ".demo-key", lambda: Bench(demo=True)),
    _croupier("poker-bets", "form.bets", of_poker(hands.POKER_BETS + hands.STANDING)),
    _croupier("poker-decision", ".seat", of_poker(_POKER)),
    _croupier("poker-incidents", ".offer", of_poker(_POKER + "press incident")),
    _croupier("circle-people", "form.people", of_circle("")),
    _croupier("circle-speak", "form.sizes", of_circle(_SPEAKING)),
    _croupier("circle-showdown", _ASKED, of_circle(circle_hands.SHOWDOWN)),
    _croupier("circle-pots", ".deliver", of_circle(circle_hands.SHOWN)),
    _croupier("circle-incidents", ".offer", of_circle(_LIST)),
    _croupier("open-speak", "form.sizes", of_open(_SPEAKING)),
    _croupier("draw-opening", _ASKED, of_draw(draw_hands.CARDS)),
    _croupier("draw-change", _ASKED, of_draw(draw_hands.ASKED)),
    Shown(
        door="/croupier",
        state="draw-new-stub",
        waits=_ASKED,
        bench=_nine,
    ),
    # the pit boss
    _pit("at-play", ".card.face", of_bonus(_MANY)),
    Shown(
        door="/pit",
        state="held",
        waits=".held-banner",
        bench=of_bonus(hands.VOID + _RULED),
        size=PIT,
    ),
    Shown(
        door="/pit",
        state="void",
        waits=".held-banner.void",
        bench=of_bonus(_VOID),
        size=PIT,
    ),
    _pit("settlement", ".settlement", of_bonus(_SETTLED)),
    _pit("complaint", ".notes li", of_bonus(_MANY + _COMPLAINT)),
    _pit("poker", ".card", of_poker(_POKER)),
    _pit("circle", ".card", of_circle(circle_hands.TO_THE_FLOP)),
    _pit("circle-pots", ".deliver", of_circle(circle_hands.SHOWN)),
    _pit("open", ".card", of_open(circle_hands.TO_THE_FLOP)),
    _pit("draw", ".card", of_draw(draw_hands.SECOND)),
    _pit("resume", ".held-banner", of_bonus(hands.MID_HAND + "restart")),
    _pit("tilt", ".tilt-banner", of_bonus(_MANY), _tilted),
    _pit("away", "#lost-controller", of_bonus(_MANY), _away),
    # hands that are over
    Shown(door="/pit/hands", state="list", waits=".recall.list tbody tr", bench=of_bonus(_MANY), size=PIT),
    Shown(
        door="/pit/hands/{hand}", state="end", at="/pit/hands/1", waits=".card.face", bench=of_bonus(_MANY), size=PIT
    ),
    Shown(
        door="/pit/hands/{hand}", state="unknown", at="/pit/hands/99", waits=".nothing", bench=of_bonus(_MANY), size=PIT
    ),
    # the technician
    Shown(door="/technician", state="all-states", waits="article.health", happens=_all_states),
    Shown(door="/technician", state="no-answer", waits=".nothing", bench=of_bonus(""), happens=_away),
)
