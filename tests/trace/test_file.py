"""A sealed trace: what it gives away, and that whatever was done to it is told with the block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.tags import Came
from tablectl.journal.seal import Vault
from tablectl.ops.trace.entry import BadEntry, Entry, Head, Kind, decode, encode
from tablectl.ops.trace.file import DATA_MAX, About, BadTrace, Fault, TraceFile, TraceWriter

VAULT = Vault(bytes(range(32)))
OTHER = Vault(bytes(32))
SECRET = bytes.fromhex("05 33 44 81 B8 03 34 44")
#: What a block takes in the file.
SEALED_BYTES = 12 + 8192 + 16


def about(vault: Vault = VAULT) -> About:
    head = Head(device="sabot", driver="angel-eye", settings={"port": "/dev/x"})
    return About(
        head=head, began="2026-01-01T00:00:00.000000Z", series="ab", number=1, key=vault.fingerprint, is_demo=False
    )


def entry(number: int, data: bytes = SECRET) -> Entry:
    return Entry(kind=Kind.IN, mono_us=number, wall_us=number + 1, data=data)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three blocks with an entry each, and one that ends the file."""
    file = tmp_path / "a.trace"
    writer = TraceWriter(file, about(), VAULT)
    for number in range(3):
        writer.put(entry(number))
        writer.flush()
    writer.close()
    return file


def found(path: Path, vault: Vault = VAULT) -> tuple[list[int], list[str]]:
    items = list(TraceFile(path).entries(vault))
    return [item.mono_us for item in items if isinstance(item, Entry)], [
        str(item) for item in items if isinstance(item, Fault)
    ]


def test_what_was_put_is_read_again(path: Path) -> None:
    items = list(TraceFile(path).entries(VAULT))
    assert items == [entry(0), entry(1), entry(2)]
    assert TraceFile(path).about == about()
    assert TraceFile(path).n_blocks == 5


def test_nothing_but_the_head_is_readable_and_every_block_has_one_length(tmp_path: Path) -> None:
    sizes = []
    for number, data in enumerate((b"", SECRET, SECRET * 100, b"\0" * 4000)):
        file = tmp_path / f"{number}.trace"
        writer = TraceWriter(file, about(), VAULT)
        writer.put(entry(1, data))
        writer.close()
        raw = file.read_bytes()
        assert SECRET not in raw
        assert SECRET.hex().encode() not in raw.lower()
        assert file.stat().st_mode & 0o777 == 0o600
        sizes.append(len(raw) - raw.index(b"}\n") - 2)
    assert sizes == [2 * SEALED_BYTES] * 4


def test_an_entry_never_prints_what_it_holds() -> None:
    shown = re.sub("0x[0-9a-f]+", "", repr(entry(1)))  # where it lies in memory can have any digits
    assert "81" not in shown
    assert "044" not in str(Came("044", 1))


def test_a_key_of_another_table_opens_nothing_and_says_so(path: Path) -> None:
    assert found(path, OTHER) == ([], ["block 0: sealed with another key than this one"])


def begin_of(path: Path) -> int:
    return path.stat().st_size - 5 * SEALED_BYTES


def test_a_changed_byte_is_told_with_its_block(path: Path) -> None:
    raw = bytearray(path.read_bytes())
    raw[begin_of(path) + 2 * SEALED_BYTES + 100] ^= 1
    path.write_bytes(raw)
    times, faults = found(path)
    assert times == [0]
    assert faults == ["block 2: changed, moved here, or the lines before the blocks were changed"]


def blocks(path: Path) -> tuple[bytes, list[bytes]]:
    raw, begin = path.read_bytes(), begin_of(path)
    return raw[:begin], [raw[at : at + SEALED_BYTES] for at in range(begin, len(raw), SEALED_BYTES)]


def changed(head: bytes, parts: list[bytes]) -> Iterator[tuple[bytes, list[int], str]]:
    yield head + b"".join([parts[0], parts[2], parts[1], *parts[3:]]), [], "block 1: changed"
    yield head + b"".join([*parts[:2], *parts[3:]]), [0], "block 2: changed"
    yield head + b"".join(parts[:3]), [0, 1], "block 3: missing: the trace has no end"
    yield head + b"".join(parts)[: -SEALED_BYTES - 7], [0, 1], "block 3: cut short: 8213 of 8220 bytes"
    yield head + b"".join([*parts, parts[1]]), [0, 1, 2], "block 5: stands after the end"
    yield head.replace(b"sabot", b"other") + b"".join(parts), [], "block 0: changed"
    yield head, [], "block 0: missing"


def test_blocks_that_were_moved_taken_away_or_cut_are_told_exactly(path: Path) -> None:
    for raw, times, told in changed(*blocks(path)):
        path.write_bytes(raw)
        seen, [fault] = found(path)
        assert seen == times
        assert fault.startswith(told)


def test_a_block_of_another_file_is_not_taken(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "b.trace"
    writer = TraceWriter(other, about(), VAULT)
    for number in range(3):
        writer.put(entry(number))
        writer.flush()
    writer.close()
    (head, parts), (_, foreign) = blocks(path), blocks(other)
    path.write_bytes(head + b"".join([parts[0], foreign[1], *parts[2:]]))
    assert found(path)[1] == ["block 1: changed, moved here, or the lines before the blocks were changed"]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "no trace of tablectl"),
        (b"driver angel-eye\n", "no trace of tablectl"),
        (b"tablectl trace 2\n{}\n", "a trace of version b'2"),
        (b"tablectl trace 1\n{}\n", "does not say whose trace it is (KeyError)"),
        (b"tablectl trace 1\nxyz\n", "does not say whose trace it is (JSONDecodeError)"),
    ],
)
def test_a_file_that_is_no_trace_says_so(tmp_path: Path, raw: bytes, told: str) -> None:
    file = tmp_path / "a.trace"
    file.write_bytes(raw)
    with pytest.raises(BadTrace, match=re.escape(told)):
        TraceFile(file)


def test_an_entry_fits_into_a_block_or_is_refused(tmp_path: Path) -> None:
    writer = TraceWriter(tmp_path / "a.trace", about(), VAULT)
    writer.put(entry(1, bytes(DATA_MAX)))
    with pytest.raises(ValueError, match="does not fit"):
        writer.put(entry(1, bytes(DATA_MAX + 1)))
    writer.close()
    assert list(TraceFile(tmp_path / "a.trace").entries(VAULT)) == [entry(1, bytes(DATA_MAX))]


def test_a_file_that_is_there_is_not_written_over(path: Path) -> None:
    with pytest.raises(FileExistsError):
        TraceWriter(path, about(), VAULT)


@pytest.mark.parametrize("cut", [1, 21, 25])
def test_an_entry_that_is_cut_is_none(cut: int) -> None:
    with pytest.raises(BadEntry):
        list(decode(encode(entry(1))[:-cut] if cut < 10 else encode(entry(1))[:cut]))


def test_an_entry_of_no_kind_is_none() -> None:
    with pytest.raises(BadEntry):
        list(decode(b"\xff" + encode(entry(1))[1:]))
