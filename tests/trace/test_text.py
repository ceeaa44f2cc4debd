"""Traces as text: what may stand there, and what is said where it may not."""

from __future__ import annotations

import pytest

from tablectl.ops.trace.entry import Kind
from tablectl.ops.trace.text import BadTraceText, parse, written
from tablectl.table.devices.trace_check import wrong_with

SHOE = """\
# One card
driver angel-eye
0 opened
= found identity="Angel Eye II-EX (says no identity)"
0.25 in 05 33 44 81 B8 03 34 44
= card-out card=8s
"""


def test_a_text_has_a_title_a_driver_entries_and_facts() -> None:
    text = parse(SHOE)
    assert (text.title, text.head.driver, text.head.device) == ("One card", "angel-eye", "angel-eye")
    assert [(entry.kind, entry.mono_us) for entry in text.entries] == [(Kind.OPENED, 0), (Kind.IN, 250_000)]
    assert text.entries[1].data == bytes.fromhex("0533 44 81 B8 03 34 44")
    assert text.facts is not None
    assert [(fact.after, fact.number) for fact in text.facts] == [(1, 4), (2, 6)]
    assert list(wrong_with(text)) == []


@pytest.mark.parametrize(
    ("found", "instead", "told"),
    [
        ("card=8s", "card=9s", "line 6: expected card-out card=9s, came card-out card=8s"),
        ("= card-out card=8s\n", "", "after entry 2: not expected: card-out card=8s"),
        ("34 44\n", "34 45\n", "line 6: expected card-out card=8s, came rejected"),
        ("0.25 in 05 33 44 81 B8 03 34 44\n", "", "line 5: expected card-out card=8s, nothing came"),
        ("0 opened\n", "0 opened\n= lost reason=x\n", "line 4: expected lost reason=x, came found"),
    ],
)
def test_a_fact_that_differs_is_told_with_its_line(found: str, instead: str, told: str) -> None:
    assert SHOE.count(found) == 1
    assert any(line.startswith(told) for line in wrong_with(parse(SHOE.replace(found, instead))))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0 opened", "line 1: found no driver"),
        ("driver x\nhello", "line 2: found 'hello'"),
        ("driver x\n0 eaten", "line 2: found 'eaten'; would be right: one of opened"),
        ("driver x\n0 in 0G", "line 2: found '0G'; would be right: bytes in hexadecimal"),
        ("driver x\n2 wait\n1 wait", "line 3: found 1"),
        ("driver x\n0 wait\ndevice y", "line 3: found device after what happened"),
        ("driver x\nsetting may_lock", "line 2: found 'may_lock'"),
        ("driver x\nkey bet = 'a'", "line 2: found \"bet = 'a'\""),
        ("driver x\nbegan today", "line 2: found 'today'"),
        ("driver x\n0 missing many", "line 2: found 'many'"),
        ("driver x\n0 closed why", "line 2: found 'why'; would be right: nothing after closed"),
    ],
)
def test_a_line_that_is_wrong_is_named_with_what_would_be_right(text: str, told: str) -> None:
    with pytest.raises(BadTraceText) as wrong:
        parse(text)
    assert str(wrong.value).startswith(told)


def test_what_is_written_is_read_again() -> None:
    text = """\
# A panel
driver xkeys-xk24
device panel 1
language en
setting serial = "A1"
setting retry_s = 0.5
key bet = 3
began 2026-01-31T12:00:00.500000Z
0.000000 opened 05f3:0405 at 1-2
0.000100 out D6 00
0.250000 told {"lit":[],"signal":"play","card_due":false,"refused":null}
1.000000 missing 3
2.000000 lost why not
2.000000 closed
"""
    made = parse(text)
    assert made.head.settings == {"serial": "A1", "retry_s": 0.5}
    assert made.head.keys == {"bet": 3}
    assert "\n".join(written(made.head, ((entry, ()) for entry in made.entries), title="A panel")) + "\n" == text
