"""`tablectl trace`: what a technician sees, with the key and without, and what is on record of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tablectl.cli.main import main
from tablectl.journal.keys import make_keys
from tests.trace.test_traces import FOLDER

Captured = pytest.CaptureFixture[str]
SHOE = FOLDER / "angel-eye-repeated-three-times.trace"
READER = FOLDER / "pn532-ack-and-answer-coalesced.trace"
LIGHT = FOLDER / "patlite-lr6-state-of-the-table.trace"
SECRETS = ("8s", "Ad", "81 B8", "A1 91", "82ACB95D", "82 AC B9 5D")
ASKED = ("--unseal", "--by", "A. Perito", "--reason", "reclamación 7")


def ends(*words: str | Path) -> int:
    return main(["trace", *map(str, words)])


@pytest.fixture
def key(tmp_path: Path) -> Path:
    make_keys(tmp_path / "table.key", tmp_path / "table.sign", demo=True)
    return tmp_path / "table.key"


@pytest.fixture(params=[SHOE, READER], ids=lambda path: path.stem)
def sealed(request: pytest.FixtureRequest, key: Path, capsys: Captured) -> Path:
    out = key.with_name("a.trace")
    assert ends("import", request.param, out, "--key", key) == 0
    assert "sealed" in capsys.readouterr().out
    return out


def test_a_list_needs_no_key_and_names_whose_traces_they_are(sealed: Path, capsys: Captured) -> None:
    assert ends("list", sealed.parent) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{sealed}  ")
    assert "DEMO KEY" in line
    assert "2 blocks" in line


def test_a_file_that_is_no_trace_is_named_and_the_others_are_listed(sealed: Path, capsys: Captured) -> None:
    other = sealed.with_name("b.trace")
    other.write_text("nothing", encoding="utf-8")
    assert ends("list", sealed.parent) == 2
    said = capsys.readouterr()
    assert str(sealed) in said.out
    assert str(other) in said.err


@pytest.mark.parametrize("tool", ["show", "replay", "export"])
def test_without_the_key_nothing_of_a_sealed_trace_is_shown(tool: str, sealed: Path, capsys: Captured) -> None:
    assert ends(tool, sealed, *ASKED) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "--key" in said.err
    assert not sealed.with_name("unsealed.log").exists()


@pytest.mark.parametrize("tool", ["show", "replay"])
def test_with_the_key_alone_cards_tags_and_bytes_stay_masked(
    tool: str, sealed: Path, key: Path, capsys: Captured
) -> None:
    assert ends(tool, sealed, "--key", key) == 0
    said = capsys.readouterr().out
    assert " bytes" in said
    assert not any(secret in said for secret in SECRETS)
    assert tool == "show" or "▒▒" in said
    assert not sealed.with_name("unsealed.log").exists()


@pytest.mark.parametrize("tool", ["show", "replay", "export"])
def test_who_unseals_is_on_record_before_anything_is_shown(
    tool: str, sealed: Path, key: Path, capsys: Captured
) -> None:
    assert ends(tool, sealed, "--key", key, *ASKED) == 0
    said = capsys.readouterr()
    assert any(secret in said.out for secret in SECRETS)
    assert "unsealed.log says that you asked" in said.err
    [line] = sealed.with_name("unsealed.log").read_text(encoding="utf-8").splitlines()
    record = json.loads(line)
    assert (record["by"], record["reason"], record["trace"]) == ("A. Perito", "reclamación 7", "a.trace")


@pytest.mark.parametrize("words", [("--unseal",), ("--unseal", "--by", "ana"), ("--unseal", "--reason", "x")])
def test_nobody_unseals_without_a_name_and_a_reason(
    words: tuple[str, ...], sealed: Path, key: Path, capsys: Captured
) -> None:
    assert ends("show", sealed, "--key", key, *words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "--by" in said.err


def test_nothing_is_shown_where_the_asking_cannot_be_recorded(sealed: Path, key: Path, capsys: Captured) -> None:
    sealed.with_name("unsealed.log").mkdir()
    assert ends("show", sealed, "--key", key, *ASKED) == 2
    assert capsys.readouterr().out == ""


def test_what_is_exported_is_the_same_trace(sealed: Path, key: Path, capsys: Captured) -> None:
    assert ends("export", sealed, "--key", key, *ASKED) == 0
    text = sealed.with_suffix(".text")
    text.write_text(capsys.readouterr().out, encoding="utf-8")
    assert ends("replay", text) == 0
    assert ", 0 differences" in capsys.readouterr().out


def test_an_export_is_asked_for_in_so_many_words(sealed: Path, key: Path, capsys: Captured) -> None:
    assert ends("export", sealed, "--key", key) == 2
    assert "--unseal" in capsys.readouterr().err


def test_a_damaged_trace_is_shown_up_to_the_block_that_is_named(sealed: Path, key: Path, capsys: Captured) -> None:
    raw = bytearray(sealed.read_bytes())
    raw[-1] ^= 1
    sealed.write_bytes(raw)
    assert ends("show", sealed, "--key", key) == 1
    assert "block 1: changed" in capsys.readouterr().out
    sealed.write_bytes(raw[:-1])
    assert ends("replay", sealed, "--key", key) == 1
    assert "block 1: cut short" in capsys.readouterr().out


def test_what_a_driver_would_write_otherwise_is_a_difference(tmp_path: Path, capsys: Captured) -> None:
    text = LIGHT.read_text(encoding="utf-8")
    changed = tmp_path / "light.trace"
    changed.write_text(text.replace("00 00 00 00 00 10 00 00", "00 00 00 00 00 20 00 00"), encoding="utf-8")
    assert ends("replay", LIGHT) == 0
    capsys.readouterr()
    assert ends("replay", changed) == 1
    assert "DIFFERS: wanted out of 8 bytes, written out of 8 bytes: byte 5 is another one" in capsys.readouterr().out
    assert ends("replay", changed, "--unseal") == 1
    assert "written out 00 00 00 00 00 20 00 00" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("driver toaster\n0 wait\n", "no driver 'toaster'"),
        ("driver angel-eye\nsetting may_lock = 3\n0 wait\n", "may_lock"),
        ("driver patlite-lr6\nkey what = 3\n0 wait\n", "keys of"),
        ("driver patlite-lr6\n0 told what\n", "cannot be read"),
        ("driver\n0 in 0\n", "line 2"),
        ("\x00", "line 1"),
    ],
)
def test_what_cannot_be_replayed_is_named(tmp_path: Path, text: str, told: str, capsys: Captured) -> None:
    path = tmp_path / "a.trace"
    path.write_text(text, encoding="utf-8")
    assert ends("replay", path) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_is_not_there_or_is_no_text_is_named(tmp_path: Path, capsys: Captured) -> None:
    assert ends("show", tmp_path / "none.trace") == 2
    assert "none.trace" in capsys.readouterr().err
    (tmp_path / "a.trace").write_bytes(b"\xff\xfe")
    assert ends("show", tmp_path / "a.trace") == 2
    assert "no text" in capsys.readouterr().err


def test_nothing_is_written_over_by_an_import(sealed: Path, key: Path) -> None:
    before = sealed.read_bytes()
    assert ends("import", SHOE, sealed, "--key", key) == 2
    assert sealed.read_bytes() == before
