"""From the journal back to the table: the same at every record, in a time that does not grow, or a clear refusal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from drivers.angel_eye.settings import Note
from tablectl.core.cards import Card, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Rulebook
from tablectl.core.engine.table import Table
from tablectl.core.events.codec import encode_json
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.facts import parse_fact
from tablectl.journal.handfile.file import HandFile
from tablectl.journal.recovery import ChainBroken, ReplayDiffers, Replayed, last_report, recover, replay
from tablectl.journal.seal import Vault
from tablectl.journal.store import BEGINNING, GENESIS, Store, chained
from tablectl.journal.writer import Openings, RecordWriter
from tests.engine.tables import fingerprint
from tests.journal.journals import (
    HANDS,
    KEY,
    KEYS,
    SETUP,
    SIGNER,
    START_US,
    WHOLE_HAND,
    Writer,
    changed,
    each_hand,
    facts_of,
    hand_files,
    records,
    said,
    written,
)

#: Hands in which much is asked, ruled, laid anew and lost.
CHOSEN = (
    "THB-SAB-1-shoe-lost-and-back",
    "THB-ERR-5-extra-card-in-lap-1-later",
    "THB-ERR-2-restart-before-the-ruling",
    "THB-DEV-14-unread-cards",
    "THB-DEV-14-uncertain-cards",
    "THB-STF-1-fault-of-the-controller",
)


def recovered(path: Path) -> Table:
    with closing(Store.read(path)) as store:
        return recovered_from(store)


def recovered_from(store: Store) -> Table:
    found = recover(store, Openings(KEYS.vault), rulebook_of)
    assert found is not None
    return found.table


def all_of(path: Path, *, hand: int | None = None) -> list[Replayed]:
    store = Store.read(path)
    try:
        return list(replay(store, Vault(KEY), rulebook_of, hand=hand))
    finally:
        store.close()


def copy_of(path: Path, target: Path, n_records: int) -> None:
    """The journal as it was when its writer was killed after this record."""
    store = Store.open(target)
    for stored in records(path)[:n_records]:
        store.append(
            hand=stored.hand,
            boundary=stored.boundary,
            public=stored.public,
            sealed=stored.sealed,
            signer=SIGNER if stored.signature else None,
        )
    store.close()


@each_hand()
def test_the_table_is_the_same_again_after_each_record_of_each_hand(hand: HandFile, tmp_path: Path) -> None:
    with Writer(tmp_path / "a.db", hand.setup) as writer, closing(Store.read(tmp_path / "a.db")) as store:
        for fact in facts_of(hand):
            writer.enter(fact)
            again = recovered_from(store)
            assert fingerprint(again.state) == fingerprint(writer.table.state)
            assert again.prompt() == writer.table.prompt()
            if again.state.in_play:
                assert again.state.presses == writer.table.state.presses


@pytest.mark.parametrize("name", CHOSEN)
def test_a_hand_cut_at_any_record_goes_on_as_if_nothing_had_happened(name: str, tmp_path: Path) -> None:
    hand = dict(hand_files())[name]
    facts = facts_of(hand)
    with Writer(tmp_path / "whole.db", hand.setup) as writer:
        decided = [said(writer.enter(fact)) for fact in facts]
    for n_records in range(1, len(facts)):
        path = tmp_path / f"{n_records}.db"
        copy_of(tmp_path / "whole.db", path, n_records)
        table = recovered(path)
        assert [said(table.apply(fact)) for fact in facts[n_records:]] == decided[n_records:]


@pytest.mark.parametrize("is_cut", [False, True], ids=["in-one-go", "after-a-restart"])
def test_what_a_shoe_was_unsure_of_is_not_revealed_when_the_card_is_turned_up(tmp_path: Path, *, is_cut: bool) -> None:
    """The reading that counted at first may be another card, which nobody may know: here 9h, a burn card."""
    facts = facts_of(dict(hand_files())["THB-DEV-14-uncertain-cards"])
    doubtful = next(at for at, fact in enumerate(facts) if getattr(fact, "what", "") == "card-uncertain") + 1
    path = tmp_path / "a.db"
    with Writer(path, SETUP) as writer:
        for fact in facts[: doubtful if is_cut else None]:
            writer.enter(fact)
    if is_cut:
        with Writer(path, SETUP, table=recovered(path)) as writer:
            openings = Openings(KEYS.vault)
            recover(writer.store, openings, rulebook_of)
            writer.record_writer = RecordWriter(writer.store, KEYS, openings=openings)
            for fact in facts[doubtful:]:
                writer.enter(fact)
    told = [json.loads(stored.public) for stored in records(path)]
    revealed = [reveal for record in told for reveal in record.get("reveals", ())]
    assert {reveal["slot"]: reveal["card"] for reveal in revealed}.keys() >= {"seat-1.1", "board.1", "house.1"}
    assert "9h" not in [reveal["card"] for reveal in revealed]
    assert [reveal["card"] for reveal in revealed if reveal["slot"] == "seat-1.2"] == []


def test_what_is_written_after_a_cut_is_verified_and_revealed_as_without_it(tmp_path: Path) -> None:
    """The writer too is the same again: cards drawn before the cut are revealed after it with their old salts."""
    lines = ["restart", *filter(None, map(str.strip, WHOLE_HAND.splitlines()))]
    whole = tmp_path / "whole.db"
    written(whole, WHOLE_HAND)
    for n_records in range(3, len(lines), 4):
        path = tmp_path / f"{n_records}.db"
        copy_of(whole, path, n_records)
        with Writer(path, SETUP, table=recovered(path)) as writer:
            openings = Openings(KEYS.vault)
            recover(writer.store, openings, rulebook_of)
            writer.record_writer = RecordWriter(writer.store, KEYS, openings=openings)
            for line in lines[n_records:]:
                writer.line(line)
        both = [[json.loads(record.public).get("reveals", []) for record in records(one)] for one in (path, whole)]
        shown = [[(reveal["draw"], reveal["card"]) for reveals in one for reveal in reveals] for one in both]
        assert shown[0] == shown[1]
        assert not [replayed for replayed in all_of(path) if replayed.differs]


def test_an_empty_journal_has_no_table_yet(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "a.db")
    assert recover(store, Openings(KEYS.vault), rulebook_of) is None
    store.close()


def test_between_hands_the_table_goes_on_from_what_was_carried_over(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.db", SETUP) as writer:
        writer.line("restart")
        writer.lines(WHOLE_HAND)
        again = recovered(tmp_path / "a.db")
        assert again.carry() == writer.table.carry()
        assert again.state.hand == 1
        for line in ("press new-hand", "press bet", "bet 3 ante 1000", "press no-more-bets", "draw As"):
            fact = parse_fact(line, START_US, SETUP)
            assert again.apply(fact) == writer.table.apply(fact)


# --- time ------------------------------------------------------------------------------------------------------------


def test_only_the_records_of_the_unfinished_hand_are_read(tmp_path: Path) -> None:
    """Hands before it may even be unreadable: their facts are not looked at."""
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND * 3 + "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\n")
    boundary = max(stored.seq for stored in records(path) if stored.boundary)
    changed(path, ("UPDATE record SET public = x'00', sealed = NULL WHERE seq < ?", (boundary,)))
    again = recovered(path)
    assert again.state.hand == 4
    assert [draw.card for draw in again.state.deal.draws] == [card("As")]


def test_the_work_of_a_recovery_does_not_grow_with_the_journal(tmp_path: Path) -> None:
    rows = []
    for hands in (1, 20):
        path = tmp_path / f"{hands}.db"
        written(path, WHOLE_HAND * hands + "press new-hand\nbet 1 ante 1000\n")
        connection = sqlite3.connect(path, isolation_level=None)
        steps = 0

        def step() -> int:
            nonlocal steps
            steps += 1
            return 0

        connection.set_progress_handler(step, 1)
        store = Store(connection, path, BEGINNING)
        recover(store, Openings(KEYS.vault), rulebook_of)
        store.close()
        rows.append(steps)
    few, many = rows
    assert many <= few * 1.5


# --- what is not the same -------------------------------------------------------------------------------------------


Change = Callable[[dict[str, Any]], object]


def forge(path: Path, seq: int, change: Change) -> None:
    """Change one record and compute every hash after it again, as only somebody with the file can."""
    stored = records(path)
    statements = []
    before = stored[seq - 2].hash if seq > 1 else GENESIS
    for record in stored[seq - 1 :]:
        public = json.loads(record.public)
        if record.seq == seq:
            change(public)
        bytes_ = encode_json(public)
        before = chained(before, bytes_)
        statements.append(("UPDATE record SET public = ?, hash = ? WHERE seq = ?", (bytes_, before, record.seq)))
    changed(path, *statements)


def refusal(path: Path) -> str:
    with pytest.raises((ReplayDiffers, ChainBroken)) as caught:
        recovered(path)
    return str(caught.value)


IN_PLAY = "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\ndraw Kd\n"


def test_a_changed_decision_is_named_with_its_record_and_the_difference(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, IN_PLAY)

    def lie(public: dict[str, Any]) -> None:
        public["decisions"][0]["slot"] = "seat-2.1"

    forge(path, 5, lie)
    told = refusal(path)
    assert told.startswith("record 5, decision 1: recorded {")
    assert "'slot': 'seat-2.1'" in told
    assert "this program decides {" in told
    assert "'slot': 'seat-1.1'" in told


def test_a_decision_too_many_or_too_few_is_named(tmp_path: Path) -> None:
    for number, change in enumerate(
        (lambda public: public["decisions"].clear(), lambda public: public["decisions"].append({"kind": "refund"}))
    ):
        path = tmp_path / f"{number}.db"
        written(path, IN_PLAY)
        forge(path, 5, change)
        assert refusal(path).startswith(f"record 5, decision {1 + number}: recorded ")


def test_a_changed_fact_is_noticed_by_what_follows_from_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, IN_PLAY)
    forge(path, 3, lambda public: public["fact"].update(seat=2))
    assert refusal(path).startswith("record 3, decision 1: ")


def test_a_record_that_does_not_follow_is_named_before_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, IN_PLAY)
    public = records(path)[3].public.replace(b"no-more-bets", b"no-more-betz")
    changed(path, ("UPDATE record SET public = ? WHERE seq = 4", (public,)))
    assert refusal(path) == "record 4: its hash does not follow from the record before; it was changed"


def test_a_changed_end_of_the_last_hand_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND)
    last = records(path)[-1]
    public = last.public.replace(b'"hand":1', b'"hand":7')
    changed(path, ("UPDATE record SET public = ? WHERE seq = ?", (public, last.seq)))
    assert refusal(path) == f"record {last.seq}: its hash does not follow from the record before; it was changed"


@pytest.mark.parametrize(
    "change",
    [
        lambda public: public["fact"].update(kind="shuffled"),
        lambda public: public["fact"].update(chair=1),
        lambda public: public.pop("fact"),
        lambda public: public.pop("decisions"),
        lambda public: public.update(at="yesterday"),
    ],
)
def test_a_record_of_no_version_is_named(tmp_path: Path, change: Change) -> None:
    path = tmp_path / "a.db"
    written(path, IN_PLAY)
    forge(path, 3, change)
    assert refusal(path).startswith("record 3: ")


@pytest.mark.parametrize(
    "change",
    [lambda public: public.pop("carry"), lambda public: public["carry"].pop("setup")],
)
def test_an_end_of_a_hand_of_no_version_is_named(tmp_path: Path, change: Change) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND)
    forge(path, 25, change)
    assert refusal(path).startswith("record 25: no end of a hand that this program can go on from")


def test_a_rulebook_that_this_program_does_not_have_is_named(tmp_path: Path) -> None:
    for name, text, seq in (("first", "", 1), ("carried", WHOLE_HAND, 25)):
        path = tmp_path / f"{name}.db"
        written(path, text)

        def other(public: dict[str, Any]) -> None:
            (public.get("carry") or public["fact"])["setup"]["rulebook"] = "seven-card-stud"

        forge(path, seq, other)
        assert refusal(path) == f"record {seq}: the rulebook 'seven-card-stud' is none of this program's"


def test_a_journal_that_does_not_begin_with_the_opening_of_the_table_is_refused(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.db", SETUP) as writer:
        writer.lines(IN_PLAY)
    assert refusal(tmp_path / "a.db") == "record 1: a journal begins with the opening of the table"


def test_a_record_on_which_this_program_breaks_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, IN_PLAY)

    def broken(setup: f.Setup) -> Rulebook:
        def plan(_: tuple[int, ...]) -> NoReturn:
            raise ZeroDivisionError

        good = rulebook_of(setup)
        phases = {name: replace(phase, plan=plan) if phase.plan else phase for name, phase in good.phases.items()}
        return replace(good, phases=phases)

    store = Store.read(path)
    with pytest.raises(ReplayDiffers, match=r"record 4: this program breaks on it \(ZeroDivisionError\)"):
        recover(store, Openings(KEYS.vault), broken)
    store.close()


def test_a_sealed_card_that_was_moved_or_taken_away_is_named(tmp_path: Path) -> None:
    for number, (statement, told) in enumerate(
        (
            ("UPDATE record SET sealed = (SELECT sealed FROM record WHERE seq = 6) WHERE seq = 5", "was changed"),
            ("UPDATE record SET sealed = NULL WHERE seq = 5", "was taken away"),
        )
    ):
        path = tmp_path / f"{number}.db"
        written(path, IN_PLAY)
        changed(path, (statement, ()))
        assert refusal(path).startswith("record 5: ")
        assert told in refusal(path)


def test_without_the_tables_key_nothing_is_recovered(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, IN_PLAY)
    store = Store.read(path)
    with pytest.raises(ReplayDiffers, match="record 5: the sealed part was changed, or the key is another one"):
        recover(store, Openings(Vault(bytes(32))), rulebook_of)
    store.close()


# --- the shoe's last report -----------------------------------------------------------------------------------------

#: What leaves a card before it the shoe's last report.
BESIDE = (
    *("error-mode", "retransmission", "drawn-outside", "card-uncertain"),
    *("lock-accepted", "lock-refused", "lock-unanswered"),
    *("cancel-accepted", "cancel-refused", "cancel-unanswered"),
)


def last_of(path: Path) -> tuple[int, Card | None] | None:
    store = Store.read(path)
    try:
        found = last_report(store.newest_first(), KEYS.vault)
    finally:
        store.close()
    return (found[0], found[1].card) if found is not None else None


@pytest.mark.parametrize("draw", ["Kd", "??"])
def test_a_card_is_the_shoes_last_report_until_it_reports_something_else(draw: str, tmp_path: Path) -> None:
    """What the driver says of its own commands, and what belongs to the card's report, is none."""
    drawn = None if draw == "??" else card(draw)
    for number, what in enumerate(Note):
        path = tmp_path / f"{number}.db"
        with Writer(path, SETUP) as writer:
            writer.line("restart")
            writer.lines(f"press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\ndraw {draw}")
            assert last_of(path) == (1, drawn)
            writer.enter(f.DeviceSaid(at_us=START_US, device="panel", role="panel", what=what))
            assert last_of(path) == (1, drawn), "a panel is no shoe"
            writer.enter(f.DeviceSaid(at_us=START_US, device="sabot", role="shoe", what=what))
        assert last_of(path) == ((1, drawn) if what in BESIDE else None)
    assert set(BESIDE) < set(Note)


def test_whether_the_shoe_was_unsure_of_its_last_card_is_known_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with Writer(path, SETUP) as writer:
        writer.lines("restart\npress new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As")
        for line, is_uncertain in (
            ("press new-hand", False),
            ("said shoe sabot card-uncertain", True),
            ("draw Kd", False),
        ):
            writer.line(line)
            with closing(Store.read(path)) as store:
                last = last_report(store.newest_first(), KEYS.vault)
            assert last is not None
            assert last.is_uncertain is is_uncertain, line


# --- replay of a whole journal --------------------------------------------------------------------------------------


def test_a_whole_journal_replays_with_every_decision_as_recorded(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND * 3)
    replayed = all_of(path)
    assert len(replayed) == len(records(path))
    assert not [step for step in replayed if step.differs]


@pytest.mark.parametrize("hand", [1, 2, 3])
def test_one_hand_replays_alone(tmp_path: Path, hand: int) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND * 3)
    replayed = all_of(path, hand=hand)
    assert [step.stored.seq for step in replayed] == [
        step.stored.seq for step in all_of(path) if step.stored.hand == hand
    ]
    assert not [step for step in replayed if step.differs]


def test_a_hand_that_was_never_played_is_no_replay_of_another_one(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND * 2)
    for hand in (-1, 0, 4, 99):
        assert all_of(path, hand=hand) == []


def test_a_replay_shows_the_record_that_differs(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND)
    forge(path, 12, lambda public: public["decisions"][0].update(amount=9000))
    assert [replayed.stored.seq for replayed in all_of(path) if replayed.differs] == [12]


def test_every_hand_file_is_there() -> None:
    assert set(CHOSEN) <= {path.stem for path in HANDS.rglob("*.hand")}
