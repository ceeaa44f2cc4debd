"""`kill -9` at every durable point of a hand: just before a record's commit, just after it, after the first of its
effects, after the last.

The real controller is killed in a process of its own (`tests/journal/mortal.py`). From what it left the hand goes on
twice. Once from `recover` alone: then the finished journal is that of a hand that nobody interrupted, record for
record, but for times, salts, commitments, nonces, keys and hashes, which are new in every journal; the same records are
signed. And once with the real controller started again, a shoe that says its last report once more, as shoes do when
their line comes back, and a croupier who confirms the felt. Left out of that comparison is also what the second start
adds: the opening of the table and the key with which the felt is confirmed (the hand counts that press as well). The
note of an orderly end is no record of the hand; that it is there is looked at by itself. What the confirmation shows
belongs to the record before it. Where the croupier was being asked something at the cut, the felt comes after that
question, nothing may be declared until then, and the hand cannot go on as it is written: there the second start shows
that the table is held with the same question, and only `recover` goes on. Where he was reading the list of what can be
declared, or was asked about what he declares, the second start closes it: he confirms the felt first, so there, too,
only `recover` goes on.

The second copy is never ahead of the journal that was cut off, and after the second start it has all of it.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from simulators import processes
from simulators.stage.stage import temporary_folder
from tablectl.core.cards import Card, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Key, Question
from tablectl.core.events.codec import NOTES
from tablectl.games.registry import rulebook_of
from tablectl.journal.copy import check_joins, last_of
from tablectl.journal.keys import load_keys
from tablectl.journal.recovery import Replayed, is_another_report, replay
from tablectl.journal.store import Store, Stored
from tablectl.journal.verify import verify
from tablectl.journal.verify_full import verify_full
from tablectl.journal.volumes import VolumeSet
from tablectl.table.controller.controller import EXIT_OK
from tests.journal.journals import WHOLE, Writer, hand_facts, hand_files
from tests.journal.mortal import NO_MORE, Birth, Death, Point, Scripted, config
from tests.thorough import some_of

#: An incident, a restart and a ruling; actions and what can be taken back of them; a discard, a stub and a new one.
CHOSEN: Final = (
    "THB-ERR-2-restart-before-the-ruling",
    "THL-END-1-corrected-until-a-card-comes",
    "FCD-DSC-10-gathered-for-a-new-stub",
)
#: How often each hand dies in `make test-slow`.
DEATHS: Final = 2
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
AFTER: Final = (Point.AFTER_COMMIT, Point.AFTER_LAMPS, Point.AFTER_ANSWER)
CONFIRMED: Final = f.Pressed(at_us=0, key=Key.CONFIRM)
NAMES: Final = tuple(name for name, _ in hand_files())


class Effect(NamedTuple):
    """What reached the world after so many facts; the newest record at that moment."""

    what: str
    nth: int
    seq: int
    hash: str


class Nursery:
    """Forks controllers that are killed."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.journal.mortal"]
        self._process = processes.start(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def killed(self, hand: str, folder: Path, death: Death) -> tuple[list[Effect], int]:
        """What reached the world before the end of such a controller, and its exit status."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        order = {"hand": hand, "folder": str(folder), "nth": death.nth, "point": death.point}
        self._process.stdin.write(json.dumps(order) + "\n")
        told: list[Effect] = []
        for line in self._process.stdout:
            what, *values = line.split()
            if what == "ended":
                return told, int(values[0])
            told.append(Effect(what, int(values[0]), int(values[1]), values[2]))
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
    with closing(VolumeSet(folder / "table.db")) as volume_set:
        verdict = verify(volume_set.records(), key=keys.signer.public)
        assert verdict.fault is None, verdict.fault
        assert [seq for seq, is_signed, is_due in signatures(volume_set.records()) if is_signed != is_due] == []
        replayed = list(replay(volume_set, keys.vault, rulebook_of))
    assert not [step.stored.seq for step in replayed if step.differs]
    return replayed


def signatures(records: Iterable[Stored]) -> Iterator[tuple[int, bool, bool]]:
    """Of each record its number, whether it is signed and whether it has to be: starts, notes, ends of hands, and after
    the `format` note whatever comes while no hand is open. A table killed before that note has it from its next hand
    on."""
    is_in_hand = has_format = False
    for stored in records:
        public = json.loads(stored.public)
        kind, said = public["fact"]["kind"], {decision["kind"] for decision in public.get("decisions", ())}
        is_in_hand = (is_in_hand or "hand-opened" in said) and "hand-closed" not in said
        is_between = has_format and not is_in_hand
        is_due = is_between or "hand-closed" in said or kind in NOTES or kind in ("opened", "game-chosen")
        yield stored.seq, stored.signature is not None, is_due
        has_format = has_format or kind == "format"


def comparable(replayed: Replayed) -> dict[str, Any]:
    """The parts of a record that are the same in every journal of the same facts; cards are open."""
    public = json.loads(replayed.stored.public)
    assert replayed.fact is not None, "a note that differs"
    return {
        "hand": (replayed.stored.hand, public["hand"]),
        "boundary": replayed.stored.boundary,
        "software": public.get("software"),
        "keys": sorted(public.get("keys", ())),
        "fact": replace(replayed.fact, at_us=0),
        "draw": public["fact"].get("draw"),
        "sealed": replayed.stored.sealed is not None,
        "decisions": public["decisions"],
        "prompt": public["prompt"],
        "reveals": [(reveal["draw"], reveal["slot"], reveal["card"]) for reveal in public.get("reveals", ())],
        "carry": public.get("carry"),
    }


def without_the_second_start(replayed: list[Replayed], start: int, again: int) -> list[dict[str, Any]]:
    """The records of a hand that was interrupted: `start` is the number of the opening that the second start wrote,
    `again` how many records after it are what devices say once more."""
    opened = comparable(replayed[start - 1])
    assert isinstance(opened["fact"], f.Opened)
    made = [comparable(step) for step in replayed]
    if start == 1:
        return made  # nothing was durable before: it is the first start, as it were
    asked = [decision["question"] for decision in opened["decisions"] if decision["kind"] == "asked"]
    assert asked in ([], ["felt"])
    left_out = {start - 1, *(number for number in range(start, start + again))}
    if asked:
        index = next(
            number
            for number in range(start, len(made))
            if made[number]["fact"] == CONFIRMED and made[number - 1]["prompt"]["question"] == "felt"
        )
        before = index - 1 if index > start + again else start - 2
        made[before]["decisions"] = made[before]["decisions"] + made[index]["decisions"]
        made[before]["prompt"] = made[index]["prompt"]
        left_out.add(index)
        after = (decision for one in made[index:] for decision in one["decisions"] if decision["kind"] == "hand-closed")
        for closed in islice(after, 1):
            closed["presses"] -= 1
    return [entry for index, entry in enumerate(made) if index not in left_out]


# --- going on ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Left:
    """What a cut left to the second start: what the croupier was being asked, whether he was or was reading the list of
    what can be declared, whether a hand was open, and which cards lie where an antenna sees them."""

    asked: Question | None
    is_busy: bool
    is_in_play: bool
    felt: frozenset[tuple[str, Card | None]]


def recovered_and_played_on(folder: Path, setup: f.Setup, rest: list[f.Fact], software: str) -> Left:
    """The rest of the facts after what `recover` finds, written by this program."""
    with Writer(folder / "table.db", setup) as writer:
        writer.recover(load_keys(folder / "table.key", folder / "table.sign"), software=software)
        state = writer.table.state
        asking = [pending for pending in state.asking if pending.question is not Question.FELT]
        left = Left(
            asked=next((pending.question for pending in asking if pending.what is None), None),
            is_busy=bool(state.menu or asking),
            is_in_play=state.in_play,
            felt=frozenset(
                (state.felt.seen_at[draw.number], draw.card)
                for draw in state.deal.draws
                if draw.number in state.felt.seen_at
            ),
        )
        for fact in rest:
            writer.enter(fact)
    return left


# --- the devices ------------------------------------------------------------------------------------------------------


def said_again(facts: list[f.Fact], left: Left) -> list[f.Fact]:
    """What devices say once more when their lines come back: a shoe its last report, where it was a card, antennas what
    they see. A device that was away is still."""
    there: dict[object, f.Fact] = {}
    for fact in facts:
        match fact:
            case f.Seen(spot=spot, card=card) if (spot, card) in left.felt:
                there[card or spot] = fact
            case f.DeviceLost(role=role, device=device):
                there[role, device] = fact
            case f.DeviceBack(role=role, device=device):
                there.pop((role, device), None)
    return [*said_by_the_shoe(facts), *there.values()]


def said_by_the_shoe(facts: list[f.Fact]) -> list[f.Fact]:
    for fact in reversed(facts):
        if isinstance(fact, f.Drawn):
            return [fact]
        if isinstance(fact, f.DeviceSaid) and fact.role == "shoe" and is_another_report(fact.what):
            return []
    return []


# --- the test ---------------------------------------------------------------------------------------------------------


def uninterrupted(hand: str) -> list[dict[str, Any]]:
    setup, facts = hand_facts(hand)
    with temporary_folder() as name:
        folder = Path(name)
        assert Scripted(config(folder, setup), facts[1:]).run() == EXIT_OK
        made = [comparable(replayed) for replayed in all_of(folder)]
        ended_in_order_and_copied(folder)
    assert [entry["fact"] for entry in made] == [replace(fact, at_us=0) for fact in facts]
    return made


def reached(told: list[Effect], what: str) -> set[int]:
    return {effect.nth for effect in told if effect.what == what}


def cut(nursery: Nursery, hand: str, death: Death, uncut: list[dict[str, Any]], folder: Path) -> int:
    """Kill a controller there: what reached the world is durable, and the other way round. How many facts it left."""
    nth, point = death.nth, death.point
    told, status = nursery.killed(hand, folder, death)
    assert status == -signal.SIGKILL
    n_durable = nth - 1 if point is Point.BEFORE_COMMIT else nth
    left = all_of(folder) if n_durable else []
    assert [comparable(replayed) for replayed in left] == uncut[:n_durable]
    with closing(Store.read(folder / "table.db")) as store:
        hashes = {record.seq: record.hash.hex() for record in store.records()}
        check_joins(folder / "table.copy", store)
    assert [effect for effect in told if hashes.get(effect.seq) != effect.hash] == []
    n_lamps = nth if point in (Point.AFTER_LAMPS, Point.AFTER_ANSWER) else nth - 1
    assert reached(told, "lamps") == set(range(1, n_lamps + 1))
    n_answers = nth if point is Point.AFTER_ANSWER else nth - 1
    assert reached(told, "answer") == set(range(2, n_answers + 1))  # the first fact is the start, entered by nobody
    return n_durable


def go_on(folder: Path, hand: str, n_durable: int, late: f.Drawn | None, uncut: list[dict[str, Any]]) -> None:
    """Play the rest of the hand after so many facts, in both ways. `late`: a card that is not on record yet."""
    setup, facts = hand_facts(hand)
    with temporary_folder() as another:
        copied(folder, Path(another))
        left = recovered_and_played_on(Path(another), setup, facts[n_durable:], uncut[0]["software"])
        assert [comparable(replayed) for replayed in all_of(Path(another))] == uncut
    told = [fact.setup for fact in facts[:n_durable] if isinstance(fact, f.Opened | f.GameChosen)]
    now, again = config(folder, told[-1] if told else setup), said_again(facts[:n_durable], left)
    n_again = sum(not isinstance(fact, f.Drawn) for fact in again)  # the shoe's is known, and not recorded
    if left.is_busy:
        assert Scripted(now, [], at_once=again).run() == EXIT_OK
        ended_in_order_and_copied(folder)
        made = [comparable(replayed) for replayed in all_of(folder)]
        assert made[:n_durable] == uncut[:n_durable]
        opened, confirmed = made[n_durable], made[n_durable + 1 + n_again :]
        assert [
            entry["decisions"] for entry in made[n_durable + 1 : n_durable + 1 + n_again] if entry["decisions"]
        ] == []
        assert (opened["prompt"]["question"], opened["prompt"]["held"]) == (left.asked or Question.FELT, True)
        assert opened["prompt"]["offers"] == []
        assert [(entry["fact"], entry["decisions"]) for entry in confirmed] == ([] if left.asked else [(CONFIRMED, [])])
        assert [entry["prompt"]["offers"] for entry in confirmed if entry["prompt"]["offers"]] == []
        return
    inserted = 1 + n_again if left.is_in_play else 0
    expected = counted_on(uncut, n_durable, inserted + left.is_in_play)
    counted = [replace(entry["fact"], at_us=fact.at_us) for entry, fact in zip(expected, facts, strict=True)]
    rest = counted[max(n_durable, 1) :]
    if late is not None:
        rest.remove(late)
        again = [fact for fact in again if not isinstance(fact, f.Drawn)]
    restarted = Scripted(now, rest, at_once=[*again, *([late] if late is not None else [])])
    assert restarted.run() == EXIT_OK
    ended_in_order_and_copied(folder)
    made = without_the_second_start(all_of(folder), n_durable + 1, n_again)
    assert list(map(without_repeats, made)) == list(map(without_repeats, expected))


#: Decisions that name an entry of the hand by its number.
_OF_ENTRIES: Final = ("withdrawn", "again")


def without_repeats(entry: dict[str, Any]) -> dict[str, Any]:
    """What a correction led to, less which entries were decided again for it: the second start is one of them. Less the
    number of the entry that can be undone, too, which the starts of a hand count on (tests/engine/test_undo.py)."""
    prompt = entry["prompt"]
    entry = {**entry, "prompt": {name: said for name, said in prompt.items() if name != "undo"}}
    if not any(one["kind"] in _OF_ENTRIES for one in entry["decisions"]):
        return entry
    said = [one for one in entry["decisions"] if one["kind"] != "again" and one.get("question") != Question.FELT]
    return {**entry, "decisions": said}


def counted_on(uncut: list[dict[str, Any]], n_durable: int, inserted: int) -> list[dict[str, Any]]:
    """The same records where a second start put so many others after `n_durable` of them, in the middle of a hand: the
    later entries of this hand have other numbers then, and whoever puts one right says that one."""
    opens = [nth for nth, one in enumerate(uncut, 1) if any(said["kind"] == "hand-opened" for said in one["decisions"])]
    begins = max((nth for nth in opens if nth <= n_durable), default=0)
    ends = min((nth for nth in opens if nth > n_durable), default=len(uncut) + 1)

    def later(number: int) -> int:
        return number + inserted if begins + number - 1 > n_durable else number

    def of_this_hand(nth: int, entry: dict[str, Any]) -> dict[str, Any]:
        fact = entry["fact"]
        is_correction = isinstance(fact, f.Corrected)
        if is_correction and begins + fact.number > nth:
            return entry  # there is none of that number
        said = [
            one | ({"number": later(one["number"])} if one["kind"] in _OF_ENTRIES else {}) for one in entry["decisions"]
        ]
        moved = replace(fact, number=later(fact.number)) if is_correction else fact
        return {**entry, "fact": moved, "decisions": said}

    return [of_this_hand(nth, entry) if begins < nth < ends else entry for nth, entry in enumerate(uncut, 1)]


def ended_in_order_and_copied(folder: Path) -> None:
    """The last word is that the controller ended in order, signed; the copy has all of it."""
    with closing(VolumeSet(folder / "table.db")) as volume_set:
        *_, last = volume_set.records()
    assert json.loads(last.public)["fact"] == {"kind": "stopped", "why": NO_MORE}
    assert last.signature is not None
    checked = verify_full(folder / "table.db", folder / "table.copy")
    assert checked.end.seq == last.seq
    assert last_of(folder / "table.copy") == checked.end


def copied(folder: Path, target: Path) -> None:
    """What a power cut leaves: the file, its log, the keys."""
    for name in ("table.db", "table.db-wal", "table.key", "table.sign"):
        shutil.copy(folder / name, target / name)


def cut_at(nursery: Nursery, hand: str, deaths: Iterable[Death]) -> None:
    """Each of these, and the hand goes on after it."""
    uncut, facts = uninterrupted(hand), hand_facts(hand)[1]
    for death in deaths:
        with temporary_folder() as folder:
            n_durable = cut(nursery, hand, death, uncut, Path(folder))
            interrupted = facts[death.nth - 1]
            late = interrupted if n_durable < death.nth and isinstance(interrupted, f.Drawn) else None
            go_on(Path(folder), hand, n_durable, late, uncut)


def deaths_of(hand: str, points: Sequence[Point] = tuple(Point)) -> list[Death]:
    """At the record of each fact of a hand, at each of these points."""
    return [Death(nth=nth, point=point) for nth in range(1, len(hand_facts(hand)[1]) + 1) for point in points]


@pytest.mark.timeout(1800)  # a process is killed and started for each point: on a busy machine that takes minutes
@pytest.mark.wide
@pytest.mark.parametrize("hand", CHOSEN)
def test_a_hand_killed_at_any_durable_point_ends_as_if_nobody_had_killed_it(nursery: Nursery, hand: str) -> None:
    """After a commit the disk changes no more: of the three points there one is chosen, in turn."""
    after = (Death(nth=nth, point=AFTER[nth % len(AFTER)]) for nth in range(1, len(hand_facts(hand)[1]) + 1))
    cut_at(nursery, hand, [*deaths_of(hand, [Point.BEFORE_COMMIT]), *after])


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("hand", [WHOLE, *NAMES])
def test_every_hand_killed_at_some_durable_points_ends_as_if_nobody_had_killed_it(nursery: Nursery, hand: str) -> None:
    """At others in each hand; in `make test-all` at all of them."""
    cut_at(nursery, hand, some_of(deaths_of(hand), DEATHS, hand))


@pytest.mark.parametrize("point", Birth)
def test_a_table_killed_before_its_first_record_is_made_by_the_next_start(nursery: Nursery, point: Birth) -> None:
    """A key that has its name by then is the table's for ever; no other one is left behind."""
    setup, facts = hand_facts(WHOLE)
    with temporary_folder() as name:
        folder = Path(name)
        assert nursery.killed(WHOLE, folder, Death(nth=1, point=point)) == ([], -signal.SIGKILL)
        before = {text: (folder / text).read_bytes() for text in BORN_WITH[point]}
        born = {text for text in ("table.db", "table.key", "table.sign", "table.pub") if (folder / text).exists()}
        assert born == {*before, "table.db"}, "an empty file of its owner, before anything is in it"
        assert Scripted(config(folder, setup), facts[1:]).run() == EXIT_OK
        assert {text: (folder / text).read_bytes() for text in before} == before
        assert not list(folder.glob("*.new"))
        assert [comparable(replayed) for replayed in all_of(folder)] == uninterrupted(WHOLE)


def test_a_key_that_was_cut_off_half_written_is_in_nobodys_way() -> None:
    """A key gets its name when it is whole; what a killed start leaves has another one."""
    setup, facts = hand_facts(WHOLE)
    with temporary_folder() as name:
        folder = Path(name)
        for text in LEFT_OVER:
            (folder / text).write_bytes(b"half a key")
        assert Scripted(config(folder, setup), facts[1:]).run() == EXIT_OK
        assert not [text for text in LEFT_OVER if (folder / text).exists()]
        assert [comparable(replayed) for replayed in all_of(folder)] == uninterrupted(WHOLE)


# --- the shoe's last report -------------------------------------------------------------------------------------------

#: What a shoe's driver says after a card without another report of the shoe.
NO_OTHER_REPORT: Final = (
    "lock-accepted",
    "lock-refused",
    "lock-unanswered",
    "retransmission",
    "error-mode",
    "card-uncertain",
)
DEALING: Final = 5


def drawn_in(folder: Path) -> list[str | None]:
    cards = [replayed.fact.card for replayed in all_of(folder) if isinstance(replayed.fact, f.Drawn)]
    return [card.code if card is not None else None for card in cards]


def dealt_then_restarted(folder: Path, after: list[f.Fact], *, at_once: list[f.Fact], then: list[f.Fact]) -> None:
    """The first records of a hand with these after them; a second start, with a croupier who confirms the felt."""
    setup, facts = hand_facts(WHOLE)
    assert Scripted(config(folder, setup), [*facts[1:DEALING], *after]).run() == EXIT_OK
    assert Scripted(config(folder, setup), then, at_once=at_once).run() == EXIT_OK


@pytest.mark.parametrize("what", [*NO_OTHER_REPORT, "error", "started"])
@pytest.mark.parametrize("code", ["As", None])
def test_a_card_that_is_said_again_after_a_note_is_on_record_once(what: str, code: str | None, tmp_path: Path) -> None:
    """Where the shoe said something else, the same is another draw: for a known card, of a defective deck."""
    drawn = f.Drawn(at_us=0, card=card(code) if code is not None else None)
    note = f.DeviceSaid(at_us=0, device="sabot", role="shoe", what=what)
    dealt_then_restarted(tmp_path, [drawn, note], at_once=[drawn], then=[])
    once = what in NO_OTHER_REPORT
    if once or code is None:
        assert drawn_in(tmp_path) == [code] * (1 if once else 2)
    else:
        *_, again = (replayed for replayed in all_of(tmp_path) if isinstance(replayed.fact, f.Drawn))
        assert [decision.kind for decision in again.decisions] == ["refused"], (
            "the engine knows it too: nobody drew it twice"
        )


def test_an_unread_card_that_is_drawn_after_a_restart_is_another_one(tmp_path: Path) -> None:
    unread = f.Drawn(at_us=0, card=None)
    dealt_then_restarted(tmp_path, [unread], at_once=[unread], then=[unread, unread])
    assert drawn_in(tmp_path) == [None] * 3
    with temporary_folder() as another:
        dealt_then_restarted(Path(another), [unread], at_once=[], then=[unread])
        assert drawn_in(Path(another)) == [None] * 2
