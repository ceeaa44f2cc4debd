"""`tablectl manifest`: the approver signs what is installed, anybody compares; each difference is a line."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simulators import processes
from tablectl.cli.commands.manifest import add_arguments, run
from tests.software.machine import OTHER_KEY, TABLE, Machine, install, machine, private_key_file

Captured = pytest.CaptureFixture[str]


def manifest(table: Machine, *words: str | Path) -> int:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    tool, *rest = map(str, words)
    return run(parser.parse_args([tool, str(table.config_file), *rest]), table.places)


@pytest.fixture
def table(tmp_path: Path) -> Machine:
    return machine(tmp_path)


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return private_key_file(tmp_path / "key.pem")


# --- make -------------------------------------------------------------------------------------------------------------


def test_what_was_made_is_approved_from_then_on(table: Machine, key: Path, capsys: Captured) -> None:
    table.write("tablectl/core/cards.py", "SUITS = 5\n")
    assert manifest(table, "check") == 1
    assert manifest(table, "make", "--key", key) == 0
    identity = table.identify()
    said = capsys.readouterr().out.splitlines()[-1]
    assert said == f"{table.root / 'approved.json'}: identity {identity.hash}, signed by {identity.signed_by}"
    assert manifest(table, "check") == 0
    made = json.loads((table.root / "approved.json").read_text(encoding="utf-8"))["manifest"]["made"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", made)


def test_a_manifest_goes_where_it_is_wanted(table: Machine, key: Path, tmp_path: Path) -> None:
    before = (table.root / "approved.json").read_text(encoding="utf-8")
    assert manifest(table, "make", "--key", key, "--out", tmp_path / "new.json") == 0
    assert (tmp_path / "new.json").exists()
    assert (table.root / "approved.json").read_text(encoding="utf-8") == before


def test_without_a_configured_manifest_it_goes_beside_and_the_lines_to_add_are_told(
    tmp_path: Path, key: Path, capsys: Captured
) -> None:
    table = machine(tmp_path, config=TABLE)
    assert manifest(table, "make", "--key", key) == 0
    assert (tmp_path / "mesa.manifest-0.1.0.json").exists()
    said = capsys.readouterr().out
    assert "names no manifest yet. Add these lines and make it again" in said
    table.config_file.write_text(TABLE + said[said.index("[software]") :], encoding="utf-8")
    shutil.copy(tmp_path / "approver.pem", tmp_path / "key.pub.pem")
    assert manifest(table, "make", "--key", key) == 0
    assert manifest(table, "check") == 0


def test_what_no_table_could_start_with_is_not_signed(table: Machine, key: Path, capsys: Captured) -> None:
    before = (table.root / "approved.json").read_text(encoding="utf-8")
    table.write("alpha/wire.py", "BAUD = 2\n")
    table.write("tablectl/__pycache__/evil.py", "EVIL = 1\n")
    (table.site / "tablectl" / "more").symlink_to(table.site / "alpha")
    assert manifest(table, "make", "--key", key) == 1
    out, told = capsys.readouterr()
    assert [line.partition(" (")[0] for line in out.splitlines()] == [
        "unknown: package: tablectl/more",
        "unknown: package: tablectl/__pycache__/evil.py",
        "changed: distributions: alpha/wire.py",
    ]
    assert "nothing was signed" in told
    assert (table.root / "approved.json").read_text(encoding="utf-8") == before


def test_a_key_that_the_configuration_does_not_trust_signs_nothing(
    table: Machine, tmp_path: Path, capsys: Captured
) -> None:
    other = private_key_file(tmp_path / "other.pem", OTHER_KEY)
    before = (table.root / "approved.json").read_text(encoding="utf-8")
    assert manifest(table, "make", "--key", other) == 2
    assert f"{other} is not the key that {table.config_file} trusts" in capsys.readouterr().err
    assert (table.root / "approved.json").read_text(encoding="utf-8") == before


def test_a_key_that_others_can_read_signs_nothing(table: Machine, key: Path, capsys: Captured) -> None:
    key.chmod(0o644)
    assert manifest(table, "make", "--key", key) == 2
    assert f"chmod 0600 {key}" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_told(table: Machine, key: Path, tmp_path: Path, capsys: Captured) -> None:
    assert manifest(table, "make", "--key", key, "--out", tmp_path / "none" / "a.json") == 2
    told = capsys.readouterr().err
    assert "cannot be written (No such file or directory); name another place with --out FILE" in told


# --- check ------------------------------------------------------------------------------------------------------------


def test_approved_software_ends_with_0(table: Machine, capsys: Captured) -> None:
    assert manifest(table, "check") == 0
    identity = table.identify()
    assert capsys.readouterr().out == (
        f"{table.config_file}: as approved: identity {identity.hash}, signed by {identity.signed_by}\n"
    )


def test_every_difference_is_a_line_and_the_end_is_1(table: Machine, capsys: Captured) -> None:
    table.write("tablectl/core/settlement/banked.py", "PAYS = 11\n")
    table.write("alpha/evil.py", "EVIL = 1\n")
    (table.site / "drivers" / "registry.py").unlink()
    assert manifest(table, "check") == 1
    out, told = capsys.readouterr()
    *lines, verdict = out.splitlines()
    assert lines == [
        "missing: package: drivers/registry.py",
        "changed: pay-tables: tablectl/core/settlement/banked.py",
        "unknown: distributions: alpha/evil.py",
    ]
    assert verdict.startswith(f"{table.config_file}: NOT THE APPROVED SOFTWARE: 3 differences: identity ")
    assert told.endswith(f"tablectl manifest make {table.config_file} --key PEM\n")


def test_the_differences_can_be_had_as_json(table: Machine, capsys: Captured) -> None:
    identity = table.identify()
    assert manifest(table, "check", "--json") == 0
    good: dict[str, object] = {"identity": identity.hash, "signed_by": identity.signed_by, "differences": []}
    assert json.loads(capsys.readouterr().out) == good
    table.write("tablectl/core/cards.py", "SUITS = 5\n")
    assert manifest(table, "check", "--json") == 1
    told = {"what": "changed", "group": "package", "file": "tablectl/core/cards.py", "detail": ""}
    assert json.loads(capsys.readouterr().out) == {**good, "differences": [told]}


def test_a_manifest_that_the_approver_did_not_sign_ends_with_1(table: Machine, capsys: Captured) -> None:
    table.approve(OTHER_KEY)
    assert manifest(table, "check") == 1
    out, told = capsys.readouterr()
    assert out == ""
    assert "manifest signed by another key" in told
    assert "tablectl manifest make" in told


@pytest.mark.parametrize("file", ["approved.json", "approver.pem", "mesa.toml"])
def test_what_cannot_be_read_ends_with_2(table: Machine, file: str, capsys: Captured) -> None:
    (table.root / file).write_bytes(b"\xff")
    assert manifest(table, "check") == 2
    out, told = capsys.readouterr()
    assert out == ""
    assert told.startswith(f"{table.root / file}: ")


def test_a_check_without_a_manifest_ends_with_2_and_says_what_to_set(tmp_path: Path, capsys: Captured) -> None:
    assert manifest(machine(tmp_path, config=TABLE), "check") == 2
    assert "set software.manifest and software.public_key" in capsys.readouterr().err


# --- show -------------------------------------------------------------------------------------------------------------


def test_the_identity_is_shown_with_every_file(table: Machine, capsys: Captured) -> None:
    assert manifest(table, "show") == 0
    said = capsys.readouterr().out
    identity = table.identify()
    assert said.startswith(f"identity   {identity.hash}\nsigned by  {identity.signed_by}\n")
    for files in identity.files.values():
        for file, value in files.items():
            assert f"\n{value}  {file}\n" in said


def test_what_nobody_signed_is_shown_as_that(tmp_path: Path, capsys: Captured) -> None:
    table = machine(tmp_path, config=TABLE)
    assert manifest(table, "show") == 0
    said = capsys.readouterr().out
    assert said.startswith(f"identity   {table.identify().hash}\nsigned by  nobody: no manifest is configured")


# --- an auditor, without tablectl -------------------------------------------------------------------------------------

COMMANDS = Path(__file__).parents[2] / "docs" / "software-identity.md"


def test_the_commands_of_the_document_find_the_identity_the_signature_and_every_file(table: Machine) -> None:
    said = "[tablectl.games]\nstud = stud:GAME\n"
    install(table, "stud-1.0", (), {"stud/__init__.py": "GAME = 1\n", "stud-1.0.dist-info/entry_points.txt": said})
    table.approve()
    (block,) = re.findall(r"```sh\n(manifest=.*?)```", COMMANDS.read_text(encoding="utf-8"), re.DOTALL)
    text = block.replace("/etc/tablectl", str(table.root)).replace(
        "/opt/tablectl/lib/python3.11/site-packages", str(table.site)
    )
    text = text.replace("table-7.manifest-0.2.0.json", "approved.json").replace("table-7.toml", "mesa.toml")

    def audited() -> subprocess.CompletedProcess[str]:
        return processes.run(
            ["sh", "-c", text], cwd=table.root, capture_output=True, text=True, check=False, timeout=30
        )

    good = audited()
    assert table.identify().hash in good.stdout
    assert "Signature Verified Successfully" in good.stdout
    assert re.search("FAILED|UNKNOWN", good.stdout + good.stderr) is None
    table.write("tablectl/core/settlement/banked.py", "PAYS = 11\n")
    table.write("alpha/wire.py", "BAUD = 2\n")
    table.write("drivers/__pycache__/registry.cpython-311.pyc", "planted")
    table.write("stud/__init__.py", "GAME = 2\n")
    table.write("stud/evil.py", "EVIL = 1\n")
    wrong = audited()
    assert "tablectl/core/settlement/banked.py: FAILED" in wrong.stdout
    assert "alpha/wire.py: FAILED" in wrong.stdout
    assert "drivers/__pycache__/registry.cpython-311.pyc: UNKNOWN" in wrong.stdout
    assert "stud/__init__.py: FAILED" in wrong.stdout
    assert "stud/evil.py: UNKNOWN" in wrong.stdout
    table.approve(OTHER_KEY)
    assert "Signature Verified Successfully" not in audited().stdout
