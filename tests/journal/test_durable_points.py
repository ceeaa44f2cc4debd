"""`kill -9` at every durable point of a hand: just before a record's commit, just after it, after the first of its
effects, after the last.

The real controller is killed in a process of its own (`tests/journal/mortal.py`). From what it left the hand goes on
twice. Once from `recover` alone: then the finished journal is that of a hand that nobody interrupted, record for
record, but for times, salts, commitments, nonces, keys and hashes, which are new in every journal; the same records are
signed. And once with the real controller started again, a shoe that says its last report once more, as shoes do when
their line comes back, and a croupier who confirms the felt. Left out of that comparison is also what the second start
adds: the opening of the table and the key with which the felt is confirmed (the hand counts that press as well). The
note of an orderly end is no record of the hand; that it is there is looked at by itself. What the confirmation shows
belongs to the record before it. Where the croupier was being asked something at the cut, the felt comes behind that
question, nothing may be declared until then, and the hand cannot go on as it is written: there the second start shows
that the table is held with the same question, and only `recover` goes on. Where he was reading the list of what can be
declared, the second start closes it: he confirms the felt and opens it again, so there, too, only `recover` goes on.

The second copy is never ahead of the journal that was cut off, and after the second start it has all of it.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.cards import card
from tablectl.controller.controller import EXIT_OK
from tablectl.demo.stage import temporary_folder
from tablectl.engine import facts as f
from tablectl.engine.words import Key, Question
from tablectl.journal.copy import check_joins, last_of
from tablectl.journal.keys import load_keys
from tablectl.journal.recovery import Replayed, is_another_report, replay
from tablectl.journal.store import Store
from tablectl.journal.verify import verify
from tablectl.journal.volumes import Shelf
from tablectl.journal.whole import whole
from tablectl.rulebooks.registry import rulebook_of
from tests.journal.journals import WHOLE, Writer, hand_facts, hand_files
from tests.journal.mortal import NO_MORE, Birth, Death, Point, Scripted, config

#: Every card known; unread cards that are named; an incident, a restart and a ruling.
CHOSEN: Final = ("THB-ERR-2-restart-before-the-ruling",)
#: Which of the table's keys are there when its first start is killed at such a moment.
BORN_WITH: Final[Mapping[Birth, tuple[str, ...]]] = {
    Birth.BEFORE_THE_JOURNAL: (),
    Birth.BEFORE_THE_KEY: (),
    Birth.KEY_WITHOUT_A_NAME: (),
    Birth.BETWEEN_THE_KEYS: ("table.key",),
    Birth.SIGNING_KEY_WITHOUT_A_NAME: ("table.key",),
    Birth.AFTER_THE_KEYS: ("table.key", "table.sign"),
    Birth.BEFORE_THE_FIRST_RECORD: ("table.key", "table.sign", "table.pub"),
}
#: What a start leaves that is killed while it writes a key.
LEFT_OVER: Final = ("table.key.4711.new", "table.sign.4711.new")
BEHIND: Final = (Point.AFTER_COMMIT, Point.AFTER_LAMPS, Point.AFTER_ANSWER)
CONFIRMED: Final = f.Pressed(at_us=0, key=Key.CONFIRM)
NAMES: Final = tuple(name for name, _ in hand_files())


class Nursery:
    """Forks controllers that are killed."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.journal.mortal"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def killed(self, hand: str, folder: Path, death: Death) -> tuple[list[tuple[str, int, str]], int]:
        """What reached the world before the end of such a controller, and its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"hand": hand, "folder": str(folder), "seq": death.seq, "point": death.point}
        self._process.stdin.write(json.dumps(order) + "\n")
        told: list[tuple[str, int, str]] = []
        for line in self._process.stdout:
            what, *values = line.split()
            if what == "ended":
                return told, int(values[0])
            told.append((what, int(values[0]), values[1]))
        raise AssertionError("the nursery is gone")

    def close(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    made = Nursery()
    yield made
    made.close()


# --- journals as they can be compared ---------------------------------------------------------------------------------


def all_of(folder: Path) -> list[Replayed]:
    """Every record of the table, verified and decided again; the journal's own notes are verified only."""
    keys = load_keys(folder / "table.key", folder / "table.sign")
    with closing(Shelf(folder / "table.db")) as shelf:
        verdict = verify(shelf.records(), key=keys.signer.public)
        assert verdict.fault is None, verdict.fault
        replayed = list(replay(shelf, keys.vault, rulebook_of))
    assert not [each.stored.seq for each in replayed if each.differs]
    return replayed


def comparable(replayed: Replayed) -> dict[str, Any]:
    """The parts of a record that are the same in every journal of the same facts; cards are open."""
    public = replayed.public
    return {
        "hand": (replayed.stored.hand, public["hand"]),
        "boundary": replayed.stored.boundary,
        "signed": replayed.stored.signature is not None,
        "software": public.get("software"),
        "keys": sorted(public.get("keys", ())),
        "fact": replace(replayed.fact, at_us=0),
        "draw": public["fact"].get("draw"),
        "sealed": replayed.stored.sealed is not None,
        "decisions": public["decisions"],
        "prompt": public["prompt"],
        "reveals": [(each["draw"], each["slot"], each["card"]) for each in public.get("reveals", ())],
        "carry": public.get("carry"),
    }


def without_the_second_start(replayed: list[Replayed], start: int) -> list[dict[str, Any]]:
    """The records of a hand that was interrupted: `start` is the number of the opening that the second start wrote."""
    opened = comparable(replayed[start - 1])
    assert isinstance(opened["fact"], f.Opened)
    made = [comparable(each) for each in replayed]
    if start == 1:
        return made  # nothing was durable before: it is the first start, as it were
    asked = [each["question"] for each in opened["decisions"]]
    assert asked in ([], ["felt"])
    left_out = {start - 1}
    if asked:
        index = next(
            each
            for each in range(start, len(made))
            if made[each]["fact"] == CONFIRMED and made[each - 1]["prompt"]["question"] == "felt"
        )
        before = index - 1 if index > start else start - 2
        made[before]["decisions"] = made[before]["decisions"] + made[index]["decisions"]
        made[before]["prompt"] = made[index]["prompt"]
        left_out.add(index)
        behind = (each for one in made[index:] for each in one["decisions"] if each["kind"] == "hand-closed")
        for closed in islice(behind, 1):
            closed["presses"] -= 1
    return [each for index, each in enumerate(made) if index not in left_out]


# --- going on ---------------------------------------------------------------------------------------------------------


def recovered_and_played_on(folder: Path, setup: f.Setup, rest: list[f.Fact]) -> tuple[bool, bool]:
    """The rest of the facts behind what `recover` finds; whether the croupier was being asked something then, and
    whether he was reading the list of what can be declared."""
    with Writer(folder / "table.db", setup) as writer:
        writer.recover(load_keys(folder / "table.key", folder / "table.sign"))
        is_asked = any(pending.question is not Question.FELT for pending in writer.table.state.asking)
        is_reading = bool(writer.table.state.menu)
        for fact in rest:
            writer.enter(fact)
    return is_asked, is_reading


# --- the shoe ---------------------------------------------------------------------------------------------------------


def said_again(facts: list[f.Fact]) -> f.Fact | None:
    """The shoe's last report, where it was a card: it says that once more when its line comes back."""
    for fact in reversed(facts):
        if isinstance(fact, f.Drawn):
            return fact
        if isinstance(fact, f.DeviceSaid) and fact.role == "shoe" and is_another_report(fact.what):
            return None
    return None


# --- the test ---------------------------------------------------------------------------------------------------------


def uninterrupted(hand: str) -> list[dict[str, Any]]:
    setup, facts = hand_facts(hand)
    with temporary_folder() as name:
        folder = Path(name)
        assert Scripted(config(folder, setup), facts[1:]).run() == EXIT_OK
        made = [comparable(each) for each in all_of(folder)]
        ended_in_order_and_copied(folder)
    assert [each["fact"] for each in made] == [replace(each, at_us=0) for each in facts]
    assert [each["signed"] for each in made] == [
        isinstance(each["fact"], f.Opened) or any(said["kind"] == "hand-closed" for said in each["decisions"])
        for each in made
    ]
    return made


def reached(told: list[tuple[str, int, str]], what: str) -> set[int]:
    return {seq for effect, seq, _ in told if effect == what}


def cut(nursery: Nursery, hand: str, death: Death, uncut: list[dict[str, Any]], folder: Path) -> int:
    """Kill a controller there: what reached the world is durable, and the other way round. How many records it left."""
    seq, point = death.seq, death.point
    told, status = nursery.killed(hand, folder, death)
    assert status == -signal.SIGKILL
    n_durable = seq - 1 if point is Point.BEFORE_COMMIT else seq
    left = all_of(folder) if n_durable else []
    assert [comparable(each) for each in left] == uncut[:n_durable]
    with closing(Store.read(folder / "table.db")) as store:
        assert store.newest == n_durable
        check_joins(folder / "table.copy", store)
    hashes = {each.stored.seq: each.stored.hash.hex() for each in left}
    assert [link for _, of, link in told if hashes.get(of) != link] == []
    n_lamps = seq if point in (Point.AFTER_LAMPS, Point.AFTER_ANSWER) else seq - 1
    assert reached(told, "lamps") == set(range(1, n_lamps + 1))
    n_answers = seq if point is Point.AFTER_ANSWER else seq - 1
    assert reached(told, "answer") == set(range(2, n_answers + 1))  # the first fact is the start, entered by nobody
    return n_durable


def go_on(folder: Path, hand: str, n_durable: int, late: f.Drawn | None, uncut: list[dict[str, Any]]) -> None:
    """Play the rest of the hand behind so many records, in both ways. `late`: a card that is not on record yet."""
    setup, facts = hand_facts(hand)
    with temporary_folder() as another:
        copied(folder, Path(another))
        is_asked, is_reading = recovered_and_played_on(Path(another), setup, facts[n_durable:])
        assert [comparable(each) for each in all_of(Path(another))] == uncut
    if is_asked or is_reading:
        assert Scripted(config(folder, setup), [], at_once=said_again(facts[:n_durable])).run() == EXIT_OK
        ended_in_order_and_copied(folder)
        made = [comparable(each) for each in all_of(folder)]
        assert made[:n_durable] == uncut[:n_durable]
        opened, *confirmed = made[n_durable:]
        asked = uncut[n_durable - 1]["prompt"]["question"] if is_asked else "felt"
        assert (opened["prompt"]["question"], opened["prompt"]["held"]) == (asked, True)
        assert opened["prompt"]["offers"] == []
        assert [(each["fact"], each["decisions"]) for each in confirmed] == ([] if is_asked else [(CONFIRMED, [])])
        assert [each["prompt"]["offers"] for each in confirmed if each["prompt"]["offers"]] == []
        return
    rest = facts[max(n_durable, 1) :]
    if late is not None:
        rest.remove(late)
    restarted = Scripted(config(folder, setup), rest, at_once=late or said_again(facts[:n_durable]))
    assert restarted.run() == EXIT_OK
    ended_in_order_and_copied(folder)
    made = without_the_second_start(all_of(folder), n_durable + 1)
    assert made == uncut


def ended_in_order_and_copied(folder: Path) -> None:
    """The last word is that the controller ended in order, signed; the copy has all of it."""
    with closing(Shelf(folder / "table.db")) as shelf:
        *_, last = shelf.records()
    assert json.loads(last.public)["fact"] == {"kind": "stopped", "why": NO_MORE}
    assert last.signature is not None
    checked = whole(folder / "table.db", folder / "table.copy")
    assert checked.end.seq == last.seq
    assert last_of(folder / "table.copy") == checked.end


def copied(folder: Path, target: Path) -> None:
    """What a power cut leaves: the file, its log, the keys."""
    for name in ("table.db", "table.db-wal", "table.key", "table.sign"):
        shutil.copy(folder / name, target / name)


def cut_everywhere(nursery: Nursery, hand: str, goes_on: Callable[[int, Point], bool]) -> None:
    uncut, facts = uninterrupted(hand), hand_facts(hand)[1]
    for seq in range(1, len(uncut) + 1):
        for point in Point:
            with temporary_folder() as folder:
                n_durable = cut(nursery, hand, Death(seq=seq, point=point), uncut, Path(folder))
                interrupted = facts[seq - 1]
                late = interrupted if n_durable < seq and isinstance(interrupted, f.Drawn) else None
                if goes_on(seq, point):
                    go_on(Path(folder), hand, n_durable, late, uncut)


@pytest.mark.wide
@pytest.mark.parametrize("hand", CHOSEN)
def test_a_hand_killed_at_any_durable_point_ends_as_if_nobody_had_killed_it(nursery: Nursery, hand: str) -> None:
    """Behind a commit the disk changes no more: of the three points there, one goes on, in turn."""
    cut_everywhere(nursery, hand, lambda seq, point: point in (Point.BEFORE_COMMIT, BEHIND[seq % len(BEHIND)]))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("hand", [WHOLE, *NAMES])
def test_every_hand_killed_at_any_durable_point_ends_as_if_nobody_had_killed_it(nursery: Nursery, hand: str) -> None:
    cut_everywhere(nursery, hand, lambda *_: True)


@pytest.mark.parametrize("point", Birth)
def test_a_table_killed_before_its_first_record_is_made_by_the_next_start(nursery: Nursery, point: Birth) -> None:
    """A key that has its name by then is the table's for ever; no other one is left behind."""
    setup, facts = hand_facts(WHOLE)
    with temporary_folder() as name:
        folder = Path(name)
        assert nursery.killed(WHOLE, folder, Death(seq=1, point=point)) == ([], -signal.SIGKILL)
        before = {each: (folder / each).read_bytes() for each in BORN_WITH[point]}
        born = {each for each in ("table.db", "table.key", "table.sign", "table.pub") if (folder / each).exists()}
        assert born == {*before, "table.db"}, "an empty file of its owner, before anything is in it"
        assert Scripted(config(folder, setup), facts[1:]).run() == EXIT_OK
        assert {each: (folder / each).read_bytes() for each in before} == before
        assert not list(folder.glob("*.new"))
        assert [comparable(each) for each in all_of(folder)] == uninterrupted(WHOLE)


def test_a_key_that_was_cut_off_half_written_is_in_nobodys_way() -> None:
    """A key gets its name when it is whole; what a killed start leaves has another one."""
    setup, facts = hand_facts(WHOLE)
    with temporary_folder() as name:
        folder = Path(name)
        for each in LEFT_OVER:
            (folder / each).write_bytes(b"half a key")
        assert Scripted(config(folder, setup), facts[1:]).run() == EXIT_OK
        assert not [each for each in LEFT_OVER if (folder / each).exists()]
        assert [comparable(each) for each in all_of(folder)] == uninterrupted(WHOLE)


# --- the shoe's last report -------------------------------------------------------------------------------------------

#: What a shoe's driver says behind a card without another report of the shoe.
NO_OTHER_REPORT: Final = ("lock-accepted", "lock-refused", "lock-unanswered", "retransmission", "error-mode")
DEALING: Final = 5


def drawn_in(folder: Path) -> list[str | None]:
    cards = [each.fact.card for each in all_of(folder) if isinstance(each.fact, f.Drawn)]
    return [card.code if card is not None else None for card in cards]


def dealt_then_restarted(folder: Path, behind: list[f.Fact], *, at_once: f.Fact | None, then: list[f.Fact]) -> None:
    """The first records of a hand with these behind them; a second start, with a croupier who confirms the felt."""
    setup, facts = hand_facts(WHOLE)
    assert Scripted(config(folder, setup), [*facts[1:DEALING], *behind]).run() == EXIT_OK
    assert Scripted(config(folder, setup), then, at_once=at_once).run() == EXIT_OK


@pytest.mark.parametrize("what", [*NO_OTHER_REPORT, "error", "started"])
@pytest.mark.parametrize("code", ["As", None])
def test_a_card_that_is_said_again_behind_a_note_is_on_record_once(what: str, code: str | None, tmp_path: Path) -> None:
    """Where the shoe said something else, the same is another draw: for a known card, of a defective deck."""
    drawn = f.Drawn(at_us=0, card=card(code) if code is not None else None)
    note = f.DeviceSaid(at_us=0, device="sabot", role="shoe", what=what)
    dealt_then_restarted(tmp_path, [drawn, note], at_once=drawn, then=[])
    once = what in NO_OTHER_REPORT
    if once or code is None:
        assert drawn_in(tmp_path) == [code] * (1 if once else 2)
    else:
        *_, again = (each for each in all_of(tmp_path) if isinstance(each.fact, f.Drawn))
        assert [each["kind"] for each in again.decisions] == ["refused"], (
            "the engine knows it too: nobody drew it twice"
        )


def test_an_unread_card_that_is_drawn_behind_a_restart_is_another_one(tmp_path: Path) -> None:
    unread = f.Drawn(at_us=0, card=None)
    dealt_then_restarted(tmp_path, [unread], at_once=unread, then=[unread, unread])
    assert drawn_in(tmp_path) == [None] * 3
    with temporary_folder() as another:
        dealt_then_restarted(Path(another), [unread], at_once=None, then=[unread])
        assert drawn_in(Path(another)) == [None] * 2
