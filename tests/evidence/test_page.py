"""The page of a hand: all of the record in plain words, nothing of what is sealed, and nothing from elsewhere."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import sync_playwright

from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.facts import Opened
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.events.codec import NOTES
from tablectl.core.events.stream import decode_record
from tablectl.core.records import kind_of
from tablectl.games.registry import RULEBOOKS, choices_of
from tablectl.i18n.clauses.catalogue import CLAUSE_ID
from tablectl.i18n.describe import DESCRIBED_DECISIONS, describe_decision, describe_fact
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.table_texts import TableTexts, rank_of, sign_of
from tablectl.i18n.texts import load_texts
from tablectl.journal.evidence.hand import Hand, Recorded
from tablectl.journal.evidence.origin import Origin
from tablectl.journal.evidence.page import EvidenceTexts, page
from tablectl.journal.evidence.result import Result, result
from tablectl.journal.handfile.file import HandFile
from tablectl.journal.public_keys import fingerprint, public_pem
from tests.evidence.test_handfile import hands_of, journal_of, may_be_told
from tests.journal.journals import (
    ALL_OR_NEW,
    SIGNER,
    WHOLE_HAND,
    Writer,
    each_hand,
    facts_of,
    files_of,
    hand_files,
    written,
)
from tests.screens.controller import records_of

CHROMIUM: Final = shutil.which("chromium") or "/usr/bin/chromium"
ORIGIN: Final = Origin(
    public_key=SIGNER.public,
    public_pem=public_pem(SIGNER.public),
    fingerprint=fingerprint(SIGNER.public),
    is_demo=False,
    exported_at="2026-11-21T05:00:00Z",
    tool="tablectl 0.1.0",
)
DEMO: Final = replace(ORIGIN, is_demo=True)
VOID: Final = frozenset({"meta", "br", "input"})
EVIDENCE_TEXTS: Final = [
    EvidenceTexts(language=language, texts=load_texts("tablectl.journal.evidence"), rulebook="texas-bonus")
    for language in LANGUAGES
]
in_each_language: Final = pytest.mark.parametrize("t", EVIDENCE_TEXTS, ids=LANGUAGES)


class Reader(HTMLParser):
    """Reads a page: its text, every card in it, every attribute; complains where tags do not close in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"line {self.getpos()[0]}"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


def notations(code: str) -> set[str]:
    """Every way in which the page could tell a card."""
    rank, sign = rank_of(code[0]), sign_of(code[1])
    spoken = {texts.card(code) for texts in EVIDENCE_TEXTS}
    return {f"{rank}{sign}", f"{code[0]}{sign}", *spoken}


#: Who reads "9♦" must not read it out of the end of a longer word.
_WAYS: Final = {way: card.code for card in DECK for way in (*notations(card.code), card.code)}
_ANY: Final = re.compile(rf"(?<!\w)({'|'.join(sorted(map(re.escape, _WAYS), key=len, reverse=True))})(?!\w)")


#: As `CLAUSE_ID`, in a text whose parts follow one another without a blank.
_CLAUSE: Final = re.compile(CLAUSE_ID.pattern.replace(r"\b", ""))


def told(html: str) -> set[str]:
    """The codes of the cards that a page tells in any of these ways."""
    reader = read(html)
    text = "".join(reader.texts) + " | ".join(value for _, _, value in reader.attributes)
    # THL-PLE-2c is a clause, and no deuce of clubs.
    return {_WAYS[way] for way in _ANY.findall(re.sub(r"\s+", " ", _CLAUSE.sub("_", text)))}


def the_hand(tmp_path: Path, text: str = WHOLE_HAND) -> Hand:
    written(tmp_path / "a.db", text)
    return hands_of(tmp_path / "a.db")[-1]


@each_hand()
def test_the_page_of_each_hand_tells_what_was_shown_and_no_sealed_card(hand: HandFile, tmp_path: Path) -> None:
    for journal_hand in hands_of(journal_of(tmp_path / "a.db", hand.setup, facts_of(hand))):
        assert told(page(journal_hand, ORIGIN)) == may_be_told(journal_hand)


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing(tmp_path: Path) -> None:
    html = page(the_hand(tmp_path), ORIGIN)
    reader = read(html)
    assert html.startswith("<!doctype html>")
    assert not {tag for tag, _, _ in reader.attributes} & {"script", "link", "img", "iframe", "object", "form"}
    assert not {name for _, name, _ in reader.attributes} & {"src", "href", "style", "onclick", "onload"}
    assert "url(" not in html
    assert "@import" not in html
    assert "http" not in html


def texts_of(hand: Hand, origin: Origin, t: TableTexts) -> list[str]:
    """What the page says in one language."""
    return read(page(hand, replace(origin, language=t.language))).texts


@in_each_language
def test_every_record_is_on_the_time_line(t: EvidenceTexts, tmp_path: Path) -> None:
    hand = the_hand(tmp_path)
    reader = read(page(hand, replace(ORIGIN, language=t.language)))
    rows = [value for tag, name, value in reader.attributes if (tag, name) == ("tr", "data-seq")]
    assert rows == [str(record.stored.seq) for record in hand.records]
    for record in hand.records:
        assert describe_fact(t, record.record) in reader.texts


@in_each_language
def test_the_page_says_nothing_in_another_language(t: EvidenceTexts, tmp_path: Path) -> None:
    hand = the_hand(tmp_path, f"{WHOLE_HAND}\npress incident\n")
    texts = texts_of(hand, ORIGIN, t)
    for other in EVIDENCE_TEXTS:
        for key in ("result", "timeline", "verify", "net-why", "exported", "incidents"):
            assert (other.page(key) in texts) == (other is t), key


def test_the_page_says_whose_hand_it_is(tmp_path: Path) -> None:
    (tmp_path / "hers").mkdir()
    assert "no consta" in page(the_hand(tmp_path), ORIGIN)
    hers = page(the_hand(tmp_path / "hers", f"croupier ana\n{WHOLE_HAND}"), ORIGIN)
    assert "no consta" not in hers
    assert "<dd>ana</dd>" in hers


def test_the_result_of_each_seat_is_there_with_its_sum(tmp_path: Path) -> None:
    text = re.sub(r"[ \n]+", " ", " ".join(read(page(the_hand(tmp_path), ORIGIN)).texts))
    assert "Ante 1\u202f000 (unidad mínima) se devuelve ±0 (unidad mínima) THB-SET-5" in text
    assert "Ante 1\u202f000 (unidad mínima) pierde −1\u202f000 (unidad mínima) THB-DEV-12" in text
    assert "se retiró" in text


def rows(tmp_path: Path, name: str) -> dict[str, str]:
    """What the page says of each bettor of a hand file's last hand, by the name of his box."""
    hand = dict(hand_files())[name]
    html = page(hands_of(journal_of(tmp_path / "a.db", hand.setup, facts_of(hand)))[-1], ORIGIN)
    found = re.findall(r'<tr data-seat="([^"]+)">(.*?)</tr>', html, re.DOTALL)
    return {seat: _plain(row) for seat, row in found}


def _plain(row: str) -> str:
    """Its words, without what stands beside each number of a journal that says no currency."""
    return " ".join(re.sub(r"<[^>]+>", " ", row).split()).replace("\u202f", "").replace(" (unidad mínima)", "")


def test_TPC_PLY_6_a_standing_bettor_has_a_line_of_his_own_under_his_box(tmp_path: Path) -> None:
    found = rows(tmp_path, "TPC-PLY-6-does-not-add-his-second-after-the-ir")
    assert list(found) == ["1", "2", "2/2"]
    assert "de pie" in found["2/2"]
    assert "Ante 500 pierde −500 TPC-DEV-11" in found["2/2"]
    assert "2.ª apuesta 1 000 devuelta" in found["2/2"]
    assert "−500" not in found["2"]


def test_TPC_MIS_0_a_payment_that_was_undone_counts_for_nothing(tmp_path: Path) -> None:
    found = rows(tmp_path, "TPC-MIS-0-void-after-the-txb-was-paid-reverse")
    assert "TXB 500 pagada y deshecha" in found["1"]
    assert found["1"].endswith("±0")


def test_TPC_PLE_1_cards_that_were_taken_away_and_players_sent_away_are_said_to_be(tmp_path: Path) -> None:
    found = rows(tmp_path, "TPC-PLE-2-contact-again-expel")
    assert sum("retiradas las cartas" in row for row in found.values()) == 2
    assert sum("jugador expulsado" in row for row in found.values()) == 1


def test_the_page_says_what_the_float_should_have_changed_by(tmp_path: Path) -> None:
    hand = dict(hand_files())["TPC-PLY-6-does-not-add-his-second-after-the-ir"]
    html = page(hands_of(journal_of(tmp_path / "a.db", hand.setup, facts_of(hand)))[-1], ORIGIN)
    assert "−1\u202f500" in html.split('class="float"')[1].split("</p>")[0]


def test_an_incident_is_told_with_its_clause_what_was_due_and_who_decided(tmp_path: Path) -> None:
    hand = the_hand(
        tmp_path,
        "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\ndraw Kd\ndraw Qh\ndraw 9c\ndraw 2c\n"
        "press seen\nrule 1 void-hand by ana <b>players saw it</b>\nacknowledge 1 by luis\npress confirm\n",
    )
    for t in EVIDENCE_TEXTS:
        text = " ".join(texts_of(hand, ORIGIN, t))
        for words in (
            t.clause("THB-ERR-4"),
            t.observed("decision-seat-1"),
            t.page("decided-by", remedy=t.word("remedy", "void-hand"), by=t.word("chooser", "pit-boss")),
            t.page("void"),
            t.page("returned"),
        ):
            assert words in text
        assert "ana: «<b>players saw it</b>»" in text, "what a person wrote is text and never a tag"
    assert "<b>players" not in page(hand, ORIGIN)


@in_each_language
def test_fcd_env_5_a_clause_of_another_document_is_told(t: EvidenceTexts, tmp_path: Path) -> None:
    hand = dict(hand_files())["FCD-ENV-5-contact"]
    text = " ".join(texts_of(hands_of(journal_of(tmp_path / "a.db", hand.setup, facts_of(hand)))[-1], ORIGIN, t))
    assert t.clause("THL-PLE-14") in text


@in_each_language
def test_the_choices_of_the_house_are_told_in_the_words_of_the_hands_own_rulebook(
    t: EvidenceTexts, tmp_path: Path
) -> None:
    def chosen(recorded: Recorded) -> Recorded:
        opened = recorded.event
        if not isinstance(opened, Opened):
            return recorded
        setup = replace(opened.setup, rulebook="texas-poker", profile={"txb_aces": "own-cards"})
        return replace(recorded, record=replace(recorded.record, event=replace(opened, setup=setup)))

    hand = the_hand(tmp_path)
    text = " ".join(texts_of(replace(hand, records=tuple(map(chosen, hand.records))), ORIGIN, t))
    choice = choices_of("texas-poker")["txb_aces"]
    assert f"({choice.clause}) {t.word('house-choice', 'texas-poker-txb_aces')}" in text


def test_a_demo_key_is_said_in_large_letters_and_no_other(tmp_path: Path) -> None:
    hand = the_hand(tmp_path)
    for t in EVIDENCE_TEXTS:
        assert t.page("demo") in texts_of(hand, DEMO, t)
        assert t.page("demo") not in texts_of(hand, ORIGIN, t)


def test_a_hand_that_is_not_over_says_so(tmp_path: Path) -> None:
    hand = the_hand(tmp_path, "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\n")
    assert EVIDENCE_TEXTS[0].page("unfinished") in read(page(hand, ORIGIN)).texts


def test_THL_INI_2_a_card_drawn_for_the_button_lies_open_before_its_seat(tmp_path: Path) -> None:
    setup = f.Setup(
        table="Mesa 3",
        rulebook="circle-holdem",
        seats=10,
        tracking=Tracking.ACTIONS,
        limits={"bet": f.Limits(least=200, most=10_000)},
    )
    with Writer(tmp_path / "circle.db", setup) as writer:
        writer.line("restart")
        writer.lines("player 2 takes\nplayer 4 takes\npress new-hand\ndraw 5h\n")
    (hand,) = hands_of(tmp_path / "circle.db")
    end = result(hand)
    (card,) = end.at("seat-2")
    assert (end.table.slots, card.code) == ({"seat-2.up": 1}, "5h")
    for t, words in zip(EVIDENCE_TEXTS, ("puesto 2, carta del sorteo", "seat 2, card of the draw"), strict=True):
        assert words in " ".join(texts_of(hand, ORIGIN, t))


# --- the words --------------------------------------------------------------------------------------------------------


#: Somebody sits down after a hand, where the button would come to lie: he waits.
NEWCOMER: Final = """# t
rulebook circle-holdem
tracking actions
> player 1 takes
> player 2 takes
> player 3 takes
> button 3
> press new-hand
> press no-more-bets
> draw 2c
> draw 3c
> draw 4c
> draw 5c
> draw 6c
> draw 7c
> act fold
> act fold
> press confirm
> player 4 takes
> press new-hand
> press no-more-bets
> draw 2c
> draw 3c
> draw 4c
> draw 5c
> draw 6c
> draw 7c
> act fold
> act fold
> press confirm
"""


#: What happens in no hand file.
SAID: Final = """# t
rulebook texas-bonus
> said shoe shoe-1 cut-card 3
> counted 52
> on-felt board
> on-felt
> shuffled 52
> press new-hand
> seen house As
> gone house As
> tag board unknown-tag
"""


@pytest.mark.parametrize("with_all", ALL_OR_NEW)
def test_every_kind_of_fact_and_decision_has_its_sentence(*, with_all: bool) -> None:
    """Of the records that are written for hand files, and of no journal, which would take longer."""
    facts, decisions = set(), set()
    files = (path for game in RULEBOOKS for path in files_of(game, with_all=with_all))
    for text in (SAID, NEWCOMER, *(path.read_text(encoding="utf-8") for path in files)):
        for record in map(decode_record, records_of(text)):
            facts.add(record.kind)
            decisions |= {kind_of(type(said)) for said in record.decisions}
            for t in EVIDENCE_TEXTS:
                assert describe_fact(t, record) != record.kind, "its own name is no sentence"
                assert all(describe_decision(t, said, entry=record.entry) for said in record.decisions)
    assert len(facts - NOTES.keys()) == len(f.Fact.__args__)
    assert decisions == DESCRIBED_DECISIONS


# --- on paper ---------------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"no Chromium at {CHROMIUM}")
def test_the_page_prints_on_a4_and_nothing_sticks_out(tmp_path: Path) -> None:
    path = tmp_path / "hand.html"
    path.write_text(page(the_hand(tmp_path), DEMO), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        sheet = browser.new_page(viewport={"width": 688, "height": 1000})  # A4 without the margins, at 96 dpi
        asked: list[str] = []
        sheet.on("request", lambda request: asked.append(request.url))
        sheet.emulate_media(media="print")
        sheet.goto(path.as_uri())
        wide = sheet.evaluate(
            "[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
            ".map(e => e.outerHTML.slice(0, 80))"
        )
        printed = sheet.pdf(prefer_css_page_size=True)
        browser.close()
    assert json.dumps(wide) == "[]"
    assert asked == [path.as_uri()]
    boxes = set(re.findall(rb"/MediaBox \[([^\]]*)\]", printed))
    assert {tuple(round(float(part)) for part in box.split()) for box in boxes} == {(0, 0, 595, 842)}


def named(rulebook: str, name: str) -> HandFile:
    """A hand file of the tests by its name."""
    return next(hand for file, hand in hand_files() if (hand.setup.rulebook, file) == (rulebook, name))


def felt_after(tmp_path: Path, hand: HandFile) -> Result:
    journal_of(tmp_path / "a.db", hand.setup, facts_of(hand))
    return result(hands_of(tmp_path / "a.db")[-1])


def test_thb_dev_16_bets_that_were_left_to_the_boxes_stand_with_what_became_of_them(tmp_path: Path) -> None:
    hand = named("texas-bonus", "THB-DEV-16-left-to-the-boxes")
    felt = felt_after(tmp_path, hand)
    seats = {bettor.name: [bet.name for bet in bettor.bets] for bettor in felt.bettors}
    assert seats == {"1": ["ante", "flop", "turn"], "2": ["ante", "flop", "turn", "river"]}
    assert all(bet.settled is not None for bettor in felt.bettors for bet in bettor.bets)
    assert "sin decidir" not in page(hands_of(tmp_path / "a.db")[-1], ORIGIN)


def test_tpc_ple_1_the_cards_of_a_withdrawn_seat_lie_apart(tmp_path: Path) -> None:
    hand = named("texas-poker", "TPC-PLE-1-contact-after-the-decisions-refund")
    felt = felt_after(tmp_path, hand)
    withdrawn = [bettor.holding.seat for bettor in felt.bettors if bettor.holding.state == "withdrawn"]
    assert withdrawn
    assert not any(felt.at(f"seat-{seat}") for seat in withdrawn)
    assert len(felt.at("taken")) == 2 * len(withdrawn)
    assert "Retiradas" in page(hands_of(tmp_path / "a.db")[-1], ORIGIN)
