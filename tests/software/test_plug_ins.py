"""Games and drivers of other packages are part of the software: whatever is changed in them, it is other software."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from tablectl.ops.software.check import SoftwareChanged, deep, differences
from tablectl.ops.software.plug_ins import plug_ins
from tablectl.ops.software.survey import CACHE, OWN_PACKAGES, PACKAGE, PAY_TABLES, here, survey_own
from tests.other_user import OtherUser, only_root, shared_folder
from tests.software.machine import TABLE, Machine, install, machine

GAME: Final = Path(__file__).parents[1] / "games" / "caribbean_stud"
ABOUT: Final = "stud_of_others-1.0.dist-info"
ENTRY_POINTS: Final = f"{ABOUT}/entry_points.txt"
#: A file of the game, a word in it, and the group that a change of it changes.
WORDS: Final = {
    "rules": ("caribbean_stud/rules.py", "ante", PAY_TABLES),
    "payouts": ("caribbean_stud/payouts.py", "return", PAY_TABLES),
    "options": ("caribbean_stud/options.py", "class", PAY_TABLES),
    "which game it is": ("caribbean_stud/__init__.py", "GAME", PAY_TABLES),
    "a text": ("caribbean_stud/locale/es/LC_MESSAGES/texts.po", "retira", PACKAGE),
    "the clauses": ("caribbean_stud/clauses.toml", "section", PACKAGE),
    "the picture of a seat": ("caribbean_stud/layout.py", "ante", PACKAGE),
    "an exercise": ("caribbean_stud/exercises/bank-exposed.hand", "press", PACKAGE),
    "a driver": ("riffler.py", "RIFFLER", PACKAGE),
    "what is announced": (ENTRY_POINTS, "riffler-9", PACKAGE),
}


def with_plug_ins(table: Machine) -> Machine:
    """The game of the tests and a driver in one module, in one distribution, as pip leaves them."""
    files = {
        f"caribbean_stud/{path.relative_to(GAME).as_posix()}": path.read_text(encoding="utf-8")
        for path in sorted(GAME.rglob("*"))
        if path.is_file() and CACHE not in path.parts and path.suffix != ".mo"
    }
    said = (
        "[tablectl.games]\nstud = caribbean_stud:GAME\n\n[tablectl.drivers]\n# a model\nriffler-9 = riffler:RIFFLER\n"
    )
    files |= {"riffler.py": "RIFFLER = 9\n", ENTRY_POINTS: said}
    install(table, "stud_of_others-1.0", ("delta",), files)
    return table


@pytest.fixture
def table(tmp_path: Path) -> Machine:
    """A table with both plug-ins, approved by nobody."""
    return with_plug_ins(machine(tmp_path, config=TABLE))


@pytest.fixture
def approved(tmp_path: Path) -> Machine:
    """The same, approved."""
    made = with_plug_ins(machine(tmp_path))
    made.approve()
    return made


def change(table: Machine, file: str, word: str) -> None:
    path = table.site / file
    whole = path.read_text(encoding="utf-8")
    assert word in whole
    path.write_text(whole.replace(word, f"{word}_", 1), encoding="utf-8")


@pytest.mark.parametrize(("file", "word", "group"), WORDS.values(), ids=WORDS)
def test_a_word_in_a_plug_in_is_another_identity_and_changes_its_group(
    table: Machine, file: str, word: str, group: str
) -> None:
    before, identity = survey_own(table.places, table.config_file), table.identify().hash
    change(table, file, word)
    after = survey_own(table.places, table.config_file)
    assert [held for held in before if before[held] != after[held]] == [group]
    assert {name for name in before[group] if before[group][name] != after[group].get(name)} == {file}
    assert table.identify().hash != identity


@pytest.mark.parametrize(("file", "word", "group"), WORDS.values(), ids=WORDS)
def test_a_start_refuses_it_by_name(approved: Machine, file: str, word: str, group: str) -> None:
    approved.identify()
    change(approved, file, word)
    with pytest.raises(SoftwareChanged) as caught:
        approved.identify()
    assert str(caught.value).startswith(f"changed: {group}: {file}: this is not the software that was approved")


def test_a_plug_in_that_is_added_or_removed_is_refused(tmp_path: Path) -> None:
    table = machine(tmp_path)
    identity = table.identify()
    with_plug_ins(table)
    with pytest.raises(SoftwareChanged, match=r"^unknown: package: "):
        table.identify()
    with pytest.raises(SoftwareChanged, match=r"^unknown: distributions: "):
        deep(identity, table.config_file, places=table.places)
    table.approve()
    table.identify()
    (table.site / ENTRY_POINTS).unlink()
    with pytest.raises(SoftwareChanged, match=r"^missing: package: "):
        table.identify()


def test_a_file_beside_those_of_a_plug_in_and_planted_bytecode_are_found(approved: Machine) -> None:
    approved.write(f"caribbean_stud/{CACHE}/rules.cpython-311.pyc", "planted")
    approved.write(f"{CACHE}/riffler.cpython-311.pyc", "planted")
    told = {
        str(found).partition(" (")[0]
        for found in differences(approved.identify(), approved.config_file, approved.places)
    }
    assert told >= {
        f"changed: pay-tables: caribbean_stud/{CACHE}/rules.cpython-311.pyc",
        f"changed: package: {CACHE}/riffler.cpython-311.pyc",
    }
    approved.write("caribbean_stud/evil.py", "EVIL = 1\n")
    with pytest.raises(SoftwareChanged, match=r"^unknown: pay-tables: caribbean_stud/evil\.py"):
        approved.identify()


def test_what_a_plug_in_depends_on_is_part_of_the_software(table: Machine) -> None:
    assert {f"{ABOUT}/RECORD", "delta-4.0.dist-info/RECORD"} <= table.identify().files["distributions"].keys()


def test_a_game_of_one_module_is_in_the_pay_tables(tmp_path: Path) -> None:
    table = machine(tmp_path, config=TABLE)
    install(
        table,
        "one-1.0",
        (),
        {"one.py": "GAME = 1\n", "one-1.0.dist-info/entry_points.txt": "[tablectl.games]\none=one:GAME\n"},
    )
    assert "one.py" in table.identify().files[PAY_TABLES]


def test_a_game_further_down_keeps_its_texts_out_and_the_rest_of_its_package_in(tmp_path: Path) -> None:
    table = machine(tmp_path, config=TABLE)
    files = dict.fromkeys(
        ("deep/shared/layout.py", "deep/stud/game.py", "deep/stud/layout.py", "deep/stud/locale/a.po"), ""
    )
    said = "[tablectl.games]\nstud = deep.stud.game:GAME\n"
    install(table, "deep-1.0", (), {**files, "deep-1.0.dist-info/entry_points.txt": said})
    held = table.identify().files
    assert {"deep/shared/layout.py", "deep/stud/game.py"} <= held[PAY_TABLES].keys()
    assert {"deep/stud/layout.py", "deep/stud/locale/a.po"} <= held[PACKAGE].keys()


def test_what_another_tool_announces_is_found_too(tmp_path: Path) -> None:
    table = machine(tmp_path, config=TABLE)
    table.write("old.py", "GAME = 1\n")
    table.write("Old.egg-info/entry_points.txt", "[tablectl.games]\nold = old:GAME\n")
    held = table.identify().files
    assert ("old.py" in held[PAY_TABLES], "Old.egg-info/entry_points.txt" in held[PACKAGE]) == (True, True)


def test_entry_points_of_others_and_our_own_are_no_plug_ins(tmp_path: Path) -> None:
    table = machine(tmp_path, config=TABLE)
    before = table.identify().hash
    table.write(
        "delta-4.0.dist-info/entry_points.txt",
        "[console_scripts]\ndelta = delta:main\n[tablectl.stage]\nx = drivers.x:A\n",
    )
    assert table.identify().hash == before
    assert plug_ins(here().path, OWN_PACKAGES).packages == ()


@pytest.mark.parametrize(
    ("module", "told"), [("nowhere", "is in no folder"), ("", "is in no folder"), ("shared", "lies in several folders")]
)
def test_a_plug_in_whose_files_nobody_can_name_is_refused_with_the_way_out(
    tmp_path: Path, module: str, told: str
) -> None:
    table = machine(tmp_path, config=TABLE)
    table.write("shared/one.py", "")
    table.write("../none/shared/two.py", "")
    table.write("odd-1.0.dist-info/entry_points.txt", f"[tablectl.drivers]\nodd = {module}:ODD\n")
    with pytest.raises(SoftwareChanged, match=told) as caught:
        table.identify()
    assert "install that plug-in anew with pip, not as editable" in str(caught.value)


def test_a_plug_in_lies_where_python_finds_it_first(tmp_path: Path) -> None:
    table = with_plug_ins(machine(tmp_path, config=TABLE))
    shutil.copytree(GAME, tmp_path / "none" / "caribbean_stud")
    table.write("../none/caribbean_stud/first.py", "")
    assert "caribbean_stud/first.py" in table.identify().files[PAY_TABLES]


def _names(path: Path) -> list[str]:
    return [plug_in.name for plug_in in plug_ins([path], OWN_PACKAGES).packages]


@only_root
def test_a_folder_of_pythons_path_that_a_user_may_not_enter_has_no_plug_in_for_him() -> None:
    """`clear`, typed by root, goes on as the table's own user: Python of root's home has nothing for that one."""
    with shared_folder() as folder:
        site = folder / "closed" / "site-packages"
        (site / "riffler-1.0.dist-info").mkdir(parents=True)
        (site / "riffler-1.0.dist-info/entry_points.txt").write_text("[tablectl.drivers]\nriffler = riffler:RIFFLER\n")
        (site / "riffler.py").write_text("RIFFLER = 9\n")
        assert _names(site) == ["riffler"]
        site.parent.chmod(0o700)
        with OtherUser() as other_user:
            assert other_user.does(_names, site) == []
        site.parent.chmod(0o755)
        site.chmod(0o711)
        with OtherUser() as other_user:
            assert other_user.does(_names, site) == [], "Python finds only what it can list"
