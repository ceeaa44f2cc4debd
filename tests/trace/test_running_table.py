"""A whole table that records itself: its drivers, given the traces, say again what they said."""

from __future__ import annotations

import pytest

from drivers.facts import CardOut
from tablectl.core.engine.vocabulary import Key
from tablectl.journal.keys import load_sealing
from tablectl.ops.trace.entry import BYTES, Entry
from tablectl.ops.trace.file import Fault, TraceFile
from tablectl.ops.trace.recorder import files_of
from tablectl.table.devices.trace_replay import Difference, replay
from tests.desk import Desk, desk

pytestmark = pytest.mark.system


def recorded(table: Desk, device: str) -> tuple[TraceFile, list[Entry]]:
    [path] = files_of(table.folder / "traces", device)
    trace = TraceFile(path)
    found = list(trace.entries(load_sealing(table.folder / "table.key")[0]))
    assert [str(fault) for fault in found if isinstance(fault, Fault)] == []
    return trace, [entry for entry in found if isinstance(entry, Entry)]


def trace_everything(table: Desk) -> None:
    text = table.config.read_text(encoding="utf-8")
    table.config.write_text(f'{text}\n[trace]\nfolder = "{table.folder}/traces"\n', encoding="utf-8")


def test_a_hand_that_was_played_is_replayed_from_the_wires_alone() -> None:
    with desk() as table:
        trace_everything(table)
        table.start()
        table.open_hand()
        table.deal("As", "Kd")
        table.shoe.unplug()
        table.await_record("device-lost", 0)
        table.shoe.replug()
        table.deal("Qh")
        table.press(Key.INCIDENT)
        table.stop()
        assert any("is recorded there" in str(said["text"]) for said in table.log.events("notice"))
        for device, least in (("sabot", 4), ("panel", 40), ("light", 3)):
            trace, entries = recorded(table, device)
            steps = list(replay(trace.about.head, entries))
            differences: list[Difference] = [difference for step in steps for difference in step.differences]
            assert differences == [], device
            assert sum(entry.kind in BYTES for entry in entries) >= least, device
        trace, entries = recorded(table, "sabot")
        facts = [fact for step in replay(trace.about.head, entries) for fact in step.facts]
        cards = [fact.card.open() for fact in facts if isinstance(fact, CardOut) and fact.card is not None]
        assert cards == ["As", "Kd", "Qh"]
