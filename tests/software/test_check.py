"""The software compared with what was approved: what was changed, taken away or added is named, with the way out."""

from __future__ import annotations

import importlib.util
import marshal
import py_compile
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulators import processes
from tablectl.config.table_file import Config, load
from tablectl.ops.software.check import SoftwareChanged, deep, differences, identify
from tablectl.ops.software.manifest import raw_hex
from tablectl.ops.software.survey import GROUPS, Places, here
from tests.software.machine import APPROVER, OTHER_KEY, TABLE, Machine, install, machine

Change = Callable[[Machine], object]
RECORD = "alpha_wire-1.0.dist-info/RECORD"


@pytest.fixture
def table(tmp_path: Path) -> Machine:
    return machine(tmp_path)


def told_at_start(table: Machine) -> str:
    with pytest.raises(SoftwareChanged) as caught:
        table.identify()
    return str(caught.value)


def told_later(table: Machine, change: Change) -> str:
    """What the whole check says of a change after a good start."""
    identity = table.identify()
    change(table)
    with pytest.raises(SoftwareChanged) as caught:
        deep(identity, table.config_file, places=table.places)
    return str(caught.value)


def found(table: Machine) -> list[str]:
    return [str(difference) for difference in differences(table.identify(), table.config_file, table.places)]


# --- as approved ----------------------------------------------------------------------------------------------------


def test_approved_software_is_identified_with_who_approved_it(table: Machine) -> None:
    identity = table.identify()
    assert identity.signed_by == raw_hex(APPROVER.public_key())
    assert sorted(identity.files) == sorted(GROUPS)
    assert sorted(identity.files["pay-tables"]) == [
        "tablectl/config/limits.py",
        "tablectl/core/settlement/banked.py",
        "tablectl/games/game.py",
    ]
    assert list(identity.files["distributions"]) == [
        "alpha_wire-1.0.dist-info/RECORD",
        "beta-2.0.dist-info/RECORD",
        "gamma-3.0.dist-info/RECORD",
    ]
    assert found(table) == []


def test_the_same_software_has_the_same_identity_wherever_it_lies_and_whoever_signs(tmp_path: Path) -> None:
    one, other = machine(tmp_path / "one"), machine(tmp_path / "other")
    assert one.identify().hash == other.identify().hash
    nobody = machine(tmp_path / "nobody", config=TABLE)
    (nobody.root / "mesa.toml").write_text(one.config_file.read_text(encoding="utf-8"), encoding="utf-8")
    unsigned = identify(load_without_manifest(tmp_path), nobody.config_file, places=nobody.places)
    assert (unsigned.hash, unsigned.signed_by) == (one.identify().hash, None)


def load_without_manifest(folder: Path) -> Config:
    path = folder / "plain.toml"
    path.write_text(TABLE, encoding="utf-8")
    return load(path)


# --- one file ---------------------------------------------------------------------------------------------------------


def edit(file: str) -> Change:
    def change(table: Machine) -> None:
        path = table.site / file
        path.write_text(path.read_text(encoding="utf-8") + " ", encoding="utf-8")

    return change


def remove(file: str) -> Change:
    return lambda table: (table.site / file).unlink()


def add(file: str) -> Change:
    return lambda table: table.write(file, "EVIL = 1\n")


def link(file: str, to: str) -> Change:
    return lambda table: (table.site / file).symlink_to(table.site / to)


AT_START: dict[str, tuple[Change, str]] = {
    "package_changed": (edit("tablectl/core/cards.py"), "changed: package: tablectl/core/cards.py"),
    "page_changed": (edit("tablectl/web/screens/page.html"), "changed: package: tablectl/web/screens/page.html"),
    "driver_changed": (edit("drivers/registry.py"), "changed: package: drivers/registry.py"),
    "package_removed": (remove("tablectl/core/cards.py"), "missing: package: tablectl/core/cards.py"),
    "package_added": (add("tablectl/bonus.py"), "unknown: package: tablectl/bonus.py"),
    "package_added_that_is_no_module": (add("drivers/notes"), "unknown: package: drivers/notes"),
    "package_added_without_source": (add("tablectl/cards.pyc"), "unknown: package: tablectl/cards.pyc"),
    "package_added_with_a_strange_name": (add("tablectl/a\nb.py"), "unknown: package: 'tablectl/a\\nb.py'"),
    "package_added_with_a_name_that_is_no_text": (add("tablectl/\udcff"), "unknown: package: tablectl/\\xff"),
    "folder_added_as_a_link": (link("tablectl/more", "delta-4.0.dist-info"), "unknown: package: tablectl/more"),
    "rulebook_changed": (edit("tablectl/games/game.py"), "changed: pay-tables: tablectl/games/game.py"),
    "settlement_changed": (
        edit("tablectl/core/settlement/banked.py"),
        "changed: pay-tables: tablectl/core/settlement/banked.py",
    ),
    "limits_removed": (remove("tablectl/config/limits.py"), "missing: pay-tables: tablectl/config/limits.py"),
    "rulebook_added": (add("tablectl/games/other.py"), "unknown: pay-tables: tablectl/games/other.py"),
    "configuration_changed": (edit("../mesa.toml"), "changed: configuration: mesa.toml"),
    "record_changed": (edit(RECORD), f"changed: distributions: {RECORD}"),
    "record_removed": (remove(RECORD), f"missing: distributions: {RECORD}"),
    "start_up_changed": (edit("extra.pth"), "changed: start-up: extra.pth"),
    "start_up_removed": (remove("extra.pth"), "missing: start-up: extra.pth"),
    "start_up_added": (add("evil.pth"), "unknown: start-up: evil.pth"),
    "start_up_module_added": (add("sitecustomize.py"), "unknown: start-up: sitecustomize.py"),
}


@pytest.mark.parametrize(("change", "told"), AT_START.values(), ids=AT_START)
def test_a_start_names_the_file_what_is_wrong_and_the_way_out(table: Machine, change: Change, told: str) -> None:
    change(table)
    assert told_at_start(table) == (
        f"{told}: this is not the software that was approved. Put the approved version back, or have the new one "
        f"approved: tablectl manifest make {table.config_file} --key PEM"
    )


@pytest.mark.parametrize(("change", "told"), AT_START.values(), ids=AT_START)
def test_the_whole_check_names_the_same_after_a_good_start(table: Machine, change: Change, told: str) -> None:
    assert told_later(table, change).startswith(told)


def test_a_change_of_one_byte_of_anything_is_another_identity(tmp_path: Path) -> None:
    table = machine(tmp_path, config=TABLE)
    files = ["tablectl/core/cards.py", "tablectl/games/game.py", "../mesa.toml", RECORD, "extra.pth"]
    seen = [table.identify().hash]
    for file in files:
        edit(file)(table)
        seen.append(table.identify().hash)
    assert len(set(seen)) == len(files) + 1


def test_more_than_one_difference_is_counted(table: Machine) -> None:
    edit("tablectl/core/cards.py")(table)
    edit("extra.pth")(table)
    assert told_at_start(table).startswith(
        "changed: package: tablectl/core/cards.py, and 1 more: this is not the software"
    )


def test_a_pipe_among_the_files_does_not_stop_the_check(table: Machine) -> None:
    processes.run(["mkfifo", str(table.site / "tablectl/pipe")], check=True)
    assert told_at_start(table).startswith("unknown: package: tablectl/pipe")


def test_a_configuration_that_is_gone_is_named(table: Machine) -> None:
    told = told_later(table, remove("../mesa.toml"))
    assert told.startswith(f"{table.config_file}: cannot be read (No such file or directory), so nobody can say")


# --- without a manifest -----------------------------------------------------------------------------------------------


def test_without_a_manifest_a_later_check_compares_with_the_start(tmp_path: Path) -> None:
    table = machine(tmp_path, config=TABLE)
    identity = table.identify()
    assert identity.signed_by is None
    deep(identity, table.config_file, places=table.places)
    assert told_later(table, edit("tablectl/core/settlement/banked.py")) == (
        "changed: pay-tables: tablectl/core/settlement/banked.py: this is not the software that was there when the "
        "table was started. Put that back, or find out who changed it and start anew"
    )


# --- the manifest -----------------------------------------------------------------------------------------------------


def test_a_manifest_that_another_key_signed_is_refused(table: Machine) -> None:
    table.approve(OTHER_KEY)
    told = told_at_start(table)
    assert told.startswith(f"{table.root / 'approved.json'}: manifest signed by another key: found ")
    assert "tablectl manifest make" in told


def test_a_manifest_that_was_altered_is_refused(table: Machine) -> None:
    path = table.root / "approved.json"
    path.write_text(path.read_text(encoding="utf-8").replace("cards.py", "cords.py"), encoding="utf-8")
    assert told_at_start(table).startswith(f"{path}: signature does not fit: ")


def test_a_manifest_that_is_not_there_is_told(table: Machine) -> None:
    (table.root / "approved.json").unlink()
    told = told_at_start(table)
    assert told.startswith(f"{table.root / 'approved.json'}: manifest unreadable (No such file or directory)")
    assert "tablectl manifest make" in told


def test_an_approver_who_is_not_there_is_told(table: Machine) -> None:
    (table.root / "approver.pem").unlink()
    assert told_at_start(table).startswith(f"{table.root / 'approver.pem'}: the approver's public key cannot be read")


def test_who_replaces_the_manifest_of_a_running_table_changes_nothing(table: Machine) -> None:
    def change(table: Machine) -> None:
        edit("tablectl/core/cards.py")(table)
        table.approve()

    assert told_later(table, change).startswith("changed: package: tablectl/core/cards.py")


# --- distributions ----------------------------------------------------------------------------------------------------

NOT_AS_RECORD = " (not as the RECORD of its distribution says)"
IN_A_DISTRIBUTION: dict[str, tuple[Change, str]] = {
    "changed": (edit("alpha/wire.py"), f"changed: distributions: alpha/wire.py{NOT_AS_RECORD}"),
    "machine_code_changed": (
        edit("gamma/_wire.abi3.so"),
        f"changed: distributions: gamma/_wire.abi3.so{NOT_AS_RECORD}",
    ),
    "script_changed": (edit("../bin/wire"), f"changed: distributions: ../bin/wire{NOT_AS_RECORD}"),
    "removed": (remove("beta.py"), f"missing: distributions: beta.py{NOT_AS_RECORD}"),
    "module_added": (add("alpha/evil.py"), "unknown: distributions: alpha/evil.py"),
    "module_added_below": (add("gamma/more/evil.py"), "unknown: distributions: gamma/more/evil.py"),
    "module_added_without_source": (add("alpha/evil.pyc"), "unknown: distributions: alpha/evil.pyc"),
    "machine_code_added": (add("alpha/wire.abi3.so"), "unknown: distributions: alpha/wire.abi3.so"),
    "machine_code_before_a_module": (add("beta.abi3.so"), "unknown: distributions: beta.abi3.so"),
    "package_before_a_module": (add("beta/__init__.py"), "unknown: distributions: beta/__init__.py"),
    "package_as_a_link": (link("alpha/more", "tablectl"), "unknown: distributions: alpha/more"),
}


@pytest.mark.parametrize(("change", "told"), IN_A_DISTRIBUTION.values(), ids=IN_A_DISTRIBUTION)
def test_the_whole_check_names_a_file_of_a_distribution(table: Machine, change: Change, told: str) -> None:
    change(table)
    assert found(table) == [told]


def test_what_python_cannot_import_may_lie_beside_a_distribution(table: Machine) -> None:
    add("alpha/notes.txt")(table)
    add("epsilon.py")(table)  # nobody's name, so nobody imports it instead of something else
    assert found(table) == []


def test_a_new_dependency_is_unknown(table: Machine) -> None:
    install(table, "tablectl-0.1.0", ("Alpha.Wire>=1", "delta"), {})
    assert found(table) == ["unknown: distributions: delta-4.0.dist-info/RECORD"]


def test_another_version_of_a_dependency_is_told_as_both(table: Machine) -> None:
    (table.site / "gamma-3.0.dist-info").rename(table.site / "gamma-3.1.dist-info")
    identity = machine(table.root / "other").identify()
    told = [str(difference) for difference in differences(identity, table.config_file, table.places)]
    assert "missing: distributions: gamma-3.0.dist-info/RECORD" in told
    assert "unknown: distributions: gamma-3.1.dist-info/RECORD" in told


# --- bytecode ---------------------------------------------------------------------------------------------------------


def plant(source: Path, code: str, *, unchecked: bool = False, level: str = "", tag: str = "") -> Path:
    """Bytecode of other code, with the header that Python expects of this source."""
    path = Path(importlib.util.cache_from_source(str(source), optimization=level))
    path = path.with_name(path.name.replace(str(sys.implementation.cache_tag), tag)) if tag else path
    path.parent.mkdir(exist_ok=True)
    seen = source.stat()
    times = [0b01, 0, 0] if unchecked else [0, int(seen.st_mtime), seen.st_size]
    header = importlib.util.MAGIC_NUMBER + b"".join((number & 0xFFFFFFFF).to_bytes(4, "little") for number in times)
    path.write_bytes(
        header + marshal.dumps(compile(code, str(source), "exec", dont_inherit=True, optimize=int(level or 0)))
    )
    return path


MAY_RUN = " (bytecode that its source does not compile to, and Python may run it; remove it, it is made anew)"
ORPHAN = " (bytecode without a source that this Python would compile to it; remove it)"


def cache_of(file: str) -> str:
    path = Path(importlib.util.cache_from_source(file))
    return path.as_posix()


@pytest.mark.parametrize("unchecked", [False, True], ids=["same_time_and_size", "not_to_be_checked"])
def test_planted_bytecode_is_what_python_runs_and_what_the_whole_check_finds(
    table: Machine, *, unchecked: bool
) -> None:
    table.identify()
    plant(table.site / "tablectl/core/settlement/banked.py", "PAYS = 99\n", unchecked=unchecked)
    ran = processes.run(
        [sys.executable, "-c", "import tablectl.core.settlement.banked as it; print(it.PAYS)"],
        cwd=table.site,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "99\n"
    table.identify()  # the check of a start is quick, and does not look there
    assert found(table) == [f"changed: pay-tables: {cache_of('tablectl/core/settlement/banked.py')}{MAY_RUN}"]


@pytest.mark.parametrize("level", ["", "1", "2"])
def test_bytecode_of_its_source_is_good_at_every_level(table: Machine, level: str) -> None:
    said = '"""Level 2 leaves this out."""\nassert True or SUITS, "level 1 leaves this out"\n'
    table.write("tablectl/core/cards.py", said)
    table.approve()
    for file in ("tablectl/core/cards.py", "alpha/wire.py", "beta.py"):
        py_compile.compile(str(table.site / file), optimize=int(level or 0), doraise=True)
    assert len(list(table.site.rglob("*.pyc"))) == 3
    assert found(table) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"co_stacksize": 99},
        {"co_flags": 0x2000},
        {"co_firstlineno": 7},
        {"co_code": b"\0\0"},
        {"co_qualname": "other"},
        {"co_linetable": b""},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_bytecode_that_no_compiler_would_write_is_found(table: Machine, fields: dict[str, Any]) -> None:
    source = table.site / "tablectl/core/cards.py"
    path = plant(source, "")
    code = compile(source.read_bytes(), str(source), "exec", dont_inherit=True)
    header = path.read_bytes()[:16]
    path.write_bytes(header + marshal.dumps(code))
    assert found(table) == []
    path.write_bytes(header + marshal.dumps(code.replace(**fields)))
    assert found(table) == [f"changed: package: {cache_of('tablectl/core/cards.py')}{MAY_RUN}"]


def test_bytecode_with_the_number_of_another_python_is_found(table: Machine) -> None:
    path = plant(table.site / "tablectl/core/cards.py", "SUITS = 4\n")
    path.write_bytes(b"\x00\x00\r\n" + path.read_bytes()[4:])
    assert found(table) == [f"changed: package: {cache_of('tablectl/core/cards.py')}{MAY_RUN}"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("ONE = 1\n", "ONE = 2\n"),
        ("ONE = 1\n", "ONE = True\n"),
        ("ONE = 1\n", "ONE = 1.0\n"),
        ("ONE = 0.0\n", "ONE = -0.0\n"),
        ("ONE = (1, 2)\n", "ONE = (1, True)\n"),
        ("ONE = 1 in {1, 2}\n", "ONE = 1 in {1, 3}\n"),
        ("ONE = 1\n", "TWO = 1\n"),
        ("def f(a): return a\n", "def f(a, /): return a\n"),
        ("def f(): return 1\n", "def f(): return 2\n"),
        ("assert ONE\n", ""),
    ],
)
def test_bytecode_that_differs_in_anything_is_found(tmp_path: Path, text: str, code: str) -> None:
    table = machine(tmp_path)
    source = table.write("tablectl/core/cards.py", text)
    table.approve()
    plant(source, text)
    assert found(table) == []
    plant(source, code)
    assert found(table) == [f"changed: package: {cache_of('tablectl/core/cards.py')}{MAY_RUN}"]


def test_planted_bytecode_of_a_distribution_is_found(table: Machine) -> None:
    plant(table.site / "alpha/wire.py", "BAUD = 2\n")
    plant(table.site / "beta.py", "BETA = 3\n")
    assert found(table) == [
        f"changed: distributions: {cache_of('alpha/wire.py')}{MAY_RUN}",
        f"changed: distributions: {cache_of('beta.py')}{MAY_RUN}",
    ]


def test_bytecode_without_a_source_is_unknown(table: Machine) -> None:
    source = table.write("tablectl/gone.py", "GONE = 1\n")
    plant(source, "GONE = 1\n")
    source.unlink()
    assert found(table) == [f"unknown: package: {cache_of('tablectl/gone.py')}{ORPHAN}"]


def test_bytecode_of_another_python_is_unknown_because_this_one_cannot_read_it(table: Machine) -> None:
    path = plant(table.site / "tablectl/core/cards.py", "SUITS = 4\n", tag="cpython-27")
    assert found(table) == [f"unknown: package: tablectl/core/__pycache__/{path.name}{ORPHAN}"]


@pytest.mark.parametrize("file", ["evil.py", "cards.so", "notes", "cards.cpython-311.pyc.1234"])
def test_whatever_else_lies_among_the_bytecode_is_unknown(table: Machine, file: str) -> None:
    add(f"tablectl/__pycache__/{file}")(table)
    assert found(table) == [f"unknown: package: tablectl/__pycache__/{file}{ORPHAN}"]


@pytest.mark.parametrize("length", [0, 3, 16, 40])
def test_bytecode_that_was_cut_is_found(table: Machine, length: int) -> None:
    path = plant(table.site / "tablectl/core/cards.py", "SUITS = 4\n")
    path.write_bytes(path.read_bytes()[:length])
    assert found(table) == [f"changed: package: {cache_of('tablectl/core/cards.py')}{MAY_RUN}"]


def test_bytecode_elsewhere_is_looked_at_where_this_python_reads_it(
    table: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "cache"))
    path = Path(importlib.util.cache_from_source(str(table.site / "tablectl/core/cards.py")))
    path.parent.mkdir(parents=True)
    plant(table.site / "tablectl/core/cards.py", "SUITS = 5\n")
    (told,) = found(table)
    assert told == f"changed: package: {path}{MAY_RUN}"


# --- this installation ------------------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.filterwarnings("default::SyntaxWarning")  # what others wrote is compiled, whatever Python thinks of it
def test_this_very_installation_is_consistent_and_keeps_its_identity(tmp_path: Path) -> None:
    found_here = here()
    assert list(found_here.packages) == ["tablectl", "drivers", "simulators"]
    clean = {
        name: shutil.copytree(root, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name, root in found_here.packages.items()
    }
    path = tmp_path / "plain.toml"
    path.write_text(TABLE, encoding="utf-8")
    identity = identify(load(path), path)
    places = Places(packages=clean, sites=found_here.sites)
    # pytest keeps bytecode of its own for the plugins that it loads, and anyio is one; Python never runs that.
    told = [str(difference) for difference in differences(identity, path, places) if "-pytest-" not in difference.file]
    assert told == []
    assert "tablectl/ops/software/check.py" in identity.files["package"]
    assert "tablectl/games/texas_bonus/rules.py" in identity.files["pay-tables"]
