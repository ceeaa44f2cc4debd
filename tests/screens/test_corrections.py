"""The page on which an entry of the hand is put right: rows, what each could have been, and what would follow."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from tablectl.core.engine.facts import Corrected
from tablectl.journal.handfile.facts import parse_fact
from tablectl.web.screens.corrections_page import (
    Consequences,
    consequences,
    corrections_page,
    entry_rows,
    stacks_to_move,
)
from tablectl.web.screens.entries import SCREENS, BadEntry, Typed, line_of
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tests.screens import circle_hands
from tests.screens.conftest import Screens
from tests.screens.controller import Bench
from tests.screens.signed_on import PASSWORD
from tests.screens.test_app import following, get, post
from tests.screens.test_pages import PAGES, plain
from tests.screens.test_view import view_of

DEALT: Final = """
press new-hand
bet 1 ante 1000
bet 2 ante 1000
press no-more-bets
draw As
draw 9c
draw Qh
draw Kd
draw 9d
draw Js
press fold
press bet
draw 2c
draw 3c
"""
TABLE: Final = table_info(Bench().greeting)
TYPED: Final = Typed(table=TABLE, language="es")
#: The fold of seat 1 was a mistake.
BET: Final[dict[str, Any]] = {
    "act": "correct",
    "number": 11,
    "instead": {"act": "press", "key": "bet"},
    "reason": "había apostado",
}


def bench_of(lines: str) -> Bench:
    bench = Bench()
    bench.lines(lines)
    return bench


def picture(bench: Bench) -> Picture:
    return Picture(view=view_of(bench), table=TABLE, connected=True)


def would_follow(bench: Bench, line: str, *, language: str = "es") -> Consequences:
    fact = parse_fact(line, bench.now_us, bench.setup)
    assert isinstance(fact, Corrected)
    return consequences(PAGES.texts(language, picture(bench)), view_of(bench), bench.preview(fact))


def test_every_entry_of_the_hand_is_there_newest_first_and_none_that_was_refused() -> None:
    bench = bench_of(f"{DEALT}press show")
    rows = entry_rows(PAGES.texts("en", picture(bench)), picture(bench))
    assert [row.number for row in rows] == [14, 12, 11, 4, 3, 2]
    assert rows[2].says == "Key “Fold”. Seat 1 folds."
    assert {choice.says for choice in rows[2].instead} >= {"Bet", "Check"}
    assert [choice.entry for choice in rows[4].instead] == [{"act": "bet", "seat": 2, "bets": {"ante": ""}}]
    assert rows[4].instead[0].needs_amount


def test_an_entry_that_was_put_right_is_there_as_it_is_now() -> None:
    bench = bench_of(f"{DEALT}correct 11 press bet by ana+luis he had bet")
    rows = entry_rows(PAGES.texts("en", picture(bench)), picture(bench))
    assert next(row.says for row in rows if row.number == 11).startswith("Key “Bet”.")


def test_a_card_that_lies_open_can_be_another_one_and_a_sealed_card_is_not_there() -> None:
    bench = bench_of(f"{DEALT}draw 4c\ndraw 5c")
    rows = entry_rows(PAGES.texts("en", picture(bench)), picture(bench))
    assert [row.number for row in rows] == [16, 15, 14, 12, 11, 4, 3, 2]
    assert "five of clubs" in rows[0].says
    assert [choice.entry for choice in rows[0].instead] == [None]


def test_between_two_hands_there_is_none() -> None:
    assert entry_rows(PAGES.texts("en", Picture()), Picture()) == ()
    text = corrections_page(PAGES, "es", picture(bench_of("")))
    assert "ninguna anotación que corregir" in plain(text)
    assert "data-again" in corrections_page(PAGES, "es", Picture())


@pytest.mark.parametrize(
    ("language", "words"),
    [("es", ("Corregir una anotación", "Ver qué cambia")), ("en", ("Correct an entry", "Show what changes"))],
)
def test_the_page_speaks_its_language(language: str, words: tuple[str, ...]) -> None:
    text = plain(corrections_page(PAGES, language, picture(bench_of(DEALT))))
    for said in words:
        assert said in text


def test_entries_and_what_they_could_have_been_stand_there() -> None:
    text = plain(corrections_page(PAGES, "es", picture(bench_of(DEALT))))
    assert "Tecla «Se retira». Puesto 1 se retira." in text
    assert "Apuesta" in text
    assert "nada: fue un error" in text
    english = plain(corrections_page(PAGES, "en", picture(bench_of(DEALT))))
    assert "Key “Fold”. Seat 1 folds." in english


def test_what_would_follow_is_what_then_follows() -> None:
    bench = bench_of(DEALT)
    found = would_follow(bench, "correct 11 press bet by ana+luis misheard", language="en")
    assert found == Consequences(gone=("Seat 1 folds.",), now=("Seat 1: Flop €20.",), again=())
    bench.line("correct 11 press bet by ana+luis misheard")
    assert view_of(bench).seats[1].bets == {"ante": 1000, "flop": 2000}


def test_what_is_to_be_entered_again_is_said() -> None:
    bench = bench_of(DEALT.replace("press bet", "press fold"))
    found = would_follow(bench, "correct 4 nothing by ana+luis not yet", language="en")
    assert found.again == ("Key “Fold”.", "Key “Fold”.")
    assert "Phase: Bets." not in found.gone


def test_why_it_cannot_be_is_said() -> None:
    refused = would_follow(bench_of(DEALT), "correct 11 press call by ana+luis misheard").refused
    assert refused is not None
    assert refused.why == "not-live"


def test_of_another_identity_nothing_is_told_before() -> None:
    bench = bench_of(f"{DEALT}draw 4c\ndraw 5c")
    assert would_follow(bench, "correct 14 card As by ana+luis misread") == Consequences()


def test_nothing_is_put_right_by_looking_and_two_persons_put_it_right(screens: Screens) -> None:
    screens.controller.lines(DEALT)
    following(screens)
    here = {"Origin": screens.url}
    looked = post(f"{screens.url}/correction?lang=es", here, json={"page": "pit", **BET})
    assert looked.json() == {
        "ok": True,
        "gone": [["Puesto 1 se retira."]],
        "now": [["Puesto 1: Flop 20 €."]],
        "again": [],
    }
    assert [fact["kind"] for fact in screens.controller.entered] == []
    alone = post(f"{screens.url}/enter", here, json={"page": "pit", **BET})
    assert alone.json()["refused"]["why"] == "not-called"
    second = {"name": "croupier", "secret": PASSWORD}
    signed = post(f"{screens.url}/enter", here, json={"page": "pit", **BET, "second": second})
    assert signed.json()["refused"] is None
    fact = screens.controller.entered[-1]
    assert (fact["kind"], fact["number"], fact["second"]) == ("corrected", 11, "croupier")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({}, "correct 11 press bet by ana+luis había apostado"),
        ({"instead": None}, "correct 11 nothing by ana+luis había apostado"),
        ({"instead": None, "card": "Kd"}, "correct 11 card Kd by ana+luis había apostado"),
        ({"instead": {"act": "bet", "seat": 1, "bets": {"ante": "12,50"}}}, "correct 11 bet 1 ante 1250 by ana+luis "),
    ],
)
def test_a_correction_in_the_grammar_of_hand_files(change: dict[str, Any], line: str) -> None:
    assert line_of(SCREENS["pit"], {**BET, **change}, TYPED, by="ana+luis").startswith(line)


@pytest.mark.parametrize(
    "change",
    [
        {"reason": ""},
        {"number": 1},
        {"number": "11"},
        {"instead": {"act": "rule", "incident": 1, "remedy": "continue"}},
        {"instead": {"act": "correct"}},
        {"instead": "press bet"},
        {"card": "Xx"},
    ],
)
def test_what_is_no_correction_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadEntry):
        line_of(SCREENS["pit"], {**BET, **change}, TYPED, by="ana+luis")
    with pytest.raises(BadEntry):
        line_of(SCREENS["croupier"], BET, TYPED, by="ana+luis")


FOLDED: Final = "act 4 fold\nact 6 fold\nact 8 fold\nact 1 fold\npress confirm\n"
CLAIMED: Final = f"{circle_hands.BLINDS}{circle_hands.CARDS}{FOLDED}declare claim seat-1\n"
UPHELD: Final = f"{CLAIMED}rule 1 correct by ana as she saw it\n"
NEXT_HAND: Final = f"{UPHELD}press new-hand\npress no-more-bets\n"


def claim_of(lines: str) -> Picture:
    bench = circle_hands.table(lines)
    return Picture(view=view_of(bench), table=table_info(bench.greeting), connected=True)


def test_thl_sdn_8_chips_are_moved_from_the_ruling_to_the_first_card() -> None:
    for lines, can in ((CLAIMED, False), (UPHELD, True), (NEXT_HAND, True), (f"{NEXT_HAND}draw 2s", False)):
        text = corrections_page(PAGES, "en", claim_of(lines))
        assert ('data-transfer="1"' in text, "Seat 2 · €151" in plain(text)) == (can, can and lines is UPHELD), lines
    moved = claim_of(f"{UPHELD}transfer 1 from=2 to=1 100 by ana")
    assert [player.stack for player in stacks_to_move(moved.view)][:2] == [20_000, 15_000]


def test_thl_sdn_8_after_the_next_hand_nothing_is_moved_for_the_claim_any_more() -> None:
    folded = "act fold\n" * 4 + "press confirm\n"
    view = claim_of(f"{UPHELD}{circle_hands.BLINDS}{circle_hands.CARDS}{folded}").view
    assert [hand.hand for hand in view.history] == [2, 1]
    assert stacks_to_move(view) == ()


def test_thl_sdn_8_a_claim_that_was_not_upheld_moves_nothing() -> None:
    assert stacks_to_move(claim_of(f"{CLAIMED}rule 1 continue by ana").view) == ()


def test_a_transfer_in_the_grammar_of_hand_files() -> None:
    entry = {"act": "transfer", "incident": 4, "giver": 3, "taker": 1, "amount": "12,50"}
    said = line_of(SCREENS["pit"], entry, TYPED, by="ana+luis")
    assert said == "transfer 4 from=3 to=1 1250 by ana+luis"


@pytest.mark.parametrize("change", [{"giver": 0}, {"taker": None}, {"incident": "4"}, {"amount": 12}])
def test_what_is_no_transfer_is_refused(change: dict[str, Any]) -> None:
    entry = {"act": "transfer", "incident": 4, "giver": 3, "taker": 1, "amount": "12,50", **change}
    with pytest.raises(BadEntry):
        line_of(SCREENS["pit"], entry, TYPED, by="ana+luis")


# --- undo, and "wrong key" --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ("bet 2 ante 1000", "Seat 2 places: Ante €10"),
        ("press no-more-bets", "Key “No more bets”"),
        ("press fold", "Seat 1 folds"),
        ("press bet", "Seat 2: Flop €20"),
        ("declare pit-boss", "Declared: something else: call the pit boss"),
    ],
)
def test_the_key_says_which_entry_it_takes_back_and_takes_it_back(last: str, says: str) -> None:
    lines = DEALT.strip().split("\n")
    before = "\n".join(lines[: lines.index(last)] if last in lines else lines)
    bench = bench_of(f"{before}\n{last}")
    shown = PAGES.texts("en", picture(bench))
    assert shown.key("cancel", view_of(bench)) == "Undo"
    assert shown.undo(view_of(bench)) == says
    bench.line("press cancel")
    undone, was = view_of(bench), view_of(bench_of(before))
    assert (undone.phase, undone.seats, undone.held) == (was.phase, was.seats, was.held)


def test_in_the_list_the_entry_that_was_wrong_is_named_by_a_touch() -> None:
    keys = PAGES.parts("croupier", "en", picture(bench_of(f"{DEALT}press incident")))["keys"]
    assert 'data-what="wrong-key"' in keys
    named = plain(keys[keys.index('id="other-entry"') :])
    assert named.index("Seat 2: Flop €20.") < named.index("Seat 1 folds.") < named.index("Seat 2 places: Ante €10.")
    assert 'data-entry="11"' in keys
    entry = {"act": "declare", "what": "wrong-key", "entry": 11}
    assert line_of(SCREENS["croupier"], entry, TYPED, by="ana") == "declare wrong-key entry=11"
    for bad in (1, "11", None, 1.5):
        with pytest.raises(BadEntry):
            line_of(SCREENS["croupier"], {**entry, "entry": bad}, TYPED, by="ana")


def test_the_pit_boss_sees_which_entry_is_wrong_and_finds_it_chosen() -> None:
    bench = bench_of(f"{DEALT}declare wrong-key entry=11")
    alarm = PAGES.parts("pit", "en", picture(bench))["alerts"]
    assert "Wrong key" in plain(alarm)
    assert "Key “Fold”. Seat 1 folds." in plain(alarm)
    assert "/pit/corrections?entry=11" in alarm
    page = corrections_page(PAGES, "en", picture(bench), wrong=11)
    assert re.findall(r'value="(\d+)" required checked', page) == ["11"]
    rows = entry_rows(PAGES.texts("en", picture(bench)), picture(bench))
    assert all("wrong key" not in row.says for row in rows), "what asks for a correction is no entry to correct"


def test_what_was_asked_for_is_put_right_by_two_persons_and_the_table_goes_on(screens: Screens) -> None:
    screens.controller.lines(f"{DEALT}declare wrong-key entry=11")
    following(screens)
    page = get(f"{screens.url}/pit/corrections?lang=en").text
    assert re.findall(r'value="(\d+)" required checked', page) == ["11"]
    second = {"name": "croupier", "secret": PASSWORD}
    signed = post(f"{screens.url}/enter", {"Origin": screens.url}, json={"page": "pit", **BET, "second": second})
    assert signed.json()["refused"] is None
    view = view_of(screens.bench)
    assert not view.held
    assert view.seats[1].bets == {"ante": 1000, "flop": 2000}
