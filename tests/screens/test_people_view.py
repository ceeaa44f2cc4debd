"""What a page can know of people: who deals, who follows, what takes two, what is put aside, which limits come."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.engine import facts as f
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.shelf import ShelfView
from tablectl.core.public_table.table import PublicTable, Span
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.texts import load_texts
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.screen_texts import ScreenTexts
from tests.engine.tables import lines, setup, table_of
from tests.screens.controller import Bench

TEXTS: Final = load_texts("tablectl.web.screens")
SETUP: Final = replace(
    setup("texas-bonus", staff=True), bands={"ante": f.Limits(least=100, most=3000), "bonus": f.Limits(least=1, most=9)}
)


def bench(text: str) -> Bench:
    made = Bench(SETUP)
    made.lines(text)
    return made


def view_of(made: Bench) -> PublicTable:
    view = PublicTable()
    for record in made.stream:
        view = fold(view, record)
    return view


def test_who_deals_and_who_follows() -> None:
    view = view_of(bench("croupier ana\npress new-hand\ncroupier luis"))
    assert (view.croupier, view.next_croupier) == ("ana", "luis")
    view = view_of(bench("croupier ana\npress new-hand\ncroupier luis\ncroupier-off luis"))
    assert (view.croupier, view.next_croupier) == ("ana", "")
    assert view_of(bench("croupier ana\ncroupier-off ana")).croupier == ""


def test_a_page_asks_for_a_croupier_and_lights_no_key() -> None:
    made = bench("press new-hand")
    view = view_of(made)
    assert view.prompt is not None
    assert (view.prompt.instruction, view.prompt.keys) == ("sign-on", ())
    for language in LANGUAGES:
        say = ScreenTexts(language=language, texts=TEXTS, rulebook="texas-bonus", table=table_info(made.greeting))
        assert say.instruction(view) == TEXTS.text("instruction", "sign-on", language)
        assert say.hint(view) == TEXTS.text("hint", "sign-on", language)
        assert view.refusal is not None
        assert say.refused(view.refusal) == TEXTS.text("refusal", "no-croupier", language)


def test_an_incident_says_what_takes_two_persons_and_who_they_were() -> None:
    before = "croupier ana\npress new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\ndraw As\n"
    (incident,) = view_of(bench(before)).alerts
    assert (incident.remedies, incident.two_persons) == (("void-hand", "next-card"), ("void-hand", "next-card"))
    made = bench(f"{before}rule 1 next-card by ana+luis the shoe repeats itself")
    (ruled,) = view_of(made).alerts
    assert (ruled.ruled_by, ruled.second) == ("ana", "luis")
    say = ScreenTexts(language="es", texts=TEXTS, rulebook="texas-bonus", table=table_info(made.greeting))
    assert "ana y luis" in say.decided(ruled)


def test_what_is_put_aside_until_when() -> None:
    made = bench("lost light light x\nshelve device-light 60 by ana lamp ordered")
    until_us = made.now_us - 1_000_000 + 3_600_000_000
    (shelf,) = view_of(made).shelved.values()
    assert shelf == ShelfView(alarm="device-light", until_us=shelf.until_us, by="ana", reason="lamp ordered")
    assert abs(shelf.until_us - until_us) < 60_000_000
    made.lines("back light light")
    assert not view_of(made).shelved


def test_a_stream_that_begins_with_the_end_of_a_hand_says_which_devices_nobody_acknowledged() -> None:
    table = table_of(SETUP)
    lines(
        table,
        "lost light tower x\nlost panel xkeys x\nback panel xkeys\nlost light old x\nacknowledge device-old by ana",
    )
    devices = view_of(Bench(carry=table.carry())).devices
    assert {(device.device, device.state, device.is_unseen) for device in devices.values()} == {
        ("tower", "lost", True),
        ("xkeys", "back", True),
    }


def test_limits_that_come_after_the_hand() -> None:
    made = bench("croupier ana\npress new-hand\nlimits ante=200..3000 by ana+luis")
    assert view_of(made).limits_waiting["ante"] == Span(least=200, most=3000)
    assert not view_of(bench("croupier ana\nlimits ante=200..3000 by ana+luis")).limits_waiting


def test_a_stream_that_begins_with_the_end_of_a_hand_says_it_too() -> None:
    table = table_of(SETUP)
    lines(table, "croupier ana\nlost light light x\nshelve device-light 60 by ana x")
    view = view_of(Bench(carry=table.carry()))
    assert (view.croupier, set(view.shelved)) == ("ana", {"device-light"})
