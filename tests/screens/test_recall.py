"""The last hands again, as pages: every step of each, the unfinished one too, and never a card that is sealed."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.table import Side
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.guard import HEADERS
from tablectl.web.screens.recall import HANDS_LISTED, NoRecall, Recalled, last_hands, one_hand, recalled
from tablectl.web.screens.render import Line, Pages, lines_of
from tests.journal.journals import each_hand
from tests.screens import hands
from tests.screens.conftest import Screens
from tests.screens.controller import Bench, Controller, records_of, setup
from tests.screens.serving import serving
from tests.screens.test_app import cards_in, events, following, get
from tests.screens.test_pages import plain

PAGES = Pages()


def hand_of(records: list[dict[str, Any]], bench: Bench, hand: int = 1) -> Recalled:
    return recalled(
        hand, table_info(bench.greeting), [decode_record(record) for record in records if record["hand"] == hand]
    )


def lines(found: Recalled, language: str) -> tuple[Line, ...]:
    return lines_of(found, (PAGES.texts(language, Picture(table=found.table)),))


def page(screens: Screens, hand: int | str, language: str = "es", **asked: object) -> str:
    params = {"lang": language, **{name: str(value) for name, value in asked.items()}}
    return get(f"{screens.url}/pit/hands/{hand}", params=params).text


# --- words ------------------------------------------------------------------------------------------------------------


@each_hand("path")
def test_every_hand_there_is_can_be_told_in_each_language(path: Path) -> None:
    """Both at once: it is the hand that takes the time, and not the words."""
    records = records_of(path.read_text(encoding="utf-8"))
    revealed = {reveal["card"] for entry in records for reveal in entry.get("reveals", ())}
    facts = [entry["fact"] for entry in records]
    named = {fact["card"] for fact in facts if fact["kind"] in ("named", "corrected")}
    for number in sorted({record["hand"] for record in records}):
        found = hand_of(records, Bench(), number)
        for line in (described for language in LANGUAGES for described in lines(found, language)):
            told = [*line.happened, *(text for texts, _ in line.followed for text in texts)]
            assert all(told)
            assert cards_in(" ; ".join(told)) <= revealed | named


def test_a_line_of_the_time_line_names_the_clause_it_follows_from(bench: Bench) -> None:
    bench.lines(hands.VOID)
    found = hand_of(bench.records, bench)
    raised = next(line for line in lines(found, "es") if line.followed and "INCIDENCIA" in line.followed[0][0][0])
    assert raised.happened == ("Tecla «Confirmar».",)
    (told,), clause = raised.followed[0]
    assert told.startswith("INCIDENCIA 1: Carta de la banca a la vista.")
    assert clause == "THB-ERR-1"
    assert found.clauses == ("THB-ERR-1",)


def test_amounts_of_the_time_line_are_in_the_currency_of_the_table_and_open_cards_have_names(bench: Bench) -> None:
    bench.lines(hands.WHOLE)
    told = [text for line in lines(hand_of(bench.records, bench), "en") for texts, _ in line.followed for text in texts]
    assert any(re.search(r"^Seat \d, \w+: (wins|loses).* \([+−]€\d+\)\.$", text) for text in told), told
    assert any("king of diamonds" in text for text in told)
    assert "4d" not in "".join(told)


def test_a_note_of_the_journal_leaves_the_table_as_it_was(bench: Bench) -> None:
    bench.lines(hands.BETS)
    bench.note("stopped", why="SIGTERM")
    found = hand_of(bench.records, bench)
    assert lines(found, "en")[-1].happened == ("The controller ends in order (SIGTERM).",)
    assert found.steps[-1].view.due == "seat-1.1"


def test_the_page_of_a_hand_names_the_programs_that_wrote_it(screens: Screens) -> None:
    screens.controller.lines(hands.MID_HAND)
    assert "no consta" in page(screens, 1)
    first, second = "ab" * 32, "cd" * 32
    marked = [{**record, "software": first if record["seq"] < 9 else second} for record in screens.bench.records]
    found = hand_of(marked, screens.bench)
    assert found.software == (first, second)
    text = PAGES.hand("es", Picture(table=found.table), found, found.steps[-1])
    assert re.findall(r"<code>(\w+)</code>", text) == [first, second]


# --- steps ------------------------------------------------------------------------------------------------------------


def test_a_hand_that_is_over_is_shown_as_it_lay_before_its_cards_were_collected(bench: Bench) -> None:
    bench.lines(hands.WHOLE)
    last = hand_of(bench.records, bench).steps[-1].view
    assert [card.code for card in last.at_spot("house")] == ["Qd", "Qh"]
    assert [card.side for card in last.at_spot("burn")] == [Side.BACK] * 3
    assert (last.drawn, last.phase) == (14, "closed")


def test_an_earlier_step_shows_the_felt_as_it_was_then(bench: Bench) -> None:
    bench.lines(hands.WHOLE)
    steps = hand_of(bench.records, bench).steps
    assert [step.view.drawn for step in steps] == sorted(step.view.drawn for step in steps)
    sixth = next(step for step in steps if step.view.drawn == 6)
    assert {card.side for card in sixth.view.cards.values()} == {Side.BACK}


@pytest.mark.parametrize(
    ("asked", "step"),
    [
        (None, 25),
        ("1", 1),
        ("7", 7),
        ("25", 25),
        ("0", 1),
        ("999", 25),
        ("-3", 25),
        ("x", 25),
        ("٣", 25),
        ("9" * 40, 25),
    ],
)
def test_an_address_names_a_step_or_means_the_last_one(bench: Bench, asked: str | None, step: int) -> None:
    bench.lines(hands.WHOLE)
    assert hand_of(bench.records, bench).step(asked).number == step


def test_with_presence_the_seats_of_the_hand_before_are_in_the_recalled_one(socket_path: Path) -> None:
    bench = Bench(setup(tracking=Tracking.PRESENCE))
    seated = "press new-hand\npress seat-1\npress seat-4\npress no-more-bets\ndraw As\ndraw 7d\ndraw Qd\n"
    bench.lines(seated + "declare bank-card-exposed\npress confirm\npress new-hand")
    with Controller(socket_path, bench):
        found = asyncio.run(one_hand(socket_path, "2"))
    assert {number for number, seat in found.steps[-1].view.seats.items() if seat.in_hand} == {1, 4}


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_names_the_last_hands_newest_first_with_a_link_to_each(screens: Screens, language: str) -> None:
    screens.controller.lines(hands.WHOLE + hands.VOID + hands.MID_HAND)
    text = get(f"{screens.url}/pit/hands", params={"lang": language}).text
    assert re.findall(r'<a href="/pit/hands/(\d+)"', text) == ["3", "2", "1"]
    rows = [plain(row) for row in re.findall(r"<tr class.*?</tr>", text, re.DOTALL)]
    assert {"es": "Sin terminar", "en": "Unfinished"}[language] in rows[0]
    assert rows[1].count("THB-ERR-1") == 2
    assert {"es": "Jugada", "en": "Played"}[language] in rows[2]


def test_no_more_hands_are_listed_than_fit(screens: Screens) -> None:
    screens.controller.lines(
        (hands.BETS + "draw As\ndraw 7d\ndraw Qd\ndeclare bank-card-exposed\npress confirm\n") * 22
    )
    text = get(f"{screens.url}/pit/hands").text
    listed = re.findall(r'data-hand="(\d+)"', text)
    assert listed == [str(hand) for hand in range(22, 22 - HANDS_LISTED, -1)]


def test_before_the_first_hand_the_list_says_that_there_is_none(screens: Screens) -> None:
    assert "Todavía no se ha abierto ninguna mano" in get(f"{screens.url}/pit/hands?lang=es").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_lead_through_a_hand_without_any_script(screens: Screens, language: str) -> None:
    screens.controller.lines(hands.WHOLE)
    text = page(screens, 1, language, step=7)
    ways = dict(re.findall(r'href="\?step=(\d+)" rel="(\w+)"', text))
    assert ways == {"1": "first", "6": "previous", "8": "next", "25": "last"}
    assert len(re.findall(r'<li[^>]* data-step="\d+"', text)) == 25
    assert re.search(r'class="here" aria-current="step" data-step="7"', text)
    assert re.findall(r'rel="(first|previous)"', page(screens, 1, language, step=1)) == []
    assert re.findall(r'rel="(next|last)"', page(screens, 1, language)) == []


def test_links_lead_to_the_hand_before_and_to_the_next_one_that_there_is(screens: Screens) -> None:
    screens.controller.lines(hands.WHOLE + hands.VOID + hands.MID_HAND)
    following(screens)
    near = {hand: re.findall(r'href="/pit/hands/(\d)" rel="(prev|next)"', page(screens, hand)) for hand in (1, 2, 3)}
    assert near == {1: [("2", "next")], 2: [("1", "prev"), ("3", "next")], 3: [("2", "prev")]}


def test_every_clause_that_is_cited_is_explained_on_the_page(screens: Screens) -> None:
    screens.controller.lines(hands.VOID)
    text = page(screens, 1)
    cited, explained = set(re.findall(r'href="#([A-Z0-9-]+)"', text)), set(re.findall(r'<div id="([A-Z0-9-]+)">', text))
    assert cited == explained == {"THB-ERR-1"}


@pytest.mark.parametrize("hand", ["4", "0", "999999999999999999999999", "-1", "abc", "٤", "<b>"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hand_that_there_is_not_gives_a_page_that_says_so(screens: Screens, hand: str, language: str) -> None:
    screens.controller.lines(hands.WHOLE)
    answer = get(f"{screens.url}/pit/hands/{hand}", params={"lang": language})
    assert answer.status_code == 404
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert {"es": "No hay ninguna mano", "en": "There is no hand"}[language] in answer.text
    assert "<b>" not in re.sub(r"<header.*?</header>", "", answer.text, flags=re.DOTALL)


@pytest.mark.parametrize("path", ["/pit/hands", "/pit/hands/1", "/pit/hands/1?step=3"])
def test_the_pages_are_guarded_as_the_others_are(screens: Screens, path: str) -> None:
    screens.controller.lines(hands.WHOLE)
    answer = get(f"{screens.url}{path}")
    assert answer.status_code == 200
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert re.findall(r"<script(?![^>]*\ssrc=)|\son[a-z]+=|\sstyle=|<style", answer.text) == []
    assert get(f"{screens.url}{path}", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize("path", ["/pit/hands", "/pit/hands/1"])
def test_without_a_controller_the_hands_cannot_be_reviewed_and_the_page_says_so(socket_path: Path, path: str) -> None:
    with serving(socket_path) as url:
        answer = get(f"{url}{path}", params={"lang": "en"})
    assert answer.status_code == 503
    assert "The hands cannot be reviewed now" in answer.text


def test_while_nobody_answers_what_was_heard_before_is_shown_and_said_to_be_that(screens: Screens) -> None:
    screens.controller.lines(hands.WHOLE + hands.VOID + hands.MID_HAND)
    following(screens)
    there = {hand: page(screens, hand) for hand in (1, 2, 3)}
    listed = get(f"{screens.url}/pit/hands").text
    screens.controller.stop()
    with events(screens.url, "pit") as stream:
        assert next(data for kind, data in stream if kind == "beat" and not data["controller"])
    note = re.compile(r'<p class="before">.*?</p>', re.DOTALL)
    again = [get(f"{screens.url}/pit/hands").text, *(page(screens, hand) for hand in there)]
    for before, after in zip([listed, *there.values()], again, strict=True):
        assert "Es lo que la pantalla oyó antes." in after
        assert plain(note.sub("", after)) == plain(before)
    assert get(f"{screens.url}/pit/hands/4").status_code == 404


# --- no sealed card ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lines", "sealed"), [(hands.WHOLE, {"4d", "2c", "8c"}), (hands.MID_HAND, None)])
def test_no_step_of_a_hand_shows_a_card_before_it_was_turned_up_or_ever_one_that_was_not(
    screens: Screens, lines: str, sealed: set[str] | None
) -> None:
    screens.controller.lines(lines)
    drawn = set(re.findall(r"draw (\w\w)", lines))
    shown: set[str] = set()
    listing = get(f"{screens.url}/pit/hands").text
    assert cards_in(listing) == set()
    for number, record in enumerate(screens.bench.records, start=1):
        shown |= {reveal["card"] for reveal in record["reveals"]}
        felt = page(screens, 1, "en", step=number).partition('<section class="time-line">')[0]
        assert cards_in(felt) <= shown
    for language in LANGUAGES:
        assert cards_in(page(screens, 1, language)) == shown
    assert sealed is None or drawn - shown == sealed


@pytest.mark.parametrize(("language", "word"), [("es", "SELLADA"), ("en", "SEALED")])
def test_a_back_says_that_it_is_sealed(screens: Screens, language: str, word: str) -> None:
    screens.controller.lines(hands.MID_HAND)
    text = page(screens, 1, language)
    assert text.count(f">{word}</text>") == 13
    assert len(re.findall(r'class="card back"', text)) == 13


# --- what is no hand --------------------------------------------------------------------------------------------------


def answering(socket_path: Path, *lines: bytes) -> Coroutine[Any, Any, asyncio.Server]:
    """A controller that answers anything with these bytes and hangs up."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.writelines(lines)
        await writer.drain()
        writer.close()

    return asyncio.start_unix_server(serve, socket_path)


def _answers() -> Iterator[tuple[bytes, ...]]:
    greeting = json.dumps({**Bench().greeting, "carried": []}).encode() + b"\n"
    end = b'{"end": true}\n'
    yield ()
    yield (b"no json\n",)
    yield (b"[]\n",)
    yield (b'{"ok": false, "error": "the journal cannot be read"}\n',)
    yield (greeting, end)
    yield (greeting, b'{"seq": 1}\n', end)
    yield (greeting, b'{"seq": 1, "at": "", "fact": {"kind": "opened"}, "decisions": [{"kind": "folded"}]}\n', end)
    yield (greeting, b'{"seq": 1, "at": "", "fact": {"kind": "opened"}, "decisions": []}\n')


@pytest.mark.parametrize("lines", list(_answers()))
def test_an_answer_that_is_no_hand_is_no_recall(socket_path: Path, lines: tuple[bytes, ...]) -> None:
    async def ask() -> None:
        async with await answering(socket_path, *lines):
            with pytest.raises(NoRecall):
                await one_hand(socket_path, "1")
            with pytest.raises(NoRecall):
                await last_hands(socket_path)

    asyncio.run(ask())


# --- on record --------------------------------------------------------------------------------------------------------


def test_whoever_looks_at_a_hand_is_on_record_once_a_minute_whatever_the_step(screens: Screens) -> None:
    screens.controller.lines(hands.WHOLE)
    before = len(screens.people.audits.rows())
    get(f"{screens.url}/pit/hands")
    for step in range(3):
        page(screens, 1, step=step)
    page(screens, 1, "en")
    page(screens, 99)
    rows = [(row["what"], row["who"], row["role"], row["about"]) for row in screens.people.audits.rows(before)]
    assert rows == [("read-hand", "everybody", "manager", "hands"), ("read-hand", "everybody", "manager", "hand 1")]
