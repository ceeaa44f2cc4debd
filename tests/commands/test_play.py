"""`tablectl play`: one hand fact by fact as JSON, and a file with the decisions of today."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from simulators import processes
from tablectl.cli.main import main
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import play, rewritten
from tests.journal.journals import files_of

HAND = """# THB-ERR-2: one card face up in the shoe is not used
rulebook texas-bonus
limits ante 500..10000
limits bonus 100..5000
seats 1
> bet 1 ante 1000
> press no-more-bets
> draw 7h   # the first card
> declare face-up-in-shoe
"""


def answers(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str
) -> list[dict[str, Any]]:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["play", "--json", "-", *more]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_each_fact_is_answered_with_decisions_state_and_moves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bet, closed, drawn, declared = answers(HAND, monkeypatch, capsys)
    assert bet["fact"] == "bet 1 ante 1000"
    assert bet["state"]["phase"] == "betting"
    moves = {move["entry"]: move for move in bet["state"]["moves"]}
    assert moves["bet 1 bonus"] == {
        "entry": "bet 1 bonus",
        "needs": ["amount"],
        "min": 100,
        "max": 5000,
        "by": "croupier",
    }
    assert moves["press no-more-bets"] == {"entry": "press no-more-bets", "by": "croupier"}
    assert "bet 2 bonus" not in moves, "nobody bets the bonus without an ante"
    assert closed["decisions"] == ["phase dealing"]
    assert closed["state"]["due"] == "seat-1.1"
    assert drawn["decisions"] == ["card seat-1.1"]
    assert declared["state"]["incidents"] == [
        {"n": 1, "clause": "THB-ERR-2", "remedies": ["discard"], "who": "rule", "closed": "discard"}
    ]
    assert declared["state"]["due"] == "seat-1.1"


def test_what_each_choice_of_the_pit_boss_would_do_stands_with_its_incident(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HAND.partition("> draw")[0] + "> call by ana\n> rule 1 void-hand by ana misdeal\n"
    *_, called, ruled = answers(text, monkeypatch, capsys)
    (incident,) = called["state"]["incidents"]
    assert incident["choices"] == [
        {"remedy": "continue", "fate": "goes-on", "out": [], "seats": [], "needs_reason": False},
        {
            "remedy": "void-hand",
            "fate": "void",
            "out": [],
            "seats": [{"seat": 1, "paid_back": 1000, "taken_back": 0, "bets_back": [], "bets_taken": []}],
            "needs_reason": True,
        },
    ]
    assert "refund 1 ante 1000" in ruled["decisions"]
    (closed,) = ruled["state"]["incidents"]
    assert "choices" not in closed


def test_no_card_is_named_before_the_rules_turn_it_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hidden = answers(HAND, monkeypatch, capsys)[2]["state"]["cards"]
    told = answers(HAND, monkeypatch, capsys, "--sealed")[2]["state"]["cards"]
    assert (hidden, told) == ({}, {"seat-1.1": "7h"})


def test_the_felt_says_where_each_card_lies_and_who_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HAND.partition("> draw")[0].replace("limits ante", "equipment both\nlimits ante")
    text += "> draw 7h\n> seen seat-1 7h\n> draw 8h\n> seen seat-1 8h\n> draw ??\n"
    felt = answers(text, monkeypatch, capsys)[-1]["state"]["felt"]
    assert felt == {
        "seat-1": [{"draw": 1, "slot": "seat-1.1", "by": "antenna"}, {"draw": 3, "slot": "seat-1.2", "by": "shoe"}],
        "house": [{"draw": 2, "slot": "house.1", "by": "shoe", "seen": "seat-1"}],
    }
    told = answers(text, monkeypatch, capsys, "--sealed")[-1]["state"]["felt"]
    assert [card.get("card") for card in (*told["seat-1"], *told["house"])] == ["7h", None, "8h"]


def test_an_entry_that_is_not_among_the_moves_is_refused_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, refused = answers(
        "rulebook texas-bonus\nlimits ante 500..10000\nlimits bonus 100..5000\n> bet 1 ante 500\n> bet 1 bonus 50\n",
        monkeypatch,
        capsys,
    )
    assert refused["decisions"] == ["refused outside-limits THB-LIM-2 bonus=50 limits=100..5000"]
    assert refused["state"] == before["state"]


def test_who_asks_line_by_line_is_answered_line_by_line() -> None:
    asking = [sys.executable, "-m", "tablectl", "play", "--json", "-"]
    with processes.start(asking, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as told:
        assert told.stdin is not None
        assert told.stdout is not None
        for line in ("rulebook texas-bonus", "tracking presence", "> press seat-3"):
            told.stdin.write(f"{line}\n")
            told.stdin.flush()
        assert json.loads(told.stdout.readline())["fact"] == "press seat-3"
        told.stdin.close()
        assert told.wait(timeout=60) == 0


def test_a_line_that_cannot_be_read_changes_nothing_and_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = HAND.replace("> draw 7h", "> draw 1h\n> draw 7h")
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["play", "--json", "-"]) == 2
    told = capsys.readouterr()
    assert "line 8: found 'draw 1h'; expected a card" in told.err
    assert json.loads(told.out.splitlines()[-1])["state"]["due"] == "seat-1.1"


def test_a_file_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("a", "no header\n"), ("b", HAND), ("d", HAND)):
        (tmp_path / f"{name}.hand").write_text(text, encoding="utf-8")
    assert main(["play", *(str(tmp_path / f"{name}.hand") for name in "abcd")]) == 2
    told = capsys.readouterr()
    assert told.out.splitlines()[-1].startswith("2 hand files played through the engine, ")
    assert [line.partition(":")[0] for line in told.err.splitlines()] == [
        str(tmp_path / "a.hand"),
        str(tmp_path / "c.hand"),
    ]


def test_one_file_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--write", "a.hand", "b.hand"]) == 2
    assert capsys.readouterr().err == "--json and --write take one hand file\n"


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_file_that_agrees_is_written_as_it_is(rulebook: str) -> None:
    for path in files_of(rulebook, with_all=False):
        text = path.read_text(encoding="utf-8")
        assert rewritten(text, parse(text), rulebook_of) == text, path.name


def test_a_file_is_written_with_the_decisions_of_today(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = HAND.replace("> press no-more-bets\n", "> press no-more-bets\n< phase betting\n# a note between\n")
    path = tmp_path / "wrong.hand"
    path.write_text(wrong, encoding="utf-8")
    assert main(["play", "--write", str(path)]) == 0
    written = capsys.readouterr().out
    assert (
        "> press no-more-bets\n< phase dealing\n# a note between\n> draw 7h   # the first card\n< card seat-1.1\n"
        in written
    )
    assert "\n< incident THB-ERR-2 expected=seat-1.1 observed=face-up-card remedy=discard who=rule\n" in written
    assert play(parse(written), rulebook_of) == []
    assert rewritten(written, parse(written), rulebook_of) == written
