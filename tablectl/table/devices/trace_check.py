"""A replay as lines for people, masked or not, and the facts that a text expects against those that came."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from drivers.facts import DeviceFact
from tablectl.ops.trace.entry import BYTES, Entry, Kind
from tablectl.ops.trace.facts import fact_line
from tablectl.ops.trace.text import Expected, TraceText, words_of
from tablectl.table.devices.trace_replay import Difference, Step, replay


def entry_line(entry: Entry, *, began_us: int, unsealed: bool) -> str:
    """Time since the beginning, what happened and how many bytes; the bytes only where they are unsealed."""
    seconds, micros = divmod(max(0, entry.mono_us - began_us), 1_000_000)
    moment = f"{seconds:>6}.{micros:06d}"
    if entry.kind not in BYTES:
        return f"{moment} {words_of(entry)}"
    shown = f"  {entry.data.hex(' ').upper()}" if unsealed else ""
    return f"{moment} {entry.kind.value:<6} {len(entry.data):>4} bytes{shown}"


def difference_line(difference: Difference, *, unsealed: bool) -> str:
    """What the driver wanted written and what was."""
    wanted, written = difference.wanted, difference.written
    line = f"wanted {_item(wanted, unsealed=unsealed)}, written {_item(written, unsealed=unsealed)}"
    if wanted is None or written is None or unsealed:
        return line
    at = next((n for n, (one, other) in enumerate(zip(wanted[1], written[1], strict=False)) if one != other), None)
    return line if at is None else f"{line}: byte {at} is another one"


def _item(item: tuple[Kind, bytes] | None, *, unsealed: bool) -> str:
    if item is None:
        return "nothing"
    kind, data = item
    return f"{kind.value} {data.hex(' ').upper()}" if unsealed else f"{kind.value} of {len(data)} bytes"


def step_lines(step: Step, *, began_us: int, unsealed: bool) -> Iterator[tuple[str, bool]]:
    """A step as lines, and whether each of them is a difference."""
    yield entry_line(step.entry, began_us=began_us, unsealed=unsealed), False
    for difference in step.differences:
        yield f"{'':8}DIFFERS: {difference_line(difference, unsealed=unsealed)}", True
    for fact in step.facts:
        yield f"{'':8}= {fact_line(fact, unsealed=unsealed)}", False
    if step.gave_up is not None:
        yield f"{'':8}the driver gave its wire up: {step.gave_up}", False


def wrong_with(text: TraceText) -> Iterator[str]:
    """What a text says and a replay of it does not, line by line: nothing where it is as it should be.

    Everything is shown: a text has its bytes in the open.
    """
    steps = list(replay(text.head, text.entries))
    began_us = text.entries[0].mono_us if text.entries else 0
    for step in steps:
        for line, is_difference in step_lines(step, began_us=began_us, unsealed=True):
            if is_difference:
                yield f"{entry_line(step.entry, began_us=began_us, unsealed=True)}: {line.strip()}"
    if text.facts is not None:
        yield from missed_facts(text.facts, [step.facts for step in steps], unsealed=True)


def missed_facts(
    expected: Iterable[Expected], came: Sequence[Sequence[DeviceFact]], *, unsealed: bool
) -> Iterator[str]:
    """Facts that were expected and did not come, or came and were not, or stand elsewhere; each with its line."""
    wanted: defaultdict[int, list[Expected]] = defaultdict(list)
    for due in expected:
        wanted[due.after].append(due)
    for number in range(max([len(came), *wanted]) + 1):
        have = list(came[number - 1]) if 0 < number <= len(came) else []
        lines = [fact_line(fact, unsealed=True) for fact in have]
        should = wanted[number]
        for index in range(max(len(lines), len(should))):
            fact = lines[index] if index < len(lines) else None
            line = should[index] if index < len(should) else None
            if line is None:
                yield f"after entry {number}: not expected: {fact_line(have[index], unsealed=unsealed)}"
            elif fact is None:
                yield f"line {line.number}: expected {_shown(line.line, unsealed=unsealed)}, nothing came"
            elif fact != line.line:
                told = fact_line(have[index], unsealed=unsealed)
                yield f"line {line.number}: expected {_shown(line.line, unsealed=unsealed)}, came {told}"


def _shown(line: str, *, unsealed: bool) -> str:
    """An expected fact may name a card too."""
    return line if unsealed else line.partition(" ")[0]
