"""The pit boss's screen in a real browser: alarms that sound, the shelf, statistics, limits, a hand by keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tablectl.journal.clock import now_us
from tablectl.people.sessions import IDLE_US
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.render import Pages
from tablectl.web.screens.web.watching import STREAM_US
from tests.screens import circle_hands, hands, healths
from tests.screens.browsing import CHROMIUM, Tabs, sign_on
from tests.screens.conftest import Screens
from tests.screens.controller import Bench, Controller, setup
from tests.screens.serving import serving
from tests.screens.signed_on import PASSWORD
from tests.screens.test_alarms import CALL
from tests.screens.test_browser import box_of, shot
from tests.screens.test_disks import FILLS, FULL

pytestmark = [
    pytest.mark.wide,
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}"),
]
#: How often the page calls while an alarm that can be acknowledged lasts.
SOUND_EVERY_MS: Final = 4000
SIZES: Final = ((1600, 1000), (1024, 600))
RULED: Final = hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen\n"
#: Counts the tones that a page makes, each beep being two.
COUNT_TONES: Final = """
const make = AudioContext.prototype.createOscillator;
let tones = 0;
AudioContext.prototype.createOscillator = function () {
  tones += 1;
  document.body.dataset.tones = "x".repeat(tones);
  return make.call(this);
};
"""


def opened(tabs: Tabs, url: str, path: str = "/pit", size: tuple[int, int] = SIZES[0], language: str = "es") -> Page:
    page = tabs.take(*size)
    page.goto(f"{url}{path}?lang={language}")
    return page


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_journal_that_was_put_back_sounds_on_the_pits_page_until_the_evidence_is_moved_away(
    tabs: Tabs, screens: Screens, language: str
) -> None:
    page = tabs.browser.new_page(viewport={"width": 390, "height": 844})
    sign_on(page, "pit-boss")
    page.add_init_script(COUNT_TONES)
    page.goto(f"{screens.url}/pit?lang={language}")
    page.locator(".now").click()
    expect(page.locator("#sound-hint")).to_be_hidden()
    # The first message of the stream carries every part of the page: it must not replace the banner put in below.
    expect(page.locator("body.followed .now")).to_be_visible()
    title = page.title()
    told = Pages().parts("pit", language, Picture(connected=True, rolled_back=Path("/evidence")))["tilt"]
    swap = "(told) => { document.querySelector('[data-part=\"tilt\"]').innerHTML = told; }"
    page.evaluate(swap, told)
    expect(page.locator("body")).to_have_attribute("data-tones", re.compile("^xxxx"))
    expect(page).to_have_title(re.compile("^⚠ 1"))
    for width, height in ((390, 844), (1024, 600), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert sticks_out(page) == []
        shot(page, f"rolled-back-{language}-{width}")
    page.evaluate(swap, "")
    expect(page).to_have_title(title)
    page.close()


@pytest.mark.parametrize("bench", [Bench(setup(staff=True))], ids=["staff"])
@pytest.mark.parametrize("language", ["es", "en"])
def test_two_persons_accept_a_journal_that_was_put_back_and_the_alarm_ends(
    tabs: Tabs, screens: Screens, language: str
) -> None:
    screens.controller.note("head-missing", to_seq=812, to_hash="7e" * 32, signature="", restored=0)
    page = tabs.take(390, 844, "pit-boss")
    page.goto(f"{screens.url}/pit?lang={language}")
    form = page.locator("[data-accept]")
    expect(form).to_be_visible()
    for width, height in ((390, 844), (1024, 600), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert sticks_out(page) == []
        shot(page, f"head-missing-{language}-{width}")
    form.locator("button").click()
    expect(page.locator("#second-person")).to_be_hidden()  # not without a reason
    form.locator('[name="reason"]').fill("the disk was exchanged")
    form.locator("button").click()
    page.locator("#second-name").fill("manager")
    page.locator("#second-secret").fill(PASSWORD)
    page.locator("#second-person .main").click()
    expect(form).to_have_count(0)
    expect(page.locator("[data-rolled-back]")).to_have_count(0)
    (fact,) = screens.controller.entered
    told = ("kind", "to_seq", "to_hash", "by", "second", "reason")
    assert [fact[name] for name in told] == [
        *("rollback-accepted", 812, "7e" * 32, "pit-boss", "manager", "the disk was exchanged")
    ]
    tabs.give_back(page)


@pytest.mark.parametrize("size", [(1280, 800), (1024, 600), (390, 844)])
def test_a_disk_that_fills_is_said_whole_and_one_that_is_almost_full_calls_once(
    tabs: Tabs, socket_path: Path, bench: Bench, size: tuple[int, int]
) -> None:
    page = tabs.browser.new_page(viewport={"width": size[0], "height": size[1]})
    sign_on(page, "pit-boss")
    page.add_init_script(COUNT_TONES)
    with Controller(socket_path, bench) as controller:
        controller.report = healths.told((), disks=(FULL, FILLS))
        with serving(socket_path) as url:
            page.goto(f"{url}/pit?lang=es")
            expect(page.locator("#disk-copy")).to_be_visible()
            page.locator(".now").click()
            expect(page.locator("body")).to_have_attribute("data-tones", "xx")
            expect(page).to_have_title(re.compile("^⚠ 1"))
            notice = page.locator(".demo-key")
            expect(notice).to_contain_text("51,0 GB libres, 29 días")
            is_whole = "(line) => line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight"
            assert notice.evaluate(is_whole)
            assert sticks_out(page) == []
            page.wait_for_timeout(SOUND_EVERY_MS + 500)
            expect(page.locator("body")).to_have_attribute("data-tones", "xx")
            page.close()


def sticks_out(page: Page) -> list[str]:
    """What reaches over the right edge of the page."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1
                && !node.closest("svg, .hands, .devices, .scrolls"))
            .map((node) => node.outerHTML.slice(0, 80))"""
    )
    return found


def overlaps(page: Page, selector: str) -> list[str]:
    """Which of these lie over one another without one being in the other."""
    found: list[str] = page.evaluate(
        """(selector) => {
            const all = [...document.querySelectorAll(selector)].filter((node) => node.checkVisibility());
            const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
                && b.top < a.bottom - 1;
            return all.flatMap((one, n) => all.slice(n + 1)
                .filter((other) => !one.contains(other) && !other.contains(one)
                    && over(one.getBoundingClientRect(), other.getBoundingClientRect()))
                .map((other) => `${one.textContent.trim()} / ${other.textContent.trim()}`));
        }""",
        selector,
    )
    return found


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("size", [(1280, 900), (1024, 768), (1920, 1080)])
def test_whoever_has_to_rule_sees_what_was_seen_and_every_remedy_without_a_scroll(
    tabs: Tabs, screens: Screens, size: tuple[int, int], language: str
) -> None:
    screens.controller.lines("croupier ana\n" + hands.DEVICES + RULED)
    page = opened(tabs, screens.url, size=size, language=language)
    expect(page.locator("article.ruling .answered")).to_be_visible()
    assert sticks_out(page) == []
    lowest = page.locator(".pit aside").evaluate("(aside) => aside.getBoundingClientRect().bottom")
    shown = page.locator("article.ruling :is(h3, .happened, blockquote, .reason input, .remedies li, .remedies p)")
    ends = shown.evaluate_all("(all) => all.map((node) => node.getBoundingClientRect().bottom)")
    assert len(ends) == 9
    assert max(ends) <= lowest
    tops = page.locator(".status .device").evaluate_all("(all) => all.map((node) => node.getBoundingClientRect().top)")
    assert len(set(tops)) == 1, "devices stand beside one another"
    assert overlaps(page, "header.status > *, header.status .device") == []
    tabs.give_back(page)


def test_an_alarm_sounds_and_flashes_until_it_is_acknowledged_and_the_sound_can_be_muted(
    tabs: Tabs, screens: Screens
) -> None:
    page = tabs.browser.new_page()
    sign_on(page)
    page.add_init_script(COUNT_TONES)
    page.goto(f"{screens.url}/pit?lang=en")
    title = page.title()
    expect(page.locator("#sound-hint")).to_be_visible()
    page.locator(".now").click()
    expect(page.locator("#sound-hint")).to_be_hidden()
    screens.controller.lines(CALL)
    expect(page.locator("body")).to_have_attribute("data-tones", re.compile("^xx"))
    expect(page).to_have_title(re.compile("^⚠ 1"))
    expect(page.locator("body")).to_have_attribute("data-tones", re.compile("^xxxx"))
    page.locator("#sound-switch").click()
    expect(page.locator("#sound-switch")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#sound-switch")).to_contain_text("off")
    page.reload()
    expect(page.locator("#sound-switch")).to_have_attribute("aria-pressed", "false")
    expect(page).to_have_title(re.compile("^⚠ 1"))
    page.locator('[data-act="acknowledge"]').click()
    expect(page.locator(".group.of-acknowledged")).to_have_count(1)
    expect(page.locator(".group.of-acknowledged .seen")).to_contain_text("Acknowledged by")
    expect(page).to_have_title(title)
    page.close()


def test_one_touch_acknowledges_all_alarms_that_are_over(tabs: Tabs, screens: Screens) -> None:
    lost = "lost panel xkeys cable\nback panel xkeys\nlost shoe angel-eye cable\nback shoe angel-eye\n"
    screens.controller.lines(hands.DEVICES + lost + "lost shuffler mixer cable")
    page = opened(tabs, screens.url)
    expect(page.locator(".of-returned article")).to_have_count(2)
    shot(page, "pit-all-gone")
    page.locator("[data-acknowledge-gone]").click()
    expect(page.locator(".of-returned")).to_have_count(0)
    expect(page.locator(".of-unacknowledged article")).to_have_count(1)
    said = [fact for fact in screens.controller.entered if fact["kind"] == "acknowledged"]
    assert [(fact["incident"], fact["alarm"], fact["by"]) for fact in said] == [
        (1, "", "everybody"),
        (0, "device-xkeys", "everybody"),
    ]
    tabs.give_back(page)


def walked_away(screens: Screens, name: str) -> None:
    """Nobody touched anything at this person's desk for as long as the house says."""
    screens.people.file.write("UPDATE sessions SET active_us = ? WHERE name = ?", now_us() - IDLE_US, name)


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_page_left_alone_goes_on_sounding_and_whoever_comes_back_signs_on_to_act(
    tabs: Tabs, screens: Screens, language: str
) -> None:
    page = tabs.browser.new_page(viewport={"width": 1280, "height": 800})
    sign_on(page, "pit-boss")
    page.add_init_script(COUNT_TONES)
    page.goto(f"{screens.url}/pit?lang={language}")
    page.locator(".now").click()
    expect(page.locator("#sound-hint")).to_be_hidden()
    walked_away(screens, "pit-boss")
    expect(page.locator(".session-over")).to_be_visible()
    expect(page.locator(".overview .more")).to_have_count(0)
    screens.controller.lines(hands.DEVICES + RULED + "lost light tower cable")
    expect(page.locator("article.incident h3")).to_have_count(2)
    expect(page.locator("body")).to_have_attribute("data-tones", re.compile("^xxxx"))
    expect(page).to_have_title(re.compile("^⚠ 1"))
    assert page.locator("main button, main input, main form").count() == 0
    assert sticks_out(page) == []
    shot(page, f"alarms-only-{language}")
    page.set_viewport_size({"width": 390, "height": 844})
    assert sticks_out(page) == []
    shot(page, f"alarms-only-{language}-390")
    page.locator(".session-over a.main").click()
    page.fill("#name", "pit-boss")
    page.fill("#password", PASSWORD)
    page.locator(".desk-side button").click()
    expect(page.locator("article.ruling button").first).to_be_visible()
    expect(page.locator(".session-over")).to_have_count(0)
    page.close()


def test_what_was_begun_to_be_signed_closes_when_time_ends_the_session(tabs: Tabs, screens: Screens) -> None:
    page = tabs.take(1280, 800, person="pit-boss")
    page.goto(f"{screens.url}/pit?lang=es")
    page.locator("#second-person").evaluate("(dialog) => dialog.showModal()")
    walked_away(screens, "pit-boss")
    expect(page.locator(".session-over")).to_be_visible()
    expect(page.locator("#second-person")).to_be_hidden()
    tabs.give_back(page)


def test_a_page_that_may_not_sound_says_so_when_only_the_alarms_are_left(tabs: Tabs, screens: Screens) -> None:
    page = tabs.browser.new_page(viewport={"width": 1280, "height": 800})
    sign_on(page, "pit-boss")
    walked_away(screens, "pit-boss")
    page.goto(f"{screens.url}/pit?lang=es")
    expect(page.locator("#sound-hint")).to_be_visible()
    expect(page.locator("#sound-hint")).to_contain_text("Pulse en cualquier sitio")
    shot(page, "alarms-only-silent")
    page.locator(".session-over h1").click()
    expect(page.locator("#sound-hint")).to_be_hidden()
    page.close()


def test_a_sign_on_page_that_is_left_goes_back_to_the_alarms(tabs: Tabs, screens: Screens) -> None:
    page = tabs.browser.new_page()
    page.clock.install()
    sign_on(page, "pit-boss")
    walked_away(screens, "pit-boss")
    page.goto(f"{screens.url}/pit?lang=es")
    page.locator(".session-over a.main").click()
    expect(page.locator("#name")).to_be_visible()
    page.wait_for_load_state()  # the field is there before the script that counts the time
    page.clock.fast_forward(59_000)
    page.fill("#name", "pit")
    page.clock.fast_forward(59_000)
    expect(page.locator("#name")).to_have_value("pit")
    page.clock.fast_forward(2_000)
    expect(page.locator(".session-over")).to_be_visible()
    page.close()


def test_a_stream_that_has_to_ask_anew_does_so_unseen(tabs: Tabs, screens: Screens) -> None:
    page = tabs.take(1280, 800, person="pit-boss")
    page.goto(f"{screens.url}/pit?lang=es")
    expect(page.locator("body.followed")).to_be_visible()
    page.evaluate(
        "new MutationObserver(([{ target }]) => { if (!target.hidden) document.body.dataset.lost = 'yes'; })"
        ".observe(document.getElementById('lost-page'), { attributes: true, attributeFilter: ['hidden'] })"
    )
    with page.expect_request("**/events?page=pit*"):
        screens.people.now_us = lambda: now_us() + STREAM_US
    screens.controller.line("press new-hand")
    expect(page.locator(".tile .is")).to_contain_text("Jugando")
    assert page.evaluate("document.body.dataset.lost") is None
    tabs.give_back(page)


def test_the_shelf_is_asked_with_its_minutes_and_its_reason(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + "lost light tower cable")
    page = opened(tabs, screens.url)
    alarm = page.locator('[data-alarm="device-tower"]')
    alarm.locator("summary").click()
    alarm.locator("select").select_option("30")
    alarm.locator("form button").click()
    assert alarm.locator("input").evaluate("input => input.validity.valueMissing"), "no shelf without a reason"
    alarm.locator("input").fill("bombilla pedida")
    screens.controller.line("press new-hand")
    expect(page.locator(".tile .is")).to_contain_text("Jugando")
    expect(alarm.locator("input")).to_have_value("bombilla pedida")
    with page.expect_request("**/enter*") as sent:
        alarm.locator("form button").click()
    assert sent.value.post_data_json == {
        "page": "pit",
        "act": "shelve",
        "alarm": "device-tower",
        "minutes": 30,
        "reason": "bombilla pedida",
    }
    tabs.give_back(page)


def test_the_first_press_that_lets_the_page_sound_moves_nothing_under_the_finger(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + "lost light tower cable")
    page = opened(tabs, screens.url)
    summary = page.locator('[data-alarm="device-tower"] summary')
    expect(page.locator("#sound-hint")).to_be_visible()
    summary.hover()
    before = summary.bounding_box()
    page.mouse.down()
    page.evaluate("() => new Promise((done) => setTimeout(done, 300))")
    assert summary.bounding_box() == before
    page.mouse.up()
    expect(page.locator('[data-alarm="device-tower"] details')).to_have_attribute("open", "")
    expect(page.locator("#sound-hint")).to_be_hidden()
    tabs.give_back(page)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("size", SIZES)
def test_the_pit_page_fits_its_screen(tabs: Tabs, screens: Screens, size: tuple[int, int], language: str) -> None:
    screens.controller.lines(hands.DEVICES + hands.WHOLE + CALL + "lost light tower cable")
    page = opened(tabs, screens.url, size=size, language=language)
    expect(page.locator(".tile.held")).to_be_visible()
    assert sticks_out(page) == []
    assert overlaps(page, "header.status > *, header.status .device") == []
    table = box_of(page, ".felt .table")
    assert table["height"] > 200, "the felt is there on a low screen too"
    assert table["y"] + table["height"] <= size[1]
    tabs.give_back(page)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("size", [pytest.param(SIZES[0], marks=pytest.mark.slow), SIZES[1]])
@pytest.mark.parametrize("path", ["/pit/statistics", "/pit/limits", "/pit/float", "/pit/hands/1"])
def test_a_page_behind_the_felt_fits_its_screen(
    tabs: Tabs, screens: Screens, path: str, size: tuple[int, int], language: str
) -> None:
    screens.controller.lines(hands.DEVICES + hands.VOID + hands.WHOLE)
    page = opened(tabs, screens.url, path, size, language)
    expect(page.locator("main")).to_be_visible()
    assert sticks_out(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    tabs.give_back(page)


def test_plots_are_drawn_in_the_page_and_on_white_paper(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.DEVICES + hands.VOID + hands.WHOLE)
    page = opened(tabs, screens.url, "/pit/statistics")
    for _ in range(100):
        if page.locator('[data-plot="phases"] svg').count():
            break
        page.wait_for_timeout(100)
        page.reload()
    bar = page.locator('[data-plot="phases"] svg rect').first
    fill = bar.evaluate("node => node.getBoundingClientRect().width > 10 && getComputedStyle(node).fill")
    assert fill not in {False, "rgb(0, 0, 0)"}, "it has the colour of the style sheet"
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    text = page.locator('[data-plot="phases"] svg text').first
    assert text.evaluate("node => getComputedStyle(node).fill") == "rgb(0, 0, 0)"
    expect(page.locator(".filters")).to_be_hidden()
    page.emulate_media(media="screen")
    tabs.give_back(page)


def test_filters_lead_to_an_address(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.VOID + hands.WHOLE)
    page = opened(tabs, screens.url, "/pit/statistics", language="en")
    page.locator("select[name=day]").select_option("all")
    page.locator("select[name=shift]").select_option("2")
    page.locator(".filters button").click()
    expect(page).to_have_url(re.compile(r"\?day=all&shift=2$"))
    expect(page.locator("select[name=shift]")).to_have_value("2")
    tabs.give_back(page)


def _press(page: Page, key: str) -> None:
    """A key that leads to another step; the next one is pressed on the page of that step."""
    with page.expect_navigation():
        page.keyboard.press(key)


def test_a_hand_is_gone_through_card_by_card_with_keys_and_with_a_finger(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(hands.WHOLE)
    page = opened(tabs, screens.url, "/pit/hands/1")
    cards, number = page.locator(".felt .card"), page.locator(".recall .number")
    expect(cards).to_have_count(14)
    _press(page, "Home")
    expect(number).to_contain_text("Paso 1 de")
    for count in (1, 2, 3):
        _press(page, "ArrowRight")
        expect(cards).to_have_count(count)
    expect(page.locator(".felt .card.face")).to_have_count(0)
    expect(page.locator(".felt .card .sealed")).to_have_count(3)
    _press(page, "ArrowLeft")
    expect(cards).to_have_count(2)
    _press(page, "Shift+ArrowLeft")
    expect(cards).to_have_count(1)
    felt = page.locator(".recall .felt").bounding_box()
    assert felt is not None
    middle = felt["y"] + felt["height"] / 2
    page.mouse.move(felt["x"] + 500, middle)
    page.mouse.down()
    page.mouse.move(felt["x"] + 300, middle + 10)
    with page.expect_navigation():
        page.mouse.up()
    expect(cards).to_have_count(2)
    _press(page, "End")
    expect(cards).to_have_count(14)
    tabs.give_back(page)


def test_new_limits_are_sent_with_the_second_person_and_only_those_that_changed(tabs: Tabs, screens: Screens) -> None:
    page = opened(tabs, screens.url, "/pit/limits")
    page.locator(".house-limits button.main").click()
    expect(page.locator(".nothing-new")).to_be_visible()
    page.locator('tr[data-bet="ante"] input[name="most"]').fill("200")
    page.locator(".house-limits button.main").click()
    expect(page.locator(".nothing-new")).to_be_hidden()
    page.locator('input[name="second-name"]').fill("luis")
    page.locator('input[name="second-secret"]').fill("tres tristes tigres")
    with page.expect_request("**/enter*") as sent:
        page.locator(".house-limits button.main").click()
    assert sent.value.post_data_json == {
        "page": "pit",
        "act": "limits",
        "limits": {"ante": {"least": "5", "most": "200"}},
        "second": {"name": "luis", "secret": "tres tristes tigres"},
    }
    expect(page.locator('input[name="second-secret"]')).to_have_value("")
    tabs.give_back(page)


def test_a_fill_is_sent_and_stands_on_the_page_after_it(tabs: Tabs, screens: Screens) -> None:
    screens.controller.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    page = opened(tabs, screens.url, "/pit/float", language="en")
    expect(page.locator(".sum")).to_have_text("€1,000")
    page.locator("form button.main").click()
    expect(page.locator("tr[data-seq]")).to_have_count(1)
    page.locator('select[name="what"]').select_option("fill")
    page.locator('input[name="amount"]').fill("2.50")
    with page.expect_request("**/enter*") as sent, page.expect_navigation():
        page.locator("form button.main").click()
    assert sent.value.post_data_json == {"page": "pit", "act": "float", "what": "fill", "amount": "2.50"}
    expect(page.locator(".sum")).to_have_text("€1,002.50")
    expect(page.locator("tr[data-seq]")).to_have_count(2)
    tabs.give_back(page)


def test_chips_are_counted_added_up_and_printed_as_a_form(tabs: Tabs, socket_path: Path) -> None:
    with Controller(socket_path, of_house()) as controller, serving(socket_path) as url:
        page = opened(tabs, url, "/pit/float")
        page.locator("select[name=what]").select_option("opening")
        page.locator('input[data-value="500"]').fill("40")
        page.locator('input[data-value="2500"]').fill("20")
        expect(page.locator("output[data-total]")).to_have_text("700 €")
        expect(page.locator('output[data-sum="500"]')).to_have_text("200 €")
        page.locator('input[data-value="500"]').fill("4x")
        expect(page.locator("output[data-total]")).to_have_text("—")
        page.locator('input[data-value="500"]').fill("40")
        expect(page.locator("output[data-total]")).to_have_text("700 €")
        with page.expect_navigation():
            page.locator("form button.main").click()
        expect(page.locator(".sum")).to_have_text("700 €")
        assert controller.entered[-1]["chips"] == [{"value": 500, "count": 40}, {"value": 2500, "count": 20}]
        page.locator("tr[data-seq] a").click()
        expect(page.locator(".slip h1")).to_have_text("Anticipo")
        page.emulate_media(media="print")
        expect(page.locator("[data-print]")).to_be_hidden()
        expect(page.locator("header.status")).to_be_hidden()
        expect(page.locator(".slip .total td")).to_have_text("700 €")
        page.emulate_media(media="screen")
        tabs.give_back(page)


def of_house() -> Bench:
    """A table of a house that counts by denomination."""
    bench = Bench()
    bench.house = {"denominations": [100, 500, 2500]}
    return bench


def folded_by_mistake(tabs: Tabs, screens: Screens) -> tuple[Page, int]:
    """The page of corrections once it has the fold that was entered last, and the number of that entry."""
    if screens.bench.setup.staff:
        screens.controller.line("croupier ana")
    before = len(screens.bench.records)
    screens.controller.lines(hands.BETS + hands.HOLE_CARDS + "press fold")
    number = len(screens.bench.records) - before
    page = opened(tabs, screens.url, "/pit/corrections", language="en")
    # The page is made once, of what the screens have followed so far: they may not have the last entry yet.
    for _ in range(100):
        if page.locator(f'input[name="number"][value="{number}"]').count():
            break
        page.wait_for_timeout(100)
        page.reload()
    expect(page.locator("#lost-page")).to_be_hidden()
    return page, number


def look_at_a_bet_instead(page: Page) -> None:
    page.locator('input[name="number"]').first.check()
    page.locator('select[name="instead"]').select_option(label="Bet")
    expect(page.locator(".signed")).to_be_hidden()
    page.locator('input[name="reason"]').fill("misheard")
    page.locator("button.look").click()


@pytest.mark.parametrize("bench", [Bench(setup(staff=True))], ids=["staff"])
def test_what_follows_from_a_correction_is_seen_before_it_is_signed(tabs: Tabs, screens: Screens) -> None:
    page, number = folded_by_mistake(tabs, screens)
    look_at_a_bet_instead(page)
    expect(page.locator('[data-list="gone"] li')).to_have_text("Seat 1 folds.")
    expect(page.locator('[data-list="gone"] li .first')).to_have_css("text-decoration-line", "line-through")
    page.locator('input[name="second-name"]').fill("croupier")
    page.locator('input[name="second-secret"]').fill(PASSWORD)
    page.locator(".signed button.main").click()
    page.wait_for_url("**/pit")
    fact = screens.controller.entered[-1]
    assert (fact["kind"], fact["number"], fact["instead"]["key"]) == ("corrected", number, "bet")
    tabs.give_back(page)


def test_where_the_house_knows_nobody_the_croupier_calls_and_the_pit_boss_corrects(
    tabs: Tabs, screens: Screens
) -> None:
    """Two keys stand for two persons (rulings, "Who confirms")."""
    page, number = folded_by_mistake(tabs, screens)
    look_at_a_bet_instead(page)
    expect(page.locator('input[name="second-name"]')).to_have_count(0)
    page.locator(".signed button.main").click()
    expect(page.locator("#said")).to_contain_text("The croupier calls the pit boss with his key first")
    screens.controller.line("call by croupier")
    page.locator(".signed button.main").click()
    page.wait_for_url("**/pit")
    fact = screens.controller.entered[-1]
    assert (fact["number"], fact["by"], fact["second"]) == (number, "everybody", "")
    tabs.give_back(page)


def test_another_choice_has_to_be_looked_at_anew(tabs: Tabs, screens: Screens) -> None:
    page, _ = folded_by_mistake(tabs, screens)
    page.locator('input[name="number"]').first.check()
    page.locator('input[name="reason"]').fill("misheard")
    page.locator("button.look").click()
    expect(page.locator(".signed")).to_be_visible()
    page.locator('select[name="instead"]').select_option(label="Bet")
    expect(page.locator(".signed")).to_be_hidden()
    tabs.give_back(page)


@pytest.mark.parametrize("bench", [circle_hands.table(staff=True)], ids=["staff"])
def test_thl_sdn_8_pit_boss_and_croupier_move_chips_for_a_claim_that_was_upheld(tabs: Tabs, screens: Screens) -> None:
    screens.controller.lines(
        f"{circle_hands.BLINDS}{circle_hands.CARDS}act 4 fold\nact 6 fold\nact 8 fold\nact 1 fold\npress confirm\n"
        "declare claim seat-1\nrule 1 correct by pit-boss+croupier as she saw it\n"
    )
    page = opened(tabs, screens.url, "/pit", language="en")
    page.locator(".upheld a").click()
    form = page.locator("[data-transfer]")
    form.locator('[name="giver"]').select_option("2")
    form.locator('[name="taker"]').select_option("1")
    form.locator('[name="amount"]').fill("1")
    form.locator('[name="second-name"]').fill("croupier")
    form.locator('[name="second-secret"]').fill(PASSWORD)
    form.locator("button.main").click()
    page.wait_for_url("**seq=*")
    expect(form.locator('[name="giver"] option').first).to_have_text("Seat 1 · €200")
    fact = screens.controller.entered[-1]
    told = ("kind", "incident", "giver", "taker", "amount", "by", "second")
    assert [fact[name] for name in told] == ["transferred", 1, 2, 1, 100, "everybody", "croupier"]
    tabs.give_back(page)
