"""`tablectl trace TOOL`: what went over the wires, as it was recorded or as somebody wrote it down (docs/traces.md)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tablectl.cli.status import Status, WrongUsage
from tablectl.config.table_file import BadConfig, load
from tablectl.core.os_error_text import told
from tablectl.core.timestamps import time_text
from tablectl.i18n.pluralize import pluralize
from tablectl.journal.clock import now_us
from tablectl.journal.keys import load_sealing
from tablectl.journal.public_keys import BadKey
from tablectl.journal.seal import Vault
from tablectl.ops.trace.entry import Entry, Head
from tablectl.ops.trace.facts import fact_line
from tablectl.ops.trace.file import SUFFIX, About, BadTrace, Fault, TraceFile, TraceWriter, new_series
from tablectl.ops.trace.opening import Asking, NotOpened, must_be_over, put_on_record
from tablectl.ops.trace.text import BadTraceText, Expected, TraceText, parse, written
from tablectl.table.devices.trace_check import entry_line, missed_facts, step_lines
from tablectl.table.devices.trace_replay import CannotReplay, Step, replay

_SEALED: Final = b"tablectl trace "


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One parser a tool; each sets `tool_main`."""
    tools = parser.add_subparsers(dest="tool", required=True, metavar="TOOL")
    for name, text, tool_main in _TOOLS:
        tool = tools.add_parser(name, help=text, description=text)
        tool.set_defaults(tool_main=tool_main)
        if name == "list":
            tool.add_argument("files", metavar="FILE", nargs="+", type=Path, help="traces, or folders of them")
            continue
        if name == "import":
            tool.add_argument("file", metavar="TEXT", type=Path, help="a trace as text (docs/traces.md)")
            tool.add_argument("out", metavar="FILE", type=Path, help="the sealed trace, which must not be there yet")
            tool.add_argument("--key", type=Path, required=True, metavar="FILE", help="the sealing key")
            continue
        tool.add_argument("file", metavar="FILE", type=Path, help="a sealed trace, or a trace as text")
        tool.add_argument("--key", type=Path, metavar="FILE", help="the sealing key, for a sealed trace")
        tool.add_argument("--unseal", action="store_true", help="show bytes, cards and tags; goes on record")
        tool.add_argument("--by", metavar="NAME", default="", help="with --unseal: who asks")
        tool.add_argument("--reason", metavar="TEXT", default="", help="with --unseal: why")


def main(args: argparse.Namespace) -> int:
    """Exit status 0; 1 for a damaged trace or a driver that differs; 2 where something cannot be read or is refused."""
    try:
        status: int = args.tool_main(args)
    except (BadTrace, BadTraceText, BadKey, NotOpened, CannotReplay, _Refused) as wrong:
        where = f"{args.file}: " if isinstance(wrong, BadTraceText | CannotReplay) else ""
        table = _table_of(args.file) if isinstance(wrong, BadTraceText) else None
        raise WrongUsage(f"{table or f'{where}{wrong}'}") from None
    except UnicodeDecodeError:
        raise WrongUsage(f"{args.file}: found bytes that are no text; would be right: a trace") from None
    except BrokenPipeError:
        raise  # whoever read our output has seen enough
    except OSError as wrong:
        raise WrongUsage(f"{told(wrong, _RIGHT)}") from None
    return status


_RIGHT: Final = "the path of a trace, of a folder of traces for `list`, or of a key"


class _Refused(Exception):
    """The command line lacks something. The text says what."""


@dataclass(slots=True)
class _Source:
    """A trace, sealed or not. `fault` is known when all entries were taken."""

    head: Head
    entries: Iterator[Entry]
    expected: tuple[Expected, ...] | None = None
    fault: Fault | None = None


def _list(args: argparse.Namespace) -> int:
    status = 0
    for path in _traces(args.files):
        try:
            trace = TraceFile(path)
        except (BadTrace, OSError) as wrong:
            what = told(wrong, _RIGHT) if isinstance(wrong, OSError) else _table_of(path) or wrong
            sys.stderr.write(f"{what}\n")
            status = Status.WRONG_USAGE
            continue
        about = trace.about
        demo = ", DEMO KEY" if about.is_demo else ""
        print(
            f"{path}  {about.head.device} ({about.head.driver}), from {about.began}, series {about.series} file"
            f" {about.number}, {pluralize(trace.n_blocks, 'block')}{demo}"
        )
    return status


def _traces(given: list[Path]) -> Iterator[Path]:
    for path in given:
        found = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not found:
            print(f"{path}: no trace in this folder (*{SUFFIX})")
        yield from found


def _table_of(path: Path) -> str | None:
    """Of a table's configuration: that it is one, and where its traces are; None of anything else."""
    try:
        config = load(path)
    except BadConfig:
        return None
    where = f"{config.setup.table} records none; [trace] in this file would have them (docs/traces.md)"
    if config.trace is not None:
        where = f"those of {config.setup.table} are in {config.trace.folder}: tablectl trace list {config.trace.folder}"
    return f"{path}: the configuration of a table, and no trace; {where}"


def _show(args: argparse.Namespace) -> int:
    source = _source(args)
    began_us: int | None = None
    for entry in source.entries:
        began_us = entry.mono_us if began_us is None else began_us
        print(entry_line(entry, began_us=began_us, unsealed=args.unseal))
    return _said_fault(args, source)


def _replay(args: argparse.Namespace) -> int:
    source = _source(args)
    n_entries = n_differences = 0
    began_us: int | None = None
    came: list[Step] = []
    for step in replay(source.head, source.entries):
        began_us = step.entry.mono_us if began_us is None else began_us
        n_entries += 1
        for line, is_difference in step_lines(step, began_us=began_us, unsealed=args.unseal):
            n_differences += is_difference
            print(line)
        if source.expected is not None:
            came.append(step)
    if source.expected is not None:
        for line in missed_facts(source.expected, [step.facts for step in came], unsealed=args.unseal):
            n_differences += 1
            print(f"DIFFERS: {line}")
    summed = f"{pluralize(n_entries, 'entry')} through {source.head.driver}, {pluralize(n_differences, 'difference')}"
    print(f"{args.file}: {summed}")
    return max(_said_fault(args, source), Status.NOT_DONE if n_differences else 0)


def _export(args: argparse.Namespace) -> int:
    if not args.unseal:
        raise _Refused("an export has every byte in the open: give --unseal")
    source = _source(args)
    steps = ((step.entry, [fact_line(fact, unsealed=True) for fact in step.facts]) for step in _steps(source))
    for line in written(source.head, steps, title=f"exported from {args.file.name}"):
        print(line)
    return _said_fault(args, source)


def _steps(source: _Source) -> Iterator[Step]:
    yield from replay(source.head, source.entries)


def _import(args: argparse.Namespace) -> int:
    text = _text(args.file)
    vault, is_demo = load_sealing(args.key)
    began_us = text.entries[0].wall_us if text.entries else now_us()
    about = About(
        head=text.head,
        began=time_text(began_us),
        series=new_series(),
        number=1,
        key=vault.fingerprint,
        is_demo=is_demo,
    )
    writer = TraceWriter(args.out, about, vault)
    try:
        for entry in text.entries:
            writer.put(entry)
    except ValueError as wrong:
        writer.give_up()
        args.out.unlink()
        raise _Refused(f"{args.file}: {wrong}") from None
    writer.close()
    print(f"{args.out}: {pluralize(len(text.entries), 'entry')} of {text.head.device} ({text.head.driver}), sealed")
    return 0


def _source(args: argparse.Namespace) -> _Source:
    with args.file.open("rb") as file:
        is_sealed = file.read(len(_SEALED)) == _SEALED
    if not is_sealed:
        text = _text(args.file)
        return _Source(head=text.head, entries=iter(text.entries), expected=text.facts)
    trace = TraceFile(args.file)
    if args.key is None:
        raise _Refused(f"{args.file}: sealed: give the table's sealing key (--key FILE); `trace list` needs none")
    vault, _ = load_sealing(args.key)
    must_be_over(trace)
    if args.unseal:
        _ask(args, trace)
    source = _Source(head=trace.about.head, entries=iter(()))
    source.entries = _without_fault(trace, vault, source)
    return source


def _ask(args: argparse.Namespace, trace: TraceFile) -> None:
    if not args.by.strip() or not args.reason.strip():
        raise _Refused("--unseal shows sealed cards: say who asks and why (--by NAME --reason TEXT)")
    log = put_on_record(trace, Asking(by=args.by.strip(), reason=args.reason.strip(), now_us=now_us()))
    sys.stderr.write(f"{log} says that you asked\n")


def _without_fault(trace: TraceFile, vault: Vault, source: _Source) -> Iterator[Entry]:
    for found in trace.entries(vault):
        if isinstance(found, Fault):
            source.fault = found
            return
        yield found


def _said_fault(args: argparse.Namespace, source: _Source) -> int:
    if source.fault is None:
        return 0
    print(f"{args.file}: {source.fault}")
    return Status.NOT_DONE


def _text(path: Path) -> TraceText:
    return parse(path.read_text(encoding="utf-8"))


_TOOLS: Final[tuple[tuple[str, str, Callable[[argparse.Namespace], int]], ...]] = (
    ("list", "whose traces they are; needs no key", _list),
    ("show", "what happened, when, and how many bytes", _show),
    ("replay", "through the driver again: the facts that follow, and every difference in what it writes", _replay),
    ("export", "as plain text, with every byte and every fact in the open", _export),
    ("import", "seal a trace that was written as text", _import),
)
