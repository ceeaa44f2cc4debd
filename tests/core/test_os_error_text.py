"""Files that are not there, are folders, or belong to somebody else: every command says so in words, and what to do."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Final

import pytest

from simulators.stage.stage import Scene, config_text
from tablectl.cli.main import main
from tablectl.core import os_error_text
from tablectl.core.os_error_text import happened, told
from tests.other_user import OTHER_USER, OtherUser, only_root, shared_folder

Captured = pytest.CaptureFixture[str]

BY: Final = ("--by", "ana")
WITH_CONFIG: Final = [
    ("check-config", "{}"),
    ("run", "{}"),
    ("screens", "{}"),
    ("notifications", "{}"),
    ("devices", "{}"),
    ("idle", "{}"),
    ("people", "list", "{}"),
    ("people", "check", "{}"),
    ("deck", "list", "{}"),
    ("table", "use", "{}", "circle-holdem", *BY),
    ("table", "limits", "{}", "ante=1..2", *BY),
    ("clear", "{}", *BY, "--reason", "seen to"),
    ("backup", "{}", "out"),
    ("manifest", "check", "{}"),
    ("manifest", "show", "{}"),
    ("kiosk", "{}"),
]
WITH_FILE: Final = [
    ("setup", "--answers", "{}", "--dry-run"),
    ("play", "{}"),
    ("phh", "{}"),
    ("settle", "texas-bonus", "--profile", "{}"),
    ("trace", "show", "{}"),
    ("trace", "replay", "{}"),
    ("journal", "verify", "{}"),
    ("journal", "show", "{}"),
    ("journal", "replay", "{}"),
    ("journal", "volumes", "{}"),
    ("journal", "export", "{}", "--hand", "1"),
    ("journal", "verify", "any.db", "--key", "{}"),
]
#: They begin with less, or tell what a device's port said.
LATER: Final = ("run", "kiosk", "manifest", "devices")
#: What the system and the interpreter say, and no person understands.
RAW: Final = re.compile(r"\[Errno|No such file or directory|Is a directory|Permission denied|I/O error|Traceback")


def ends(*words: str) -> int:
    try:
        return main([*words])
    except SystemExit as left:
        return int(left.code or 0)


@pytest.mark.parametrize("what", ["missing", "folder"])
@pytest.mark.parametrize("words", [*WITH_CONFIG, *WITH_FILE], ids=lambda words: "-".join(words[:2]))
def test_what_is_not_there_or_a_folder_is_told_in_words(
    words: tuple[str, ...], what: str, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "folder").mkdir()
    assert ends(*(word.format(tmp_path / what) for word in words)) == 2
    said = "".join(capsys.readouterr())
    assert str(tmp_path / what) in said
    assert RAW.search(said) is None
    assert "would be right" in said or "there is no such journal" in said


@pytest.mark.parametrize("words", [pair for pair in WITH_CONFIG if pair[0] not in LATER])
def test_before_a_table_was_set_up_every_command_says_so_in_words(
    words: tuple[str, ...], tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a backup makes its folder before it looks at the table
    config = tmp_path / "table.toml"
    text = config_text(Scene(seats=7, tracking="presence"), tmp_path)
    text = text.replace(f"{tmp_path}/", f"{tmp_path}/not-there/")
    people = text.replace("[people]\n", f'[people]\npath = "{tmp_path}/not-there/people.db"\n')
    config.write_text(people, encoding="utf-8")
    ends(*(word.format(config) for word in words))
    assert RAW.search("".join(capsys.readouterr())) is None


@only_root
def test_what_belongs_to_somebody_else_is_told_with_who_could() -> None:
    with shared_folder() as folder:
        closed = folder / "closed"
        closed.touch(mode=0o600)
        with OtherUser(OTHER_USER) as other:
            assert other.does(opened, closed) == (
                f"{closed}: found something that this user may not use; would be right: the same as root, or as"
                " the user to whom it belongs"
            )


def opened(path: Path) -> str:
    """What is said of a file that cannot be opened."""
    try:
        path.read_bytes()
    except OSError as wrong:
        return told(wrong, "another one")
    return ""


@pytest.mark.parametrize("number", [errno.ENOENT, errno.EISDIR, errno.EACCES, errno.EROFS, errno.EADDRINUSE])
def test_the_systems_words_are_said_in_ours(number: int) -> None:
    assert happened(OSError(number, os.strerror(number))) != os.strerror(number)


def test_an_error_that_has_no_words_yet_is_said_as_the_system_says_it() -> None:
    assert happened(OSError(errno.EXDEV, "Invalid cross-device link")) == "Invalid cross-device link"


def test_a_file_that_a_command_did_not_expect_to_miss_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    def missing(_args: object) -> int:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "/nowhere")

    monkeypatch.setattr("tablectl.cli.commands.run.main", missing)
    with pytest.raises(FileNotFoundError):
        ends("run", "x.toml")  # a service that broke is started again, and its log has where
    monkeypatch.setattr("tablectl.cli.commands.play.main", missing)
    assert ends("play", "x.hand") == 2
    assert capsys.readouterr().err.startswith("play: /nowhere: found no such file; would be right: ")
    assert (
        os_error_text.told(FileNotFoundError(errno.ENOENT, "", "/a"), "b")
        == "/a: found no such file; would be right: b"
    )
