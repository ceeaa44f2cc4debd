"""`tablectl journal` on records that are nested so deeply that a parser gives up: named as any other changed record."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.journal.lines import line
from tablectl.journal.store import Store, Stored
from tests.journal.journals import SIGNER, WHOLE_HAND, keep_keys, records, written
from tests.journal.mutations import chained_anew

Captured = pytest.CaptureFixture[str]
DEPTH: Final = 200_000
LAST: Final = 25


def nested(stored: Stored, member: bytes) -> Stored:
    """The same record with one more member, which is a list of lists."""
    deep = b"[" * DEPTH + b"]" * DEPTH
    return replace(stored, public=stored.public.replace(b"{", b'{"' + member + b'":' + deep + b",", 1))


def forged(path: Path, seq: int, member: bytes) -> None:
    """A journal in which one record is nested, chained and signed anew."""
    keep_keys(path.parent)
    written(path, WHOLE_HAND)
    told = [nested(record, member) if record.seq == seq else record for record in records(path)]
    for left in path.parent.glob("table.db*"):
        left.unlink()
    with closing(Store.open(path)) as store:
        store.take_over(chained_anew(told, 0, SIGNER))


@pytest.mark.parametrize("member", [b"another", b"reveals"])
@pytest.mark.parametrize("seq", [1, 7, LAST])
def test_verify_names_it(tmp_path: Path, capsys: Captured, seq: int, member: bytes) -> None:
    path = tmp_path / "table.db"
    forged(path, seq, member)
    assert main(["journal", "verify", str(path)]) == 1
    assert f"NOT INTACT: record {seq}: changed: its public form is none" in capsys.readouterr().out


@pytest.mark.parametrize("seq", [1, 7, LAST])
def test_verify_names_it_in_a_stream_of_lines_too(tmp_path: Path, capsys: Captured, seq: int) -> None:
    path, stream = tmp_path / "table.db", tmp_path / "stream.jsonl"
    forged(path, seq, b"another")
    stream.write_bytes(b"".join(line(record) + b"\n" for record in records(path)))
    assert main(["journal", "verify", str(stream)]) == 1
    assert "NOT INTACT: " in capsys.readouterr().out


@pytest.mark.parametrize("tool", ["show", "replay"])
@pytest.mark.parametrize("seq", [1, 7, LAST])
def test_the_other_tools_name_it_too(tmp_path: Path, capsys: Captured, seq: int, tool: str) -> None:
    path = tmp_path / "table.db"
    forged(path, seq, b"another")
    assert main(["journal", tool, str(path)]) == 1
    told = capsys.readouterr()
    assert f"record {seq}: " in told.out + told.err
