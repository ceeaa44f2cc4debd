"""Every page in every state that is looked at: by axe, at the size of a finger, with a keyboard, and for its picture.

One line a page and state in `SHOWN`; a page that is new needs no more than that. Where it is looked at (a table at
play, one with an auditor, one with a technician, a table for training) is in `stages.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Final

import pytest
from _pytest.mark import ParameterSet
from playwright.sync_api import Page, expect

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.roles import Role
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.clock import now_us
from tablectl.journal.tilt import Mark, TiltKind, leave
from tablectl.people.administration import Administration, By
from tablectl.people.people import People
from tests.screens import circle_hands, draw_hands, hands, healths
from tests.screens.audited_table import PRIVATE, pem
from tests.screens.browsing import Tabs, sign_on
from tests.screens.controller import START_US, Bench, poker, setup
from tests.screens.signed_on import EVERYBODY, PASSWORD, PIN
from tests.screens.stages import (
    SHOWN_FOLDER,
    Happening,
    Play,
    Setting,
    Stages,
    at_play,
    audited,
    counted,
    in_training,
    workshop,
)

#: How large a page is looked at; the croupier's at its smallest, too.
CROUPIER: Final = (1280, 800)
CROUPIER_SMALL: Final = (1024, 600)
PIT: Final = (1600, 1000)
#: What is looked at all evening.
ALL_EVENING: Final = frozenset({"/croupier", "/pit", "/sign-on"})
#: As long as what happened at a shown table takes, and less than anything is shelved for, in microseconds.
AN_EVENING_US: Final = 10 * 60 * 1_000_000
#: Nobody is signed on.
NOBODY: Final = ""
#: Whose the pages below an address are.
_WHOSE: Final = {
    "croupier": "croupier",
    "pit": "pit-boss",
    "technician": "technician",
    "auditor": "auditor",
    "people": "manager",
}
_A_TABLE: Final = at_play()
#: How often, and how long after one another, a page is asked for that does not renew itself.
_TRIES: Final = 40
_AGAIN_MS: Final = 250.0
#: The folder of a test, where a page names it, is that of a table.
_RENAME: Final = """([from, to]) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(from, to);
}"""


def _nothing(_page: Page) -> None:
    """The page is looked at as it opens."""


def _ask_again(page: Page, waits: str) -> None:
    """The screens hear of a record a moment after the table, and a page that follows nothing does not renew itself."""
    for _ in range(_TRIES):
        if page.locator(waits).first.is_visible():
            return
        page.wait_for_timeout(_AGAIN_MS)
        page.reload()


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """A page in a state. `path` is that of its guarded route, `at` the address where that has parameters; `person`
    looks at it, where it is another one than whose page it is, and does `acts` there; `waits` finds what is there only
    in this state."""

    path: str
    state: str
    waits: str
    setting: Setting = _A_TABLE
    at: str = ""
    person: str | None = None
    acts: Callable[[Page], None] = _nothing
    size: tuple[int, int] = CROUPIER

    @property
    def name(self) -> str:
        """As its picture is called, without the language."""
        words = [part.strip("{}").partition(":")[0] for part in self.path.split("/") if part]
        return "-".join([*(words or ["index"]), self.state])

    @property
    def who(self) -> str:
        """Who looks at it."""
        return _WHOSE.get(self.path.split("/")[1], EVERYBODY) if self.person is None else self.person

    @contextmanager
    def opened(
        self, tabs: Tabs, stages: Stages, size: tuple[int, int] | None = None
    ) -> Iterator[Callable[[str], Page]]:
        """What opens the page in a language, in place of the one in the language before."""
        page = tabs.take(*(size or self.size), person=self.who)
        with stages.on(self.setting) as stage:
            page.set_extra_http_headers(dict(stage.headers))
            n_opened = 0

            def page_in(language: str) -> Page:
                nonlocal n_opened
                page.goto("about:blank")
                if self.who:
                    stage.sign_on(self.who)
                    sign_on(page, self.who)
                stage.ready()
                page.goto(f"{stage.url}{self.at or self.path}?lang={language}")
                if not n_opened:
                    stage.happens()
                n_opened += 1
                if page.locator("[data-part]").count():
                    expect(page.locator("body.followed")).to_have_count(1)
                elif self.acts is _nothing:
                    _ask_again(page, self.waits)
                self.acts(page)
                expect(page.locator(self.waits).first).to_be_visible()
                if stage.folder:
                    page.evaluate(_RENAME, [stage.folder, SHOWN_FOLDER])
                return page

            yield page_in
            page.set_extra_http_headers({})
            tabs.give_back(page)


# --- what happens -----------------------------------------------------------------------------------------------------


def of_bonus(lines: str, *, just_now: bool = False) -> Callable[[], Bench]:
    """A table of Texas Hold'em Bonus where this happened; `just_now`: a moment ago, where something still lasts."""

    def made() -> Bench:
        bench = Bench(setup(), start_us=now_us() - AN_EVENING_US if just_now else START_US)
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


def _of_staff(lines: str) -> Callable[[], Bench]:
    """A table of Texas Hold'em Bonus where no hand begins without a croupier."""

    def made() -> Bench:
        bench = Bench(setup(staff=True))
        bench.lines(hands.DEVICES + lines)
        return bench

    return made


def _counted_tray(bench: Bench, amount: int, expected: int | None) -> None:
    bench.note("float-counted", amount=amount, expected=expected, by="ana", second="luis")


def _of_float() -> Bench:
    """A table of staff: counted at its opening, filled, a hand, counted with a difference, and a hand is in play."""
    bench = _of_staff("croupier ana\n")()
    _counted_tray(bench, 2_500_000, None)
    bench.note("float-filled", amount=500_000, by="ana", second="luis")
    bench.lines(hands.WHOLE)
    _counted_tray(bench, 2_985_500, 2_988_000)
    bench.note("float-credited", amount=200_000, by="manager", second="ana")
    bench.lines(hands.WHOLE + hands.MID_HAND)
    return bench


#: The record of its closing.
_CLOSED_AT: Final = 87


def _of_chips() -> Bench:
    """The same table of a house that counts by denomination, opened and closed."""
    bench = _of_float()
    bench.house = {"denominations": [100, 500, 2500, 10_000, 50_000], "timezone": "Europe/Madrid"}
    counted = [{"value": value, "count": count} for value, count in ((500, 496), (2500, 293), (10_000, 189))]
    bench.note(
        "float-counted",
        amount=2_870_500,
        expected=2_873_500,
        by="ana",
        second="luis",
        occasion="closing",
        chips=counted,
    )
    return bench


def _counts_chips(page: Page) -> None:
    """Some of the chips are counted already."""
    for value, count in (("10000", "189"), ("2500", "293")):
        page.locator(f'input[data-value="{value}"]').fill(count)
    expect(page.locator("output[data-total]")).to_have_text(re.compile("26[.,]225"))


def _of_croupiers() -> Bench:
    """Three croupiers, with some errors of the deal; one dealt little and erred often."""
    bench = Bench(setup(staff=True))
    for croupier, n_hands, n_errors in (("ana", 13, 1), ("luis", 9, 1), ("eva", 3, 3)):
        bench.line(f"croupier {croupier}")
        bench.lines(hands.WHOLE * n_hands + hands.VOID * n_errors)
    return bench


def _of_figures() -> Bench:
    """Some hands and an incident, and the tray was counted before and after them."""
    bench = Bench()
    _counted_tray(bench, 2_500_000, None)
    bench.lines(_COUNTED)
    _counted_tray(bench, 2_464_000, 2_464_000)
    return bench


def _of_presence() -> Bench:
    """A table without amounts: the tray was counted, and a hand was played."""
    bench = Bench(setup(tracking=Tracking.PRESENCE))
    _counted_tray(bench, 2_500_000, None)
    bench.lines(
        "press new-hand\npress seat-1\npress no-more-bets\ncall by croupier\n"
        "rule 1 void-hand by ana misdeal\npress confirm"
    )
    return bench


def _away(play: Play) -> None:
    play.controller.stop()


def _tilted(play: Play) -> None:
    reason = "/var/lib/tablectl/mesa-1/table.db: record 66 could not be written: database or disk is full"
    leave(
        Mark(kind=TiltKind.DISK_FULL, reason=reason, at="2026-11-21T22:46:52.000000Z"),
        [play.socket.with_suffix(".tilt")],
    )
    play.controller.stop()


def _all_states(play: Play) -> None:
    play.controller.report = healths.told(
        (*healths.ALL_STATES, healths.NEW_SHOE), troubles=["the thread panel-reader has not moved"]
    )


def _croupier(state: str, waits: str, bench: Callable[[], Bench] = Bench, happens: Happening | None = None) -> Shown:
    return Shown(path="/croupier", state=state, waits=waits, setting=at_play(bench, happens))


def _pit(state: str, waits: str, bench: Callable[[], Bench], happens: Happening | None = None) -> Shown:
    return Shown(path="/pit", state=state, waits=waits, setting=at_play(bench, happens), size=PIT)


def _float(state: str, waits: str, bench: Callable[[], Bench], happens: Happening | None = None) -> Shown:
    return Shown(path="/pit/float", state=state, waits=waits, setting=at_play(bench, happens), size=PIT)


def _form(state: str, waits: str, seq: int) -> Shown:
    address = f"/pit/float/{seq}"
    return Shown(
        path="/pit/float/{seq:int}", state=state, waits=waits, at=address, setting=at_play(_of_chips), size=PIT
    )


def _recall(state: str, waits: str, hand: int) -> Shown:
    setting = at_play(of_bonus(_MANY))
    return Shown(path="/pit/hands/{hand}", state=state, waits=waits, at=f"/pit/hands/{hand}", setting=setting, size=PIT)


def _auditor(
    page: str,
    state: str,
    waits: str,
    acts: Callable[[Page], None] = _nothing,
    *,
    at: str = "",
    setting: Setting = audited,
) -> Shown:
    return Shown(path=f"/auditor{page}", state=state, waits=waits, acts=acts, at=at, setting=setting)


def _technician(page: str, state: str, waits: str, acts: Callable[[Page], None] = _nothing) -> Shown:
    return Shown(path=f"/technician/{page}", state=state, waits=waits, acts=acts, setting=workshop)


# --- what is done on a page -------------------------------------------------------------------------------------------


def _house(people: People) -> None:
    """One account is shut, one has a badge, one waits for a secret of its own."""
    administration, by = Administration(people), By(name="manager")
    administration.set_disabled("technician", disabled=True, by=by)
    administration.add_badge("croupier", "0123456789abcdef" * 2, by=by)
    people.accounts.make("luis.b", display="Luis B.", roles=[Role.CROUPIER], password=people.hashing.made(PASSWORD))


def _wrong_password(page: Page) -> None:
    page.locator("#name").fill("pit-boss")
    page.locator("#password").fill("wrong")
    page.locator(".desk-side button").click()


def _pin(page: Page) -> None:
    page.locator(".tiles label", has_text="croupier").click()
    for digit in PIN:
        page.locator(f'[data-digit="{digit}"]').click()


def _pin_sent(page: Page) -> None:
    _pin(page)
    page.locator(".digits .go").click()


def _until_there(page: Page, what: str) -> None:
    for _ in range(200):
        if page.locator(what).count():
            return
        page.reload()


def _tilt_seen(page: Page) -> None:
    """A page where nothing is live says it when it is opened."""
    _until_there(page, ".tilt-banner")


def _nobody_tells(page: Page) -> None:
    """The controller is away."""
    _until_there(page, ".not-told")


def _button(page: Page) -> None:
    page.locator("main button").first.click()


def _one_time_password(page: Page) -> None:
    page.locator('[data-name="croupier"] form:has([value="reset"]) button').click()


def _second_person(page: Page) -> None:
    page.locator("#reason-1").fill("La antena mintió")
    page.locator("[data-second]").first.click()


def _shelf(page: Page) -> None:
    page.locator('[data-alarm="device-tower"] summary').click()


def _lamps(page: Page) -> None:
    page.locator('[data-test="panel"]').click()


def _enrolling(page: Page) -> None:
    page.locator("#deck").fill("green 7")
    page.keyboard.press("Enter")


def _hits(page: Page) -> None:
    page.locator("#f-kind").select_option("hand-closed")
    page.locator("[data-auditor=find] button.main").click()
    page.wait_for_url("**kind=hand-closed*")
    page.locator(".hit summary").first.click()


def _asked(page: Page) -> None:
    page.locator("#reason").fill("Reclamación 2026/17")
    page.keyboard.press("Enter")
    expect(page.locator("#to-sign")).to_contain_text('"hand":2')


def _signed(page: Page) -> None:
    _asked(page)
    page.locator("#key-text").fill(pem(PRIVATE))
    page.locator("#signing button").click()


def _verified(page: Page) -> None:
    if not page.locator(".verdict.intact").count():
        page.locator("main button").first.click()


def _archive(page: Page) -> None:
    if not page.locator("a[download]").count():
        page.locator("#first").fill("2")
        page.keyboard.press("Enter")


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
_COUNTED: Final = hands.DEVICES + hands.WHOLE + hands.VOID + hands.WHOLE + hands.WHOLE
_EXERCISE: Final = "texas-bonus/face-up-in-the-shoe"
_ASKED: Final = ".instruction h1"

_OVERRULED: Final = "croupier ana\n" + _DEAL + "draw As\n"
_ALARMS: Final = (
    _MANY
    + _COMPLAINT
    + "lost light tower cable\nlost panel panel unplugged\nshelve device-panel 60 by ana teclado pedido\n"
)
_SHOE_AND_BACK: Final = "lost shoe angel-eye cable\nback shoe angel-eye\n"
#: What is over, what was lost again and again, what the house does not allow, and what the rule resolved.
_OVER: Final = (
    f"{_SHOE_AND_BACK * 3}lost panel panel unplugged\nback panel panel\n{_VOID}usb plugged foreign 1234:abcd at 1-1\n"
)
_FOLDED: Final = "act 4 fold\nact 6 fold\nact 8 fold\nact 1 fold\npress confirm\n"
_UPHELD: Final = (
    f"{circle_hands.BLINDS}{circle_hands.CARDS}{_FOLDED}declare claim seat-1\nrule 1 correct by ana as she saw it\n"
)
_LIMITS: Final = "croupier ana\npress new-hand\nlimits ante=1000..20000 by pit-boss+manager\n"

#: One state of each page is looked at in every run; all of them in the slow set and whenever pictures are made.
OFTEN: Final = frozenset({"croupier-incidents", "croupier-circle-speak", "croupier-resume", "pit-held"})


def each_page(shown: Iterable[Shown]) -> list[ParameterSet]:
    """States as parameters: of each page the first one, and those that are unlike all others; the rest is slow. Of the
    pages that are not before the eyes of people at the table all evening they are wide."""
    paths: set[str] = set()
    found = []
    for state in shown:
        is_quick = state.path not in paths or state.name in OFTEN
        paths.add(state.path)
        quick = () if state.path in ALL_EVENING else pytest.mark.wide
        found.append(pytest.param(state, id=state.name, marks=quick if is_quick else pytest.mark.slow))
    return found


def each_page_and_language(shown: Iterable[Shown]) -> list[ParameterSet]:
    """States with the languages in which they are looked at: those of `each_page` in one language, the next one of them
    in the next; all others and the other languages are slow."""
    found, languages = [], cycle(LANGUAGES)
    for parameter_set in each_page(shown):
        state = next(value for value in parameter_set.values if isinstance(value, Shown))
        if pytest.mark.slow in parameter_set.marks:
            found.append(pytest.param(state, LANGUAGES, id=state.name, marks=pytest.mark.slow))
            continue
        chosen = next(languages)
        others = tuple(language for language in LANGUAGES if language != chosen)
        found.append(pytest.param(state, (chosen,), id=f"{state.name}-{chosen}", marks=parameter_set.marks))
        found.append(pytest.param(state, others, id=f"{state.name}-others", marks=pytest.mark.slow))
    return found


SHOWN: Final = (
    Shown(path="/", state="choice", waits=".screen-links"),
    Shown(path="/", state="nobody", waits=".screen-links", person=NOBODY),
    Shown(path="/", state="tilt", waits=".tilt-banner", acts=_tilt_seen, setting=at_play(happens=_tilted)),
    Shown(path="/", state="no-such-page", at="/zzz", waits="main.ask-once"),
    # people
    Shown(path="/sign-on", state="at-table", waits=".digits", person=NOBODY, acts=_pin),
    Shown(path="/sign-on", state="password", waits=".desk-side", person=NOBODY, setting=at_play(from_afar=True)),
    Shown(
        path="/sign-on",
        state="tilt",
        waits=".tilt-banner",
        person=NOBODY,
        acts=_tilt_seen,
        setting=at_play(happens=_tilted),
    ),
    Shown(path="/sign-on", state="refused", waits=".denied", person=NOBODY, acts=_wrong_password),
    Shown(
        path="/sign-on",
        state="not-told",
        waits="main.ask-once",
        person=NOBODY,
        acts=_pin_sent,
        setting=at_play(happens=_away),
    ),
    Shown(path="/sign-off", state="asked", waits="main.ask-once", person="croupier"),
    Shown(
        path="/sign-off",
        state="not-told",
        waits=".denied",
        person="croupier",
        acts=_button,
        setting=at_play(_of_staff("croupier croupier"), _away),
    ),
    Shown(path="/account", state="secrets", waits="main.account form", person="croupier"),
    Shown(path="/people", state="accounts", waits=".person", setting=at_play(people=_house)),
    Shown(path="/people", state="tilt", waits=".tilt-banner", acts=_tilt_seen, setting=at_play(happens=_tilted)),
    Shown(path="/people", state="one-time", waits=".given", acts=_one_time_password),
    Shown(path="/people", state="not-yours", waits="main.ask-once", person="croupier"),
    # the croupier, game by game
    _croupier("nobody", ".staff-line", _of_staff("")),
    _croupier("relief", "#next-at-table", _of_staff("croupier ana\n" + _DEAL + "croupier luis")),
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
    _croupier("draw-new-stub", _ASKED, _nine),
    # the pit boss
    _pit("at-play", ".card.face", of_bonus(_MANY)),
    _pit("held", ".held-banner", of_bonus(hands.VOID + _RULED)),
    _pit("void", ".held-banner.void", of_bonus(_VOID)),
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
    _pit("alarms", ".group.of-shelved", of_bonus(_ALARMS, just_now=True)),
    _pit("alarms-over", "[data-acknowledge-gone]", of_bonus(_OVER, just_now=True)),
    Shown(
        path="/pit",
        state="shelf",
        waits="form[data-shelve] button",
        acts=_shelf,
        setting=at_play(of_bonus(_ALARMS, just_now=True)),
        size=PIT,
    ),
    Shown(
        path="/pit",
        state="second-person",
        waits="#second-person[open]",
        acts=_second_person,
        setting=at_play(_of_staff(_OVERRULED)),
        size=PIT,
    ),
    # hands that are over
    Shown(path="/pit/hands", state="list", waits=".recall.list tbody tr", setting=at_play(of_bonus(_MANY)), size=PIT),
    _recall("end", ".card.face", 1),
    _recall("unknown", ".nothing", 99),
    Shown(path="/pit/statistics", state="figures", waits=".plot svg", setting=counted(_of_figures), size=PIT),
    Shown(
        path="/pit/statistics",
        state="croupiers",
        waits='[data-plot="croupiers"] svg',
        person="manager",
        setting=counted(_of_croupiers),
        size=PIT,
    ),
    Shown(path="/pit/statistics", state="none", waits=".figures", size=PIT),
    Shown(path="/pit/corrections", state="entries", waits=".entries label", setting=at_play(of_bonus(_DEAL)), size=PIT),
    Shown(
        path="/pit/corrections", state="claim", waits="[data-transfer]", setting=at_play(of_circle(_UPHELD)), size=PIT
    ),
    Shown(path="/pit", state="claim-upheld", waits=".upheld", setting=at_play(of_circle(_UPHELD)), size=PIT),
    Shown(path="/pit/limits", state="in-force", waits=".house-limits tbody tr", size=PIT),
    Shown(path="/pit/limits", state="waiting", waits=".coming", setting=at_play(_of_staff(_LIMITS)), size=PIT),
    _float("no-count", ".unknown", of_bonus("")),
    _float("expected", "tr[data-seq]", _of_float),
    _float("unknown", "p.unknown", _of_presence),
    Shown(
        path="/pit/float",
        state="chips",
        waits="table.chips output:not(:empty)",
        setting=at_play(_of_chips),
        acts=_counts_chips,
        size=PIT,
    ),
    _form("closing", ".slip .signs", _CLOSED_AT),
    Shown(
        path="/pit/float",
        state="no-answer",
        waits=".not-told",
        acts=_nobody_tells,
        setting=at_play(of_bonus(""), _away),
        size=PIT,
    ),
    # the technician
    Shown(path="/technician", state="all-states", waits="article.health", setting=at_play(happens=_all_states)),
    Shown(path="/technician", state="no-answer", waits=".nothing", setting=at_play(of_bonus(""), _away)),
    _technician("decks", "register", "tr[data-deck]"),
    _technician("decks", "enrolling", "#due-card", _enrolling),
    _technician("panel", "keys", ".panel-keys li"),
    _technician("panel", "testing", ".is-lit", _lamps),
    _technician("configuration", "checked", "main.tech h1"),
    _technician("software", "running", "main.tech h1"),
    _technician("traces", "recording", "[data-trace]"),
    Shown(path="/technician/software", state="no-answer", waits=".nothing", setting=at_play(happens=_away)),
    # the auditor
    _auditor("", "start", "dl.facts"),
    _auditor("", "no-files", "main.auditor", setting=_A_TABLE),
    _auditor("/verify", "ready", "[data-auditor]"),
    _auditor("/verify", "intact", ".verdict.intact", _verified),
    _auditor("/find", "newest", ".hit"),
    _auditor("/find", "hits", ".hit pre", _hits),
    _auditor("/open", "which", "#which"),
    _auditor("/open/{hand:int}", "to-sign", "#signing", _asked, at="/auditor/open/2"),
    _auditor("/open/{hand:int}", "cards", "#cards tbody tr", _signed, at="/auditor/open/2"),
    _auditor("/export", "ready", "[data-auditor]"),
    _auditor("/export", "made", "a[download]", _archive),
    _auditor("/access", "list", "tbody tr"),
    # training
    Shown(path="/", state="training", waits=".exercise", setting=in_training(_EXERCISE)),
    Shown(path="/training", state="exercise", waits=".spot .card", setting=in_training(_EXERCISE)),
    Shown(path="/training/result", state="score", waits=".score", setting=in_training(_EXERCISE)),
)
