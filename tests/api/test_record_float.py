"""The tray is counted, filled and credited by a controller that runs, at any time, on record, by two."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from simulators import processes
from simulators.stage.stage import Scene
from simulators.stage.summary import check
from tablectl.api.client import ask
from tablectl.api.client import lines as client_lines
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.journal.float_reader import FloatReader
from tests.desk import LONG_S, Desk, desk
from tests.screens import hands

#: How often it is looked whether a controller listens, in seconds.
_LOOK_S: Final = 0.05

pytestmark = pytest.mark.system


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        made.start()
        yield made


def enter(table: Desk, act: str, amount: object, **more: object) -> dict[str, Any]:
    return ask(table.socket, {"float": act, "amount": amount, "by": "ana", **more}, timeout_s=LONG_S)


def expected(table: Desk) -> dict[str, Any]:
    return ask(table.socket, {"ask": "float"}, timeout_s=LONG_S)


def play(table: Desk) -> None:
    """A hand in which the bank pays 120 €."""
    for line in filter(None, hands.WHOLE.splitlines()):
        if line.startswith("draw "):
            table.deal(line.removeprefix("draw "))
        else:
            assert table.enter(line)["refused"] is None


def change_of(table: Desk, after: int) -> int:
    closed = [
        decision
        for record in table.records(after)
        for decision in record["decisions"]
        if decision["kind"] == "hand-closed"
    ]
    return sum(decision["float_change"] for decision in closed)


def test_older_entries_are_told_twenty_at_a_time(table: Desk) -> None:
    first = table.newest + 1
    for number in range(1, 23):
        assert enter(table, "fill", number)["ok"]
    newest = expected(table)
    assert [entry["amount"] for entry in newest["entries"]] == list(range(22, 2, -1))
    asked = {"ask": "float", "before": newest["before"]}
    older = ask(table.socket, asked, timeout_s=LONG_S)
    assert older == {"ok": True, "entries": older["entries"], "before": None}
    assert [(entry["seq"], entry["amount"]) for entry in older["entries"]] == [(first + 1, 2), (first, 1)]
    assert ask(table.socket, {**asked, "before": first}, timeout_s=LONG_S)["entries"] == []
    for wrong in ({"ask": "float", "before": 0}, {"ask": "decks", "before": 5}):
        assert ask(table.socket, wrong, timeout_s=LONG_S)["ok"] is False


def test_a_count_a_fill_and_a_credit_are_records_and_hands_change_what_is_expected(table: Desk) -> None:
    assert (expected(table)["expected"], expected(table)["unknown"]) == (None, "no-count")
    before = table.newest
    assert enter(table, "count", 1_000_000, second="luis") == {"ok": True, "seq": before + 1, "expected": None}
    assert enter(table, "fill", 250_000)["ok"]
    assert enter(table, "credit", 50_000)["ok"]
    facts = [record["fact"] for record in table.records(before)]
    assert facts == [
        {"kind": "float-counted", "amount": 1_000_000, "expected": None, "by": "ana", "second": "luis"},
        {"kind": "float-filled", "amount": 250_000, "by": "ana", "second": ""},
        {"kind": "float-credited", "amount": 50_000, "by": "ana", "second": ""},
    ]
    play(table)
    change = change_of(table, before)
    assert change == -12_000
    assert expected(table)["expected"] == 1_200_000 + change
    told = enter(table, "count", 1_200_000)
    assert told["expected"] == 1_200_000 + change
    assert table.records(table.newest - 1)[0]["fact"]["expected"] == 1_200_000 + change
    assert expected(table)["expected"] == 1_200_000, "from the count on, whatever the difference was"


def test_in_a_hand_what_is_expected_is_that_of_the_last_one_that_closed(table: Desk) -> None:
    table.open_hand()
    before, prompt = table.newest, table.records(table.newest - 1)[0]["prompt"]
    assert enter(table, "count", 700_000)["ok"]
    assert enter(table, "fill", 1000)["ok"]
    assert [record["prompt"] for record in table.records(before)] == [prompt, prompt], (
        "the croupier is told what he was"
    )
    told = expected(table)
    assert (told["expected"], told["is_hand_open"]) == (701_000, True)
    table.play_on()
    assert (expected(table)["expected"], expected(table)["is_hand_open"]) == (701_000 + change_of(table, before), False)
    assert table.stop() == 0
    assert check(table.journal).good


@contextmanager
def process(table: Desk) -> Iterator[subprocess.Popen[bytes]]:
    """The controller in a process of its own, at this table; killed at the end of the context."""
    command = [sys.executable, "-m", "tablectl", "run", str(table.config)]
    with processes.start(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            for _ in range(int(LONG_S / _LOOK_S)):
                if not table.is_deaf():
                    break
                time.sleep(_LOOK_S)
            yield running
        finally:
            running.kill()


def test_what_was_entered_is_there_after_the_controller_was_killed_and_the_journal_is_whole() -> None:
    with desk() as table:
        with process(table):
            assert enter(table, "count", 500_000)["ok"]
            assert table.enter("press new-hand")["refused"] is None
            assert enter(table, "fill", 20_000)["ok"]
            told = expected(table)
        with process(table):
            again = expected(table)
        assert (again["expected"], again["unknown"], again["is_hand_open"]) == (520_000, None, True)
        assert again["entries"] == told["entries"]
        assert [entry["kind"] for entry in again["entries"]] == ["float-filled", "float-counted"]
        assert check(table.journal).good


def test_entries_of_before_the_last_count_are_listed_again_after_a_restart(table: Desk) -> None:
    for amount in (1000, 2000, 3000):
        assert enter(table, "count", amount)["ok"]
    table.open_hand()
    table.play_on()
    assert enter(table, "count", 4000)["ok"]
    told = expected(table)["entries"]
    assert [entry["amount"] for entry in told] == [4000, 3000, 2000, 1000]
    table.stop()
    table.start()
    assert expected(table)["entries"] == told


def test_it_is_in_the_hand_again_in_its_evidence_and_in_a_journal_made_from_the_copy(table: Desk) -> None:
    table.open_hand()
    assert enter(table, "count", 700_000, second="luis")["ok"]
    table.play_on()
    expected_then = expected(table)["expected"]
    lines = ask_all(table, {"recall": {"hand": 1}})
    assert "float-counted" in [line["fact"]["kind"] for line in lines if "fact" in line]
    table.until_copied()
    copy = load(table.config).copy
    assert table.stop() == 0
    archive, again = table.folder / "hand.zip", table.folder / "again" / "table.db"
    assert main(["journal", "export", str(table.journal), "--hand", "1", "--bundle", str(archive)]) == 0
    with zipfile.ZipFile(archive) as bundle:
        pages = [bundle.read(name).decode() for name in bundle.namelist() if name.endswith(".html")]
    assert any("arqueo de la caja, 700" in page for page in pages)
    again.parent.mkdir()
    assert main(["journal", "restore", str(copy), str(again)]) == 0
    assert FloatReader(again).now()[0].expected == expected_then


def ask_all(table: Desk, question: object) -> list[dict[str, Any]]:
    return list(itertools.takewhile(lambda line: "end" not in line, client_lines(table.socket, question)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"float": "sold", "amount": 5, "by": "ana"},
        {"float": "count", "amount": True, "by": "ana"},
        {"float": "count", "amount": 5.0, "by": "ana"},
        {"float": "count", "amount": "5", "by": "ana"},
        {"float": "count", "amount": -1, "by": "ana"},
        {"float": "count", "amount": 10**12 + 1, "by": "ana"},
        {"float": "fill", "amount": 0, "by": "ana"},
        {"float": "credit", "amount": 0, "by": "ana"},
        {"float": "count", "amount": 5, "by": "Ana R"},
        {"float": "count", "amount": 5, "by": "ana", "second": "Luis M"},
        {"float": "count", "amount": 5},
        {"float": "count", "by": "ana"},
        {"float": "count", "amount": 500, "chips": [{"value": 500, "count": 1}], "by": "ana"},
        {"float": "count", "chips": [{"value": 500, "count": 1}, {"value": 500, "count": 2}], "by": "ana"},
        {"float": "count", "chips": [{"value": 500, "count": -1}], "by": "ana"},
        {"float": "count", "chips": [{"value": 500, "count": 10**10}], "by": "ana"},
        {"float": "fill", "chips": [{"value": 500, "count": 0}], "by": "ana"},
    ],
)
def test_what_is_no_entry_is_told_what_would_be_right_and_nothing_is_written(
    quiet: Desk, wrong: dict[str, object]
) -> None:
    before = quiet.newest
    assert ask(quiet.socket, wrong)["error"].startswith(
        'expected {"float": one of opening, fill, credit, count, closing'
    )
    assert quiet.newest == before


@pytest.fixture(scope="module")
def quiet() -> Iterator[Desk]:
    """A circle game with chips of 1 €, and people who are known."""
    with desk(scene=Scene(rulebook="circle-holdem", chip=100)) as made:
        made.start()
        yield made


@pytest.mark.parametrize("second", ["", "ana"])
def test_where_people_are_known_two_different_ones_enter_it(quiet: Desk, second: str) -> None:
    before = quiet.newest
    reply = enter(quiet, "count", 5000, second=second)
    assert (reply["ok"], reply["why"]) == (False, "second-person")
    assert quiet.newest == before
    assert enter(quiet, "count", 5000, second="luis")["ok"]


def test_an_amount_is_whole_chips(quiet: Desk) -> None:
    before = quiet.newest
    reply = enter(quiet, "fill", 5250, second="luis")
    assert (reply["why"], reply["error"]) == (
        "no-chips",
        "5250 is no whole number of chips: the smallest one is worth 100",
    )
    assert quiet.newest == before


# --- by denomination --------------------------------------------------------------------------------------------------

HOUSE: Final = (100, 500, 2500)
CHIPS: Final = [{"value": 500, "count": 40}, {"value": 2500, "count": 20}]
COUNTING: Final = Scene(denominations=HOUSE, staff=False)


@pytest.fixture
def counting() -> Iterator[Desk]:
    """A table of a house that counts by denomination."""
    with desk(scene=COUNTING) as made:
        made.start()
        yield made


def enter_chips(table: Desk, act: str, **more: object) -> dict[str, Any]:
    return ask(table.socket, {"float": act, "chips": CHIPS, "by": "ana", "second": "luis", **more}, timeout_s=LONG_S)


def facts(table: Desk, after: int) -> list[dict[str, Any]]:
    return [record["fact"] for record in table.records(after)]


def test_the_forms_of_an_evening_are_on_record_with_their_chips_and_nobody_adds_them_up(counting: Desk) -> None:
    before = counting.newest
    assert enter_chips(counting, "opening") == {"ok": True, "seq": before + 2, "expected": None}
    begun, opened = facts(counting, before)
    assert begun["kind"] == "format", "before the first hand there is nothing that an older version would go on with"
    assert opened == {
        "kind": "float-counted",
        "amount": 70_000,
        "expected": None,
        "by": "ana",
        "second": "luis",
        "occasion": "opening",
        "chips": CHIPS,
    }
    assert enter_chips(counting, "fill", chips=[{"value": 2500, "count": 2}, {"value": 500, "count": 0}])["ok"]
    counting.open_hand()
    counting.play_on()
    was = expected(counting)["expected"]
    assert enter_chips(counting, "closing")["expected"] == was
    assert facts(counting, counting.newest - 1)[0]["occasion"] == "closing"
    told = expected(counting)
    assert told["expected"] == 70_000
    assert [(entry["kind"], entry.get("occasion")) for entry in told["entries"]] == [
        ("float-counted", "closing"),
        ("float-filled", None),
        ("float-counted", "opening"),
    ]
    assert told["entries"][1]["chips"] == [{"value": 2500, "count": 2}], "a denomination without a chip is none"
    assert counting.stop() == 0
    assert check(counting.journal).good
    assert FloatReader(counting.journal).answer(1)["entries"] == tuple(told["entries"])


def test_a_journal_that_goes_on_from_an_older_version_has_the_amounts_until_a_hand_was_closed() -> None:
    with desk(scene=COUNTING) as table:
        table.played_before(hands.WHOLE)
        table.start()
        before = table.newest
        assert enter_chips(table, "opening")["ok"]
        (fact,) = facts(table, before)
        assert fact == {"kind": "float-counted", "amount": 70_000, "expected": None, "by": "ana", "second": "luis"}
        table.open_hand()
        table.play_on()
        assert enter_chips(table, "closing")["ok"]
        assert facts(table, table.newest - 1)[0]["chips"] == CHIPS


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"float": "count", "amount": 500}, "no-denominations"),
        ({"float": "fill", "chips": [{"value": 700, "count": 1}]}, "strange-chips"),
    ],
)
def test_an_entry_is_in_the_chips_of_the_house(counting: Desk, asked: dict[str, object], why: str) -> None:
    before = counting.newest
    reply = ask(counting.socket, {**asked, "by": "ana"}, timeout_s=LONG_S)
    assert (reply["ok"], reply["why"]) == (False, why)
    assert counting.newest == before


def test_an_empty_tray_is_counted_without_any_chip(counting: Desk) -> None:
    assert enter_chips(counting, "count", chips=[])["ok"]
    assert expected(counting)["expected"] == 0


def test_chips_of_a_house_without_denominations_are_not_taken(table: Desk) -> None:
    reply = enter_chips(table, "count")
    assert reply["why"] == "strange-chips"
    assert "[float]" in reply["error"]


# --- from a terminal --------------------------------------------------------------------------------------------------

Captured = pytest.CaptureFixture[str]


def said(table: Desk, capsys: Captured, *words: str, status: int = 0) -> str:
    assert main(["table", "float", str(table.config), *words]) == status
    captured = capsys.readouterr()
    return captured.err if status else captured.out


def test_from_a_terminal(table: Desk, capsys: Captured) -> None:
    name = "Mesa 1"
    assert said(table, capsys).startswith(f"{name}: expected float not known: nobody has counted")
    told = said(table, capsys, "--counted", "100000", "--by", "ana", "--second", "luis")
    assert told == f"{name}: counted 100000 (€1,000.00), what to expect was not known (record {table.newest})\n"
    assert said(table, capsys, "--fill", "5000", "--by", "ana").startswith(f"{name}: filled with 5000 (€50.00) (record")
    assert said(table, capsys, "--credit", "1000", "--by", "ana").startswith(
        f"{name}: credited with 1000 (€10.00) (record"
    )
    counted = table.newest - 2
    made_of = f"counted 100000 (record {counted}), fills 5000, credits 1000, 0 hands +0"
    assert said(table, capsys) == f"{name}: expected float 104000 (€1,040.00): {made_of}\n"
    assert json.loads(said(table, capsys, "--json"))["expected"] == 104_000
    told = said(table, capsys, "--counted", "103500", "--by", "ana")
    assert (
        told
        == f"{name}: counted 103500 (€1,035.00), expected 104000 (€1,040.00), difference -500 (record {table.newest})\n"
    )
    table.open_hand()
    assert said(table, capsys).endswith("; as of the last hand that closed, one is in play\n")


def test_what_cannot_be_entered_from_a_terminal(quiet: Desk, capsys: Captured) -> None:
    assert "two different persons" in said(quiet, capsys, "--counted", "500", "--by", "ana", status=1)
    for words in (["--counted", "500"], ["--by", "ana"], ["--second", "luis"]):
        assert "give both, or none" in said(quiet, capsys, *words, status=2)


def test_without_a_controller_nothing_is_known(capsys: Captured) -> None:
    with desk() as made:
        assert "no controller" in said(made, capsys, status=2)


def test_more_than_should_lie_in_the_tray_is_not_taken_out_of_it(table: Desk) -> None:
    assert enter(table, "credit", 7_000)["ok"], "nobody has counted, so nobody can know"
    enter(table, "count", 100_000)
    before = table.newest
    reply = enter(table, "credit", 100_100)
    assert (reply["ok"], reply["why"]) == (False, "above-tray")
    assert reply["error"].endswith("correct the count first")
    assert table.newest == before, "nothing is on record"
    assert enter(table, "credit", 100_000)["ok"], "all of it can be"
    assert expected(table)["expected"] == 0
    assert enter(table, "credit", 100)["why"] == "above-tray"


def test_chips_from_a_terminal(counting: Desk, capsys: Captured) -> None:
    names = ("--by", "ana", "--second", "luis")
    told = said(counting, capsys, "--opening", "40x500,20x2500", *names)
    assert told.startswith("Mesa 1: opened with 70000 (€700.00), what to expect was not known (record ")
    assert "counts by denomination" in said(counting, capsys, "--fill", "5000", *names, status=1)
    told = said(counting, capsys, "--closing", "20x2500", *names)
    assert "closed with 50000 (€500.00), expected 70000 (€700.00), difference -20000" in told
    assert facts(counting, counting.newest - 1)[0]["chips"] == [{"value": 2500, "count": 20}]


@pytest.mark.parametrize(
    "text",
    [
        "40x",
        "40x500,",
        "40x500,7",
        "x500",
        "40X500",
        "40 x 500",
        "-1x500",
        "1_000",
        "1.000",
        "1,000",
        "+5",
        "-5",
        "٣",
        "ten",
        "",
    ],
)
def test_the_command_takes_digits_alone(quiet: Desk, capsys: pytest.CaptureFixture[str], text: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["table", "float", str(quiet.config), f"--counted={text}", "--by", "ana"])
    assert ended.value.code == 2
    assert "40x500,20x2500" in capsys.readouterr().err
