"""The last hands, asked of the controller: all of them, the unfinished one too, and nothing that is sealed."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from simulators.stage.stage import temporary_folder
from tablectl.api.methods import ENTERED
from tablectl.api.server import ApiServer
from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Tracking
from tablectl.journal.handfile.file import parse
from tablectl.journal.store import Store
from tests.api_context import api_context
from tests.journal.journals import NEVER_SHOWN, SETUP, WHOLE_HAND, Writer, written

UNFINISHED = "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\n"
VOID = UNFINISHED + "draw Kd\npress bank-exposed\npress confirm\npress confirm\n"


@contextmanager
def serving(journal: Path, setup: f.Setup = SETUP) -> Iterator[Path]:
    """The control socket over a journal."""
    path = journal.with_suffix(".sock")
    made = ApiServer(path, api_context(journal, greeting={"table": {"name": "Mesa 1"}}, setup=setup))
    made.start()
    try:
        yield path
    finally:
        made.close()


@pytest.fixture
def journal() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield Path(folder) / "a.db"


def asked(path: Path, what: object) -> list[dict[str, Any]]:
    """Every line that answers, up to the end of the hand or the one line there is."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as line:
        line.settimeout(20)
        line.connect(str(path))
        line.sendall(json.dumps({"recall": what}).encode() + b'\n{"enter": "?"}\n')
        lines = line.makefile("rb")
        heard = []
        while (said := json.loads(lines.readline())) != NO_ENTRY:
            heard.append(said)
        return heard


NO_ENTRY = {
    "ok": False,
    "error": f"'?' is not one of {', '.join(sorted(ENTERED))}",
}


def test_the_last_hands_are_listed_newest_first_with_the_unfinished_one(journal: Path) -> None:
    written(journal, WHOLE_HAND + VOID + UNFINISHED)
    with serving(journal) as path:
        (said,) = asked(path, {"hands": 10})
    third, second, first = said["hands"]
    assert [hand["hand"] for hand in said["hands"]] == [3, 2, 1]
    assert [hand["closed_at"] is None for hand in said["hands"]] == [True, False, False]
    assert (first["void"], first["incidents"]) == (None, [])
    assert (second["void"], second["incidents"]) == ("THB-ERR-1", [{"incident": 1, "clause": "THB-ERR-1"}])
    assert first["opened_at"] < first["closed_at"] < second["opened_at"] < third["opened_at"]
    assert first["seq"][1] + 1 == second["seq"][0]
    assert second["seq"][1] + 1 == third["seq"][0]


@pytest.mark.parametrize(("hands", "listed"), [(1, [3]), (2, [3, 2]), (3, [3, 2, 1]), (100, [3, 2, 1])])
def test_no_more_hands_are_listed_than_were_asked_for(journal: Path, hands: int, listed: list[int]) -> None:
    written(journal, WHOLE_HAND + WHOLE_HAND + UNFINISHED)
    with serving(journal) as path:
        (said,) = asked(path, {"hands": hands})
    assert [hand["hand"] for hand in said["hands"]] == listed


def test_what_is_recorded_between_two_hands_makes_no_hand(journal: Path) -> None:
    written(journal, WHOLE_HAND + "press bank\nrestart")
    with serving(journal) as path:
        (said,) = asked(path, {"hands": 10})
        assert [hand["hand"] for hand in said["hands"]] == [1]
        (unknown,) = asked(path, {"hand": 2})
    assert unknown["why"] == "unknown-hand"


@pytest.mark.parametrize("hand", [1, 2, 3])
def test_a_hand_is_told_from_its_first_record_to_its_last_and_ends(journal: Path, hand: int) -> None:
    written(journal, WHOLE_HAND + VOID + UNFINISHED)
    with serving(journal) as path:
        (listed,) = asked(path, {"hands": 10})
        greeting, *records, end = asked(path, {"hand": hand})
    row = next(listed_hand for listed_hand in listed["hands"] if listed_hand["hand"] == hand)
    assert greeting["table"]["name"] == "Mesa 1"
    assert [record["seq"] for record in records] == list(range(row["seq"][0], row["seq"][1] + 1))
    assert {record["hand"] for record in records} == {hand}
    assert end == {"end": True}


def test_a_hand_that_was_never_played_is_no_hand(journal: Path) -> None:
    written(journal, WHOLE_HAND)
    with serving(journal) as path:
        (said,) = asked(path, {"hand": 7})
    assert said == {"ok": False, "why": "unknown-hand", "error": "there is no hand 7 in this journal"}


def test_with_presence_the_seats_that_the_hand_before_left_are_told_with_it(journal: Path) -> None:
    setup = parse("# t\nrulebook texas-bonus\ntracking presence\n> press new-hand\n").setup
    assert setup.tracking is Tracking.PRESENCE
    seated = "press new-hand\npress seat-1\npress seat-4\npress no-more-bets\ndraw As\ndraw 7d\ndraw Qd\n"
    with Writer(journal, setup) as writer:
        writer.lines("restart\n" + seated + "press bank-exposed\npress confirm\npress confirm\npress new-hand")
    with serving(journal, setup) as path:
        assert [asked(path, {"hand": hand})[0]["carried"] for hand in (1, 2)] == [[], [1, 4]]


def test_no_sealed_card_is_in_a_hand_that_is_recalled(journal: Path) -> None:
    written(journal, WHOLE_HAND + UNFINISHED)
    with serving(journal) as path:
        whole = json.dumps(asked(path, {"hand": 1}))
        unfinished = json.dumps(asked(path, {"hand": 2}))
    assert [code for code in NEVER_SHOWN if f'"{code}"' in whole] == []
    assert '"Kd"' in whole, "what the rules turned up is there"
    assert [card.code for card in DECK if f'"{card.code}"' in unfinished] == []


@pytest.mark.parametrize(
    "what", [{}, {"hands": 0}, {"hands": 101}, {"hands": "1"}, {"hand": 0}, {"hand": -1}, {"hand": 2**63}, 5]
)
def test_a_question_that_is_none_is_answered_with_what_would_be_right(journal: Path, what: object) -> None:
    Store.open(journal).close()
    with serving(journal) as path:
        (said,) = asked(path, what)
    assert not said["ok"]
    assert "recall" in said["error"]


def test_a_journal_that_cannot_be_read_is_said_so(journal: Path) -> None:
    with serving(journal) as path:
        (said,) = asked(path, {"hands": 1})
    assert not said["ok"]
    assert "no such journal" in said["error"]
