"""The commands as people call them: what they print, and how they end."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from simulators import processes
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import UsbBus
from simulators.devices.xkeys.simulator import XKeysSimulator
from simulators.stage.demo import Addresses, welcome
from simulators.stage.game_rotation import GameRotation
from simulators.stage.people import Secrets
from simulators.stage.stage import Scene, Stage, config_text, temporary_folder
from tablectl.cli.commands import check_config
from tablectl.cli.main import COMMANDS, main
from tablectl.core.engine.rulebook import Kind
from tablectl.games.registry import RULEBOOKS
from tablectl.journal.public_keys import whole_fingerprint
from tablectl.journal.store import Store
from tablectl.ops.setup.discovery import Found
from tests.journal.journals import KEYS, WHOLE_HAND, changed, keep_keys, records, written
from tests.screens.test_tls import certificate
from tests.wide import once

HANDS = Path(__file__).parent / "hands" / "texas-bonus"
ADDRESSES = Addresses(screens="http://127.0.0.1:8420", handover="http://127.0.0.1:8430/training")
SHIPPED = Path(__file__).parents[1] / "config" / "mesa-1.toml"
Captured = pytest.CaptureFixture[str]


def ends(*words: str | Path) -> int | str | None:
    """The exit status of a command."""
    try:
        return main([str(word) for word in words])
    except SystemExit as left:
        return left.code


# --- all of them ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: Captured) -> None:
    assert ends(command, "--help") == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: tablectl {command}")
    assert "".join(COMMANDS[command].help.split()) in "".join(said.split())


def test_the_list_of_commands_names_each_with_its_help(capsys: Captured) -> None:
    assert ends("--help") == 0
    said = "".join(capsys.readouterr().out.split())
    for name, command in COMMANDS.items():
        assert "".join((name, *command.help.split())) in said


@pytest.mark.parametrize("words", [[], ["shuffle"], ["check-config"], ["journal"], ["journal", "mend", "x.db"]])
def test_wrong_usage_ends_with_2_and_says_how_it_is_used(words: list[str], capsys: Captured) -> None:
    assert ends(*words) == 2
    assert "usage: tablectl" in capsys.readouterr().err


@pytest.mark.wide
def test_whoever_has_seen_enough_of_the_output_may_go() -> None:
    process = processes.start(
        [sys.executable, "-m", "tablectl", "rules", "texas-bonus"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 0
    assert b"Traceback" not in said


# --- check-config ---------------------------------------------------------------------------------------------------


def test_a_good_configuration_is_told_with_its_devices(capsys: Captured) -> None:
    assert ends("check-config", "--language", "en", SHIPPED) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{SHIPPED}: good: Mesa 1, texas-bonus, 7 seats, tracking amounts"
    assert [line.split() for line in said[1:4]] == [
        ["shoe", "sabot", "(angel-eye)"],
        ["panel", "panel", "(xkeys-xk24)"],
        ["light", "light", "(patlite-lr6)"],
    ]
    assert said[4].startswith("notice: profile.pair_of_jacks_bonus")


@pytest.mark.parametrize(
    ("words", "good", "notice"),
    [
        ([], "correcto: Mesa 1, texas-bonus, 7 puestos", "aviso: profile.pair_of_jacks_bonus = loses: la pareja"),
        (["--language", "es"], "correcto: Mesa 1, texas-bonus, 7 puestos", "aviso: software.manifest = ninguno: no se"),
        (["--language", "en"], "good: Mesa 1, texas-bonus, 7 seats", "notice: software.manifest = none: nobody can"),
    ],
)
def test_a_configuration_is_told_in_one_language_the_tables_unless_another_is_asked_for(
    words: list[str], good: str, notice: str, capsys: Captured
) -> None:
    assert ends("check-config", *words, SHIPPED) == 0
    said = capsys.readouterr().out
    assert f": {good}, tracking amounts\n" in said
    assert f"\n{notice}" in said
    assert ("aviso: " if notice.startswith("notice") else "notice: ") not in said


def test_a_program_gets_the_notices_in_the_language_that_it_asks_for(capsys: Captured) -> None:
    assert ends("check-config", "--json", "--language", "es", SHIPPED) == 0
    spanish = json.loads(capsys.readouterr().out)["notices"]
    assert ends("check-config", "--json", "--language", "en", SHIPPED) == 0
    english = json.loads(capsys.readouterr().out)["notices"]
    assert len(spanish) == len(english) > 2
    assert not set(spanish) & set(english)


def test_a_table_without_devices_is_told_what_it_lacks(tmp_path: Path, capsys: Captured) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[table]\nrulebook = "texas-bonus"\ntracking = "presence"\n', encoding="utf-8")
    assert ends("check-config", "--language", "en", config) == 0
    said = capsys.readouterr().out
    assert re.findall(r"(\w+) +none configured", said) == ["light", "panel", "shoe"]


def with_certificate(folder: Path, *, begins: int, ends: int) -> Path:
    """A table whose screens have a certificate; when it begins and ends, in days from now."""
    places = certificate(folder, begins=timedelta(days=begins), ends=timedelta(days=ends))
    config = folder / "table.toml"
    screens = f'[screens]\nhost = "0.0.0.0"\ncertificate = "{places[0]}"\nkey = "{places[1]}"\n'
    config.write_text(f'[table]\nrulebook = "texas-bonus"\ntracking = "presence"\n{screens}', encoding="utf-8")
    return config


@pytest.mark.parametrize(("begins", "ends_in", "what"), [(-400, -2, "expired on 2"), (2, 400, "is not valid before 2")])
def test_a_certificate_that_browsers_refuse_is_a_mistake(
    begins: int, ends_in: int, what: str, tmp_path: Path, capsys: Captured
) -> None:
    config = with_certificate(tmp_path, begins=begins, ends=ends_in)
    assert ends("check-config", "--language", "en", config) == 2
    said = capsys.readouterr().err
    assert f"screens.certificate: found the certificate of CN=mesa-1 {what}" in said
    assert said.endswith("1 mistake; mend it first.\n")


def test_one_expired_certificate_in_a_chain_is_enough(tmp_path: Path, capsys: Captured) -> None:
    old, _ = certificate(tmp_path, ends=timedelta(hours=-1))
    expired = old.read_bytes()
    config = with_certificate(tmp_path, begins=-1, ends=400)
    old.write_bytes(old.read_bytes() + expired)
    assert ends("check-config", "--language", "en", config) == 2
    assert "expired on" in capsys.readouterr().err


def test_what_is_no_certificate_is_a_mistake(tmp_path: Path, capsys: Captured) -> None:
    config = with_certificate(tmp_path, begins=-1, ends=400)
    (tmp_path / "screens.crt").write_text("a key?", encoding="utf-8")
    assert ends("check-config", "--language", "en", config) == 2
    assert "which is no certificate" in capsys.readouterr().err


@pytest.mark.parametrize(("days", "told"), [(10, 1), (29, 1), (31, 0), (400, 0)])
def test_a_certificate_that_ends_within_a_month_is_a_notice(
    days: int, told: int, tmp_path: Path, capsys: Captured
) -> None:
    assert ends("check-config", "--language", "en", with_certificate(tmp_path, begins=-1, ends=days)) == 0
    said = capsys.readouterr().out
    assert said.count(f"screens.certificate = {tmp_path}/screens.crt: the certificate of CN=mesa-1 expires on") == told


def test_a_certificate_that_is_not_here_is_a_notice(tmp_path: Path, capsys: Captured) -> None:
    config = with_certificate(tmp_path, begins=-1, ends=400)
    (tmp_path / "screens.crt").unlink()
    assert ends("check-config", "--language", "en", config) == 0
    assert "screens.crt: found no such file; nobody can say here until when it is good" in capsys.readouterr().out


def test_what_is_not_there_on_this_machine_is_told(tmp_path: Path, capsys: Captured) -> None:
    assert ends("check-config", "--language", "en", SHIPPED) == 0
    said = capsys.readouterr().out
    for key in ("journal.path", "journal.copy", "control.socket"):
        assert re.search(f"^notice: {re.escape(key)} = .*: there is no folder .* on this machine", said, re.MULTILINE)
    config = tmp_path / "table.toml"
    text = SHIPPED.read_text(encoding="utf-8")
    for folder in ("/var/lib/tablectl/mesa-1", "/run/tablectl/mesa-1"):
        text = text.replace(folder, str(tmp_path))
    config.write_text(text, encoding="utf-8")
    assert ends("check-config", "--language", "en", config) == 0
    said = capsys.readouterr().out
    assert "there is no folder" not in said
    assert "journal.copy lies on the same disk as the journal" in said


def test_devices_that_are_not_plugged_in_are_told_and_are_no_mistake(tmp_path: Path, capsys: Captured) -> None:
    config, shoe = tmp_path / "table.toml", tmp_path / "sabot"
    scene = Scene(seats=7, tracking="presence")
    with closing(UsbBus(tmp_path / "usb.sock")) as bus:
        config.write_text(config_text(scene, tmp_path), encoding="utf-8")
        assert ends("check-config", "--language", "en", config) == 0
        said = capsys.readouterr().out
        assert f"notice: shoe sabot (angel-eye): nothing is plugged in at {shoe} now; `tablectl devices`" in said
        assert "notice: panel panel (xkeys-xk24): none is plugged in now" in said
        assert "notice: light light (patlite-lr6): none is plugged in now" in said
        shoe.touch()
        bus.plug(XKeysSimulator())
        bus.plug(PatliteSimulator())
        assert ends("check-config", "--language", "en", config) == 0
        assert "plugged in" not in capsys.readouterr().out


def test_where_nobody_can_look_at_usb_no_device_is_said_to_be_missing(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_config, "look", lambda **_: Found(usb_trouble="no libusb"))
    assert ends("check-config", "--language", "en", SHIPPED) == 0
    said = capsys.readouterr().out
    assert "notice: nobody can say which USB devices are plugged in: no libusb" in said
    assert "none is plugged in" not in said


def test_nobody_looks_behind_a_network_while_checking(tmp_path: Path, capsys: Captured) -> None:
    config = tmp_path / "table.toml"
    text = config_text(Scene(seats=7, tracking="presence"), tmp_path)
    config.write_text(text.replace(f"{tmp_path}/sabot", "socket://127.0.0.1:9"), encoding="utf-8")
    assert ends("check-config", "--language", "en", config) == 0
    assert "shoe sabot (angel-eye): nothing" not in capsys.readouterr().out


def test_a_wrong_configuration_ends_with_2_and_one_line_a_mistake(tmp_path: Path, capsys: Captured) -> None:
    config = tmp_path / "table.toml"
    config.write_text(config_text(Scene(seats=10, tracking="chips"), tmp_path), encoding="utf-8")
    assert ends("check-config", "--language", "en", config) == 2
    out, told = capsys.readouterr()
    assert out == ""
    assert told.splitlines() == [
        f"{config}: table.tracking: found 'chips'; would be right: one of presence, amounts",
        f"{config}: table.seats: found 10; would be right: a whole number from 1 to 9",
        "2 mistakes; mend them first.",
    ]


def test_a_configuration_that_is_not_there_ends_with_2(tmp_path: Path, capsys: Captured) -> None:
    for command in ("check-config", "run"):
        assert ends(command, tmp_path / "none.toml") == 2
        assert "found no such file; would be right: " in capsys.readouterr().err


# --- play -----------------------------------------------------------------------------------------------------------


def test_hands_that_come_out_as_written_end_with_0(capsys: Captured) -> None:
    files = sorted(HANDS.glob("THB-ERR-1-*.hand"))
    assert ends("play", *files) == 0
    assert capsys.readouterr().out == f"{len(files)} hand files played through the engine, 0 with differences\n"


def test_each_difference_is_a_line_and_the_end_is_1(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "wrong.hand"
    path.write_text(
        "# x\nrulebook texas-bonus\nseats 1\n> bet 1 ante 1000\n> press no-more-bets\n< phase flop\n"
        "> draw As\n< card seat-1.1\n> draw Kd\n",
        encoding="utf-8",
    )
    assert ends("play", path, HANDS / "THB-SET-2-the-board-ties.hand") == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path}: line 6: after '> press no-more-bets': expected phase flop; found phase dealing",
        f"{path}: line 9: after '> draw Kd': expected nothing; found card house.1",
        "2 hand files played through the engine, 1 with differences",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# x\nrulebook texas-bonus\n> draw 1s\n", "line 3: found 'draw 1s'; expected a card"),
        ("# x\nrulebook texas-bonus\n>\n", "line 3: found ''; expected one of acknowledge"),
        ("# x\nrulebook seven-card-stud\n> draw As\n", "found 'seven-card-stud'; expected a rulebook: texas-bonus"),
        ("# x\nrulebook texas-bonus\nprofile wrong_ordr=accept\n> draw As\n", "found 'profile'; expected"),
        ("# x\nrulebook texas-bonus\n> restart profile.tye=stake\n", "line 3: found 'profile'; expected"),
        ("# x\nrulebook draw-poker\nnext-game open-holdem profile.tye=x\n> draw As\n", "found 'profile'; expected"),
        ("# x\n", "found 'no rulebook'; expected a line 'rulebook ID'"),
    ],
)
def test_a_hand_file_that_cannot_be_read_ends_with_2_and_names_line_and_remedy(
    tmp_path: Path, capsys: Captured, text: str, told: str
) -> None:
    path = tmp_path / "bad.hand"
    path.write_text(text, encoding="utf-8")
    assert ends("play", HANDS / "THB-SET-2-the-board-ties.hand", path) == 2
    out, said = capsys.readouterr()
    assert said.startswith(f"{path}: line ")
    assert told in said
    assert out == "1 hand file played through the engine, 0 with differences\n", "the others are played"


def test_a_hand_file_that_is_not_there_or_no_text_ends_with_2(tmp_path: Path, capsys: Captured) -> None:
    assert ends("play", tmp_path / "none.hand") == 2
    assert "found no such file; would be right: " in capsys.readouterr().err
    (tmp_path / "bad.hand").write_bytes(b"\xff\xfe")
    assert ends("play", tmp_path / "bad.hand") == 2
    assert f"{tmp_path / 'bad.hand'}: " in capsys.readouterr().err


@pytest.mark.system
def test_a_hand_goes_over_the_wire_where_that_is_asked_for(capsys: Captured) -> None:
    assert ends("play", "--wire", HANDS / "THB-DEV-2-no-ante-no-cards.hand") == 0
    assert capsys.readouterr().out == "1 hand file played through the wire, 0 with differences\n"


@pytest.mark.system
def test_a_hand_that_cannot_go_over_the_wire_ends_with_1_and_the_reason(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "strange.hand"
    text = "# x\nrulebook texas-bonus\nseats 1\nlimits ante 1..100\n> bet 1 ante 100\n"
    path.write_text(text, encoding="utf-8")
    assert ends("play", "--wire", path) == 1
    told = capsys.readouterr().out
    assert told.startswith(f"{path}: the controller ended with 2")
    assert "limits.ante: found 1..100" in told
    assert told.endswith("1 hand file played through the wire, 1 with differences\n")


# --- journal --------------------------------------------------------------------------------------------------------


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Two hands, with the key where it is looked for."""
    written(tmp_path / "table.db", WHOLE_HAND * 2)
    keep_keys(tmp_path)
    return tmp_path / "table.db"


def copy_of(journal: Path) -> Path:
    return journal.with_suffix(".copy")


def spoilt(journal: Path, seq: int) -> None:
    public = records(journal)[seq - 1].public.replace(b'"seat":1', b'"seat":2')
    changed(journal, ("UPDATE record SET public = ? WHERE seq = ?", (public, seq)))


def test_a_good_journal_is_verified_and_replayed(journal: Path, capsys: Captured) -> None:
    assert ends("journal", "verify", journal) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{journal}: intact: 49 records, 2 closed hands, 18 revealed cards as committed, 3 signatures",
        "  signed end: record 49 is signed",
        f"  signed with {whole_fingerprint(KEYS.signer.public)} (compare it with the one the house published)",
        f"{copy_of(journal)}: there is no second copy: that the journal's end was not cut off, nobody can say",
    ]
    assert ends("journal", "replay", journal) == 0
    assert capsys.readouterr().out == (
        f"{journal}: replayed: 49 records, 2 closed hands, decisions, prompts and carries as recorded\n"
    )


def test_a_journal_is_verified_without_its_key(journal: Path) -> None:
    journal.with_suffix(".key").unlink()
    assert ends("journal", "verify", journal) == 0


def test_a_changed_byte_ends_with_1_and_names_the_record(journal: Path, capsys: Captured) -> None:
    spoilt(journal, 12)
    assert ends("journal", "verify", journal) == 1
    first, second, third = capsys.readouterr().out.splitlines()
    assert third == f"{copy_of(journal)}: there is no second copy"
    assert first.startswith(
        f"{journal}: NOT INTACT: record 12: changed: its hash does not follow from it and the record before"
    )
    assert second == "11 records before it are good; nothing after it can be trusted"


def test_a_decision_that_differs_ends_with_1_and_shows_both(journal: Path, capsys: Captured) -> None:
    spoilt(journal, 12)
    assert ends("journal", "replay", journal) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{journal}: record 12 DIFFERS: decision 1"
    assert "'seat': 2" in said[1]
    assert "'seat': 1" in said[2]


def test_another_key_ends_with_1_and_an_unusable_one_with_2(journal: Path, tmp_path: Path, capsys: Captured) -> None:
    other = tmp_path / "other.key"
    other.touch(0o600)
    other.write_text(f"tablectl sealing key {64 * '0'}\n", encoding="ascii")
    assert ends("journal", "replay", journal, "--key", other) == 1
    assert "NOT REPLAYED: record 6: the sealed part was changed, or the key is another one" in capsys.readouterr().out
    other.chmod(0o644)
    assert ends("journal", "replay", journal, "--key", other) == 2
    assert f"run: chmod 0600 {other}" in capsys.readouterr().err
    assert ends("journal", "replay", journal, "--key", tmp_path / "none.key") == 2
    assert "the sealing key cannot be read" in capsys.readouterr().err


def test_a_record_of_another_program_is_no_crash(journal: Path, capsys: Captured) -> None:
    changed(journal, ("UPDATE record SET public = ? WHERE seq = 3", (b"{}",)))
    assert ends("journal", "replay", journal) == 1
    assert "NOT REPLAYED: record 3: " in capsys.readouterr().out
    assert ends("journal", "show", journal) == 1
    assert "record 3: " in capsys.readouterr().err


@pytest.mark.parametrize("tool", ["show", "replay", "volumes"])
def test_a_journal_that_cannot_be_read_ends_with_2(tmp_path: Path, capsys: Captured, tool: str) -> None:
    keep_keys(tmp_path)
    for name in ("none", "notes"):
        (tmp_path / f"{name}.key").symlink_to(tmp_path / "table.key")
    assert ends("journal", tool, tmp_path / "none.db") == 2
    assert "there is no such journal" in capsys.readouterr().err
    (tmp_path / "notes.db").write_text("no database at all" * 100, encoding="utf-8")
    assert ends("journal", tool, tmp_path / "notes.db") == 2
    assert "is it a journal of tablectl?" in capsys.readouterr().err


def test_records_are_shown_for_people_with_cards_as_seals_until_they_are_revealed(
    journal: Path, capsys: Captured
) -> None:
    assert ends("journal", "show", journal, "--hand", "1") == 0
    said = capsys.readouterr().out
    assert "hand 1  drawn card=sealed:" in said
    assert "   board.1 is 3c (draw 8)" in said
    assert "-> card-placed draw=1 slot=seat-1.1" in said
    assert not re.search(r"\b9c\b", said), "a card that nobody has seen"


def test_records_are_shown_as_they_were_chained_as_json(journal: Path, capsys: Captured) -> None:
    assert ends("journal", "show", journal, "--json") == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(record["seq"], record["hash"]) for record in shown] == [
        (stored.seq, stored.hash.hex()) for stored in records(journal)
    ]


@pytest.mark.parametrize("tool", ["show", "replay"])
@pytest.mark.parametrize("hand", ["0", "3", "-1"])
def test_a_hand_that_was_never_played_ends_with_2(journal: Path, capsys: Captured, tool: str, hand: str) -> None:
    assert ends("journal", tool, journal, f"--hand={hand}") == 2
    assert f"{journal}: no hand {hand}; the newest one is hand 2" in capsys.readouterr().err


def test_one_hand_is_replayed_alone(journal: Path, capsys: Captured) -> None:
    assert ends("journal", "replay", journal, "--hand", "2") == 0
    assert (
        capsys.readouterr().out
        == f"{journal}: replayed: 24 records, 1 closed hand, decisions, prompts and carries as recorded\n"
    )


def test_an_empty_journal_is_intact(tmp_path: Path, capsys: Captured) -> None:
    Store.open(tmp_path / "a.db").close()
    assert ends("journal", "verify", tmp_path / "a.db") == 0
    assert "0 records, 0 closed hands" in capsys.readouterr().out


# --- diagram --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULEBOOKS)
def test_the_diagram_has_every_phase_and_every_transition(name: str, capsys: Captured) -> None:
    assert ends("diagram", name) == 0
    said = capsys.readouterr().out.splitlines()
    rulebook = RULEBOOKS[name]({})
    assert said[0] == "stateDiagram-v2"
    ids = {phase: phase.replace("-", "_") for phase in rulebook.phases}
    boxed = said[said.index("    state hand {") + 1 : said.index("    }")]
    hand = [game_phase for game_phase in rulebook.phases.values() if game_phase.kind not in (Kind.IDLE, Kind.VOIDED)]
    for phase in rulebook.phases.values():
        lines = boxed if phase in hand else said
        text = f"{ids[phase.name]} : {phase.name} ({phase.clauses[0]}"
        assert len([line for line in lines if line.strip().startswith(text)]) == 1
    assert len(boxed) == len(hand)
    drawn = set(said)
    for row in rulebook.transitions:
        guard = f" [{row.guard.name}]" if row.guard is not None else ""
        from_each = f"    {ids[row.source]} --> {ids[row.dest]} : {row.trigger}{guard}"
        from_all = f"    hand --> {ids[row.dest]} : {row.trigger}"
        assert from_each in drawn or (from_all in drawn and row.source in {hand_phase.name for hand_phase in hand})
    assert f"    [*] --> {ids[rulebook.initial]}" in said


def test_the_annulment_is_one_arrow_from_the_whole_hand(capsys: Captured) -> None:
    assert ends("diagram", "texas-bonus") == 0
    assert [line.strip() for line in capsys.readouterr().out.splitlines() if line.endswith(" : void")] == [
        "hand --> voided : void"
    ]


def test_a_diagram_of_a_rulebook_that_is_not_there_ends_with_2(capsys: Captured) -> None:
    assert ends("diagram", "seven-card-stud") == 2
    assert "no rulebook 'seven-card-stud'; there are: texas-bonus" in capsys.readouterr().err


# --- demo -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def kept() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield Path(folder)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_demo_welcomes_in_one_language_with_its_pages_and_secrets(rulebook: str) -> None:
    said = welcome(ADDRESSES, rulebook, "shoe", Secrets(pin="123987"), None)
    assert re.search(r"^  A [A-Z][a-zA-Z' -]+ table is open: simulated shoe, panel and light,", said, re.MULTILINE)
    assert "Póker" not in said
    for page in ("croupier", "pit", "technician", "auditor"):
        assert f"http://127.0.0.1:8420/{page}\n" in said
    assert "PIN 123987: the sign-on page shows it\n" in said
    assert "ana (croupier), luis (pit boss), " in said
    assert "http://127.0.0.1:8430/training\n" in said


def test_a_demo_says_at_its_start_what_becomes_of_its_journal() -> None:
    told = {
        kept: welcome(ADDRESSES, "texas-bonus", "shoe", Secrets(pin="123987"), kept)
        for kept in (None, Path("/srv/demo"))
    }
    assert "Nothing of it stays: --keep DIR keeps the journal." in told[None]
    assert "Its journal stays: /srv/demo/table.db." in told[Path("/srv/demo")]


@pytest.mark.system
def test_one_hand_is_one_hand(kept: Path, capsys: Captured) -> None:
    assert ends("demo", "--headless", "--hands", "1", "--seed", "7", "--keep", kept) == 0
    assert ": 1 hand in " in capsys.readouterr().out


@pytest.mark.system
@pytest.mark.parametrize("rulebook", once(RULEBOOKS, "texas-bonus"))
def test_a_headless_demo_with_many_faults_ends_with_0_and_a_summary(
    rulebook: str, kept: Path, capsys: Captured
) -> None:
    words = ["demo", "--rulebook", rulebook, "--headless", "--hands", "3", "--faults", "many", "--seed", "7"]
    assert ends(*words, "--keep", kept) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{rulebook}, seed 7, faults many, tracking amounts: 3 hands in ")
    assert re.search(r"\n  float +[+-]\d+ cents expected; the players' chips agree\n", said)
    assert "presses when all stay and nothing goes wrong: " in said
    assert re.search(
        r"journal +verified: \d+ records, \d+ reveals as committed, \d+ signatures; replayed: every decision the same",
        said,
    )
    read = re.search(r"cards read +(\d+)", said)
    assert read is not None
    with closing(Store.read(kept / "table.db")) as store:
        facts = [json.loads(stored.public)["fact"] for stored in store.records()]
    assert int(read[1]) == sum("draw" in fact for fact in facts)
    incidents = re.search(r"incidents +(\d+)", said)
    assert incidents is not None
    assert int(incidents[1]) == sum(map(int, re.findall(r"(?:THB|TPC|THL|THO|FCD)-\S+ +(\d+)", said))) > 0


@pytest.mark.system
def test_a_demo_whose_controller_ends_shows_what_that_said_last(
    kept: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who changes the program beside a demo has its integrity check end it, as at a real table."""
    begin, play = Stage.start_controller, GameRotation.play
    stages: list[Stage] = []

    def begins(stage: Stage) -> None:
        stages.append(stage)
        begin(stage)

    def is_ended_in_between(games: GameRotation, _hands: int | None) -> None:
        play(games, 1)
        stages[0].controller.kill()
        stages[0].controller.wait()
        play(games, 2)

    monkeypatch.setattr(Stage, "start_controller", begins)
    monkeypatch.setattr(GameRotation, "play", is_ended_in_between)
    assert ends("demo", "--headless", "--hands", "2", "--seed", "7", "--keep", kept) == 1
    said = capsys.readouterr().err
    assert said.startswith("demo: the controller ended, and its log ends with\n")
    assert '"event": "hand over"' in said
    assert "systemctl" not in said


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--headless"], "--headless goes with --hands N"),
        (["--headless", "--hands", "0"], "--hands 0: a whole number from 1"),
        (["--headless", "--hands", "-3"], "--hands -3: a whole number from 1"),
        (["--headless", "--hands", "x"], "invalid int value"),
        (["--faults", "all"], "invalid choice"),
        (["--switch", "--tracking", "actions"], "with --switch amounts are entered"),
        (["--rulebook", "seven-card-stud"], "invalid choice"),
        (["--headless", "--hands", "1", "--speed", "-1"], "--speed -1"),
        (["--headless", "--hands", "1", "--speed", "nan"], "--speed nan"),
    ],
)
def test_a_demo_that_is_called_wrongly_ends_with_2(words: list[str], told: str, capsys: Captured) -> None:
    assert ends("demo", *words) == 2
    assert told in capsys.readouterr().err
