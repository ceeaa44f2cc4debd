"""The verifier page in Chromium: it finds what the program finds, shows the hand as the program reads it, and refuses
whatever is not as the table wrote it."""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.currency import Currency
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.evidence.bundle import contents
from tablectl.journal.evidence.hand import Hand
from tablectl.journal.evidence.page import page
from tablectl.journal.handfile.file import parse
from tablectl.journal.lines import line
from tests.evidence.test_handfile import hands_of, journal_of, may_be_told
from tests.evidence.test_page import DEMO, ORIGIN, told
from tests.evidence.verifying import VerifierPage, given_of, opened
from tests.journal.journals import (
    NEVER_SHOWN,
    WHOLE_HAND,
    facts_of,
    files_of,
    in_memory,
    keep_keys,
    places,
    sat,
    written,
)
from tests.screens.browsing import Tabs, running
from tests.thorough import some_of

pytestmark = pytest.mark.browser
#: So many hands are handed to the page at once.
BATCH: Final = 40
#: So many of each game's hands in every run.
FEW: Final = 6
#: How wide an A4 page is between the margins of `record.css`: 182 mm, 96 pixels an inch.
A4_PX: Final = 688
#: Where a picture of the page is wanted: `make screenshots`.
WANTED: Final = os.environ.get("TABLECTL_SCREENSHOTS", "")


@pytest.fixture(scope="module")
def tabs() -> Iterator[Tabs]:
    with running() as made:
        yield made


@pytest.fixture(scope="module")
def verifier(tabs: Tabs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[VerifierPage]:
    with opened(tabs, tmp_path_factory.mktemp("verifier")) as made:
        yield made


@pytest.fixture
def hands(tmp_path: Path) -> list[Hand]:
    """Two that are over, and one that is not."""
    written(tmp_path / "table.db", WHOLE_HAND * 2 + "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\n")
    return hands_of(tmp_path / "table.db")


def records_of(hand: Hand) -> str:
    return "".join(line(recorded.stored).decode() + "\n" for recorded in hand.chain)


def case(records: str | bytes, given: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return b64encode(records if isinstance(records, bytes) else records.encode()).decode(), given


def compare(verifier: VerifierPage, hands: Iterator[tuple[str, Hand]]) -> int:
    """Every hand as the page shows it, held against the page that the program makes of it; how many there were."""
    count, batch = 0, []
    for named in hands:
        batch.append(named)
        if len(batch) == BATCH:
            count += _compare(verifier, batch)
            batch = []
    return count + _compare(verifier, batch)


def _compare(verifier: VerifierPage, batch: list[tuple[str, Hand]]) -> int:
    found = verifier.differences([(hand.number, records_of(hand), page(hand, ORIGIN)) for _, hand in batch])
    assert [(name, differences) for (name, _), differences in zip(batch, found, strict=True) if differences] == []
    judged = verifier.judged([case(records_of(hand), given_of(hand, ORIGIN)) for _, hand in batch])
    for (name, hand), verdict in zip(batch, judged, strict=True):
        assert verdict.verdict == ("good" if hand.is_closed else "open"), (name, verdict)
    return len(batch)


def hands_in(paths: list[Path]) -> Iterator[tuple[str, Hand]]:
    """The hands that were opened in these files, each out of a journal of its own."""
    with in_memory() as folder:
        for path in paths:
            filed = parse(path.read_text(encoding="utf-8"))
            journal = journal_of(Path(folder) / "a.db", filed.setup, facts_of(filed))
            yield from ((path.stem, hand) for hand in hands_of(journal) if hand.version)
            for left in Path(folder).iterdir():
                left.unlink()


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_some_hands_of_each_game_are_shown_as_the_program_reads_them(verifier: VerifierPage, rulebook: str) -> None:
    chosen = some_of(files_of(rulebook, with_all=False), FEW, rulebook)
    assert compare(verifier, hands_in(list(chosen))) >= FEW


@pytest.mark.wide
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_hand_file_is_shown_as_the_program_reads_it(verifier: VerifierPage, rulebook: str) -> None:
    paths = files_of(rulebook, with_all=True)
    # Some tell only what happens before a hand is opened.
    assert compare(verifier, hands_in(paths)) >= len(paths) * 9 // 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_amounts_are_said_with_their_currency_as_each_language_writes_it(
    tabs: Tabs, language: str, tmp_path: Path
) -> None:
    keep_keys(tmp_path)
    where = places(tmp_path)
    sat(where, WHOLE_HAND * 2, currency=Currency(code="EUR", exponent=2))
    last = hands_of(where.journal)[-1]
    assert last.currency is not None
    with opened(tabs, tmp_path, language) as there:
        html = page(last, replace(ORIGIN, language=language))
        assert there.differences([(last.number, records_of(last), html)]) == [[]]
        assert "€" in html


# --- as a person uses it ----------------------------------------------------------------------------------------------


def unpacked(hand: Hand, folder: Path, *, demo: bool = False) -> list[Path]:
    for name, content in contents(hand, DEMO if demo else ORIGIN).items():
        (folder / name).write_bytes(content)
    return [folder / name for name in ("records.jsonl", "public-key.pem", "about.json")]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_somebody_who_chooses_the_files_and_enters_what_he_was_given_reads_the_verdict_and_the_hand(
    tabs: Tabs, hands: list[Hand], number: int, tmp_path: Path
) -> None:
    hand = hands[number - 1]
    given = given_of(hand, ORIGIN)
    with opened(tabs, tmp_path) as there:
        there.give(
            *unpacked(hand, tmp_path),
            fingerprint=given["fingerprint"].upper(),
            last_seq=given["lastSeq"],
            last_hash=given["lastHash"],
        )
        there.page.wait_for_selector(".verdict.open" if number == 3 else ".verdict.good")
        states = there.page.eval_on_selector_all(".checks li", "items => items.map((item) => item.className)")
        assert states == ["good"] * 8 if number < 3 else states.count("open") == 1
        assert told(f"<p>{there.page.inner_html('#hand')}</p>") == may_be_told(hand)
        there.page.fill("#last-seq", str(int(given["lastSeq"]) + 1))
        there.page.wait_for_selector(".verdict.bad")
        assert there.page.get_attribute('[data-check="last"]', "data-key") == "last-dropped"
        there.page.wait_for_selector(".doubt")
        assert there.asked == [there.path.as_uri()]


def test_records_alone_of_the_first_hand_are_checked_as_far_as_they_go(
    hands: list[Hand], verifier: VerifierPage
) -> None:
    nothing = {"fingerprint": "", "lastSeq": "", "lastHash": ""}
    first, second, _ = verifier.judged([case(records_of(hand), nothing) for hand in hands])
    assert first.verdict == second.verdict == "impossible"
    assert first.keys["chain"] == "chain-good"
    assert first.keys["signatures"] == "signature-good"
    assert (first.keys["key"], first.keys["last"]) == ("key-not-given", "last-not-given")
    assert second.keys["chain"] == "chain-first-unknown"
    assert second.keys["signatures"] == "signature-no-key"


def test_files_that_are_dropped_are_taken_as_those_that_are_chosen(
    tabs: Tabs, hands: list[Hand], tmp_path: Path
) -> None:
    with opened(tabs, tmp_path) as there:
        there.page.evaluate(
            "(text) => { const data = new DataTransfer(); data.items.add(new File([text], 'records.jsonl'));"
            " const how = { dataTransfer: data, bubbles: true, cancelable: true };"
            " document.dispatchEvent(new DragEvent('drop', how)); }",
            records_of(hands[0]),
        )
        there.page.wait_for_selector('article[data-hand="1"]')


def test_of_a_stream_with_several_hands_each_can_be_read(tabs: Tabs, hands: list[Hand], tmp_path: Path) -> None:
    stream = tmp_path / "stream.jsonl"
    stream.write_text(records_of(hands[0]) + "".join(records_of(hand).split("\n", 1)[1] for hand in hands[1:]))
    with opened(tabs, tmp_path) as there:
        there.give(stream)
        there.page.wait_for_selector('article[data-hand="3"]')
        there.page.select_option("#which", "1")
        there.page.wait_for_selector('article[data-hand="1"]')


def test_a_demonstration_key_proves_nothing(hands: list[Hand], verifier: VerifierPage) -> None:
    (judged,) = verifier.judged([case(records_of(hands[0]), given_of(hands[0], DEMO))])
    assert (judged.verdict, judged.keys["demo"]) == ("bad", "demo")


@pytest.mark.parametrize(
    ("without", "key"),
    [
        (
            "SubtleCrypto.prototype.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'));",
            "signatures",
        ),
        ("Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined });", "chain"),
    ],
    ids=["no Ed25519", "no WebCrypto"],
)
def test_a_browser_that_cannot_check_says_so_and_never_that_all_is_good(
    tabs: Tabs, hands: list[Hand], tmp_path: Path, without: str, key: str
) -> None:
    given = given_of(hands[0], ORIGIN)
    with opened(tabs, tmp_path) as there:
        there.page.add_init_script(without)
        there.page.reload()
        there.page.wait_for_selector("#unable:not([hidden])")
        there.give(
            *unpacked(hands[0], tmp_path),
            fingerprint=given["fingerprint"],
            last_seq=given["lastSeq"],
            last_hash=given["lastHash"],
        )
        there.page.wait_for_selector(".verdict.impossible")
        assert "impossible" in (there.page.get_attribute(f'[data-check="{key}"]', "class") or "")


def test_what_stands_in_a_record_becomes_no_tag_and_no_command(tabs: Tabs, tmp_path: Path) -> None:
    reason = "<img src=x onerror=alert(1)>&lt;b&gt;"
    text = (
        "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\ndraw Kd\ndraw Qh\ndraw 9c\ndraw 2c\npress seen\n"
    )
    written(tmp_path / "a.db", f"{text}rule 1 void-hand by ana {reason}\npress confirm\n")
    (hand,) = hands_of(tmp_path / "a.db")
    with opened(tabs, tmp_path) as there:
        there.give(*unpacked(hand, tmp_path))
        there.page.wait_for_selector("article")
        assert there.page.locator("article img").count() == 0
        assert reason in there.page.inner_text("article")


def test_no_card_that_the_rules_did_not_show_is_on_the_page(tabs: Tabs, hands: list[Hand], tmp_path: Path) -> None:
    with opened(tabs, tmp_path) as there:
        there.give(*unpacked(hands[0], tmp_path))
        there.page.wait_for_selector("article")
        shown = there.page.content().split("</head>")[1].split('id="texts"')[0]
    assert [word for word in NEVER_SHOWN if re.search(rf"(?<![\w.]){word}(?!\w)", shown)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_fits_on_paper_with_what_was_entered(
    tabs: Tabs, hands: list[Hand], tmp_path: Path, language: str
) -> None:
    given = given_of(hands[1], ORIGIN)
    with opened(tabs, tmp_path, language) as there:
        there.give(
            *unpacked(hands[1], tmp_path),
            fingerprint=given["fingerprint"],
            last_seq=given["lastSeq"],
            last_hash=given["lastHash"],
        )
        there.page.wait_for_selector("article")
        if WANTED:
            there.page.screenshot(path=f"{WANTED}/verifier-{language}.png")
        there.page.emulate_media(media="print")
        there.page.set_viewport_size({"width": A4_PX, "height": 1000})
        wide = there.page.evaluate(
            "() => [...document.querySelectorAll('html, .fields input, .checks p, table')]"
            ".filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.id || node.tagName)"
        )
        assert wide == []
        assert there.page.locator("#drop").is_hidden()


# --- what is not as the table wrote it --------------------------------------------------------------------------------


def with_about(given: dict[str, Any], **changed: object) -> dict[str, Any]:
    return {**given, "about": {**given["about"], **changed}}


#: What is done to the records of a hand, and the key of the sentence that says so, by its check.
SPOILT: Final[dict[str, tuple[Callable[[str], str], str, str]]] = {
    "a changed record": (lambda text: text.replace('"seat":1', '"seat":2', 1), "chain", "chain-changed"),
    "a line that is cut": (lambda text: text[:-1], "chain", "lines-bad"),
    "nothing": (lambda text: "", "chain", "lines-none"),
    "no last record": (lambda text: "".join(text.splitlines(keepends=True)[:-1]), "last", "last-dropped"),
    "a record taken out": (
        lambda text: "".join(text.splitlines(keepends=True)[:3] + text.splitlines(keepends=True)[4:]),
        "chain",
        "chain-number",
    ),
    "no last signature": (
        lambda text: re.sub(r',"signature":"\w+"\}\n\Z', "}\n", text),
        "signatures",
        "signature-removed",
    ),
    "another signature": (
        lambda text: re.sub(r'"signature":"..', '"signature":"00', text),
        "signatures",
        "signature-bad",
    ),
    "an exchanged card": (lambda text: text.replace('"card":"3c"', '"card":"3d"', 1), "reveals", "reveal-other"),
}


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("spoilt", SPOILT)
def test_what_was_changed_is_refused_and_named(
    hands: list[Hand], verifier: VerifierPage, spoilt: str, number: int
) -> None:
    spoil, check, key = SPOILT[spoilt]
    hand = hands[number - 1]
    bad = spoil(records_of(hand))
    assert bad != records_of(hand)
    (judged,) = verifier.judged([case(bad, given_of(hand, ORIGIN))])
    assert (judged.verdict, judged.keys.get(check)) == ("bad", key)


@pytest.mark.parametrize(
    ("change", "check", "key"),
    [
        (lambda given: {**given, "fingerprint": "0" * 64}, "key", "key-other"),
        (lambda given: {**given, "fingerprint": "24f6"}, "fields", "field-fingerprint"),
        (lambda given: {**given, "lastSeq": "1"}, "last", "last-appended"),
        (lambda given: {**given, "lastSeq": "many"}, "fields", "field-number"),
        (lambda given: {**given, "lastHash": "0" * 64}, "last", "last-other"),
        (lambda given: {**given, "lastHash": "x"}, "fields", "field-hash"),
        (lambda given: {**given, "key": "00" * 32}, "key", "key-two"),
        (lambda given: with_about(given, hash_before="11" * 32), "chain", "chain-changed"),
        (lambda given: with_about(given, last_seq=3), "summary", "summary-other"),
        (lambda given: with_about(given, closed=False), "summary", "summary-other"),
    ],
)
def test_what_was_given_has_to_be_what_the_records_say(
    hands: list[Hand], verifier: VerifierPage, change: Callable[[dict[str, Any]], dict[str, Any]], check: str, key: str
) -> None:
    (judged,) = verifier.judged([case(records_of(hands[1]), change(given_of(hands[1], ORIGIN)))])
    assert (judged.verdict, judged.keys[check]) == ("bad", key)
