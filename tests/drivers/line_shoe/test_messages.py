"""Lines of a shoe that says one a card. The bytes are those of ASCII, written out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.framing import Garbage, Scanner
from drivers.line_shoe.messages import LINE_MAX, Line, LineEnd, encode_line, line_grammar

GOLDEN = {
    "Ah, CR LF": ("41 68 0D 0A", "Ah", LineEnd.CR_LF),
    "37, LF": ("33 37 0A", "37", LineEnd.LF),
    "ERR 1, CR": ("45 52 52 20 31 0D", "ERR 1", LineEnd.CR),
}


def scanner(end: LineEnd = LineEnd.CR_LF) -> Scanner[Line]:
    return Scanner(line_grammar(end))


def n_bytes(item: Line | Garbage, end: LineEnd = LineEnd.CR_LF) -> int:
    return item.n_bytes if isinstance(item, Garbage) else len(encode_line(item.text, end))


@pytest.mark.parametrize(("golden", "text", "end"), GOLDEN.values(), ids=GOLDEN)
def test_a_golden_line_is_read_and_written(golden: str, text: str, end: LineEnd) -> None:
    assert scanner(end).feed(bytes.fromhex(golden)) == [Line(text)]
    assert encode_line(text, end) == bytes.fromhex(golden)


def test_a_line_prints_nothing_of_itself() -> None:
    assert repr(Line("As")) == "Line(2 characters)"


def test_blank_lines_are_none_and_another_line_end_is_no_line_end() -> None:
    assert scanner().feed(b"\r\n\r\nAs\r\n") == [Garbage("blank line", 4), Line("As")]
    assert scanner().feed(b"As\nKd\r\n") == [Garbage("malformed line", 3), Line("Kd")]


def test_what_never_ends_is_no_line() -> None:
    found = scanner().feed(b"x" * (LINE_MAX + 30) + b"\r\n")
    assert found[0] == Garbage("line too long", 30)
    assert found[1:] == [Line("x" * LINE_MAX)]


texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=LINE_MAX)
ends = st.sampled_from(LineEnd)


@given(st.lists(texts, max_size=5), ends, st.data())
def test_splitting_the_bytes_anywhere_changes_nothing(sent: list[str], end: LineEnd, data: st.DataObject) -> None:
    wire = b"".join(encode_line(text, end) for text in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    reader = scanner(end)
    found: list[Line | Garbage] = []
    for begin, stop in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        found += reader.feed(wire[begin:stop])
    assert found == [Line(text) for text in sent]


#: Text in front of a line is part of the line: it has no beginning of its own. Anything else in front of it is not.
after_what = st.sampled_from([b"", b"\x00", b"\xff", b"\x05\x03"])


@given(st.binary(max_size=80), after_what, ends, texts, st.binary(max_size=40))
def test_noise_never_costs_the_line_after_a_line_end_or_after_what_is_no_text(
    before: bytes, last: bytes, end: LineEnd, sent: str, after: bytes
) -> None:
    reader = scanner(end)
    wire = before + (last or end.ends_with) + encode_line(sent, end) + after
    found = [*reader.feed(wire), *reader.forget()]
    assert Line(sent) in found
    assert sum(n_bytes(part, end) for part in found) == len(wire)
