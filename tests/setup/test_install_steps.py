"""Folders with their owners, and what systemd is told. Owners can be given by root alone: then they are those named."""

from __future__ import annotations

import grp
import os
import pwd
from collections.abc import Sequence
from pathlib import Path

import pytest

from tablectl.ops.setup.install_steps import NotDone, Skipped, enable, first_manager, make_folders
from tablectl.ops.setup.places import READERS, Folder, Places


def folder(path: Path, *, user: str, mode: int = 0o2750) -> Folder:
    return Folder(path=path, user=user, group=grp.getgrgid(os.getegid()).gr_name, mode=mode)


def test_a_folder_has_its_owner_and_its_mode_also_where_it_was_there_before(tmp_path: Path) -> None:
    me = pwd.getpwuid(os.geteuid()).pw_name
    new, old = tmp_path / "new/mesa-1", tmp_path / "old"
    old.mkdir(mode=0o777)
    wanted = [folder(new, user=me), folder(old, user=me, mode=0o700)]
    assert list(make_folders(wanted, owned=True)) == [new, old]
    assert [path.stat().st_mode & 0o7777 for path in (new, old)] == [0o2750, 0o700]
    assert new.stat().st_uid == os.geteuid()


def test_a_folder_of_a_user_whom_nobody_made_is_left_out_and_told(tmp_path: Path) -> None:
    path = tmp_path / "of-nobody"
    assert list(make_folders([folder(path, user="tablectl-not-there")], owned=True)) == [
        Skipped(folder=path, missing="tablectl-not-there")
    ]
    assert not path.exists()


def test_a_link_in_the_place_of_a_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    link = tmp_path / "link"
    link.symlink_to(elsewhere)
    with pytest.raises(OSError, match=r"link"):
        list(make_folders([folder(link, user="root", mode=0o700)], owned=False))
    assert elsewhere.stat().st_mode & 0o777 == 0o755


def test_the_places_are_those_of_an_installed_machine() -> None:
    made = {
        str(place.path): (place.user, place.group, place.mode)
        for place in Places().folders("mesa-1", Path("/var/backups/tablectl"), notifies=True)
    }
    assert made == {
        "/var/lib/tablectl/mesa-1": ("tablectl", READERS, 0o2750),
        "/var/lib/tablectl-screens/mesa-1": ("tablectl-screens", "tablectl-screens", 0o700),
        "/var/lib/tablectl-notify/mesa-1": ("tablectl-notify", READERS, 0o750),
        "/run/tablectl/mesa-1": ("tablectl", READERS, 0o750),
        "/var/backups/tablectl/mesa-1": ("root", "root", 0o700),
    }


def test_the_target_is_enabled_and_started() -> None:
    told: list[Sequence[str]] = []

    def systemctl(words: Sequence[str]) -> tuple[int, str]:
        told.append(words)
        return 0, ""

    enable("tablectl@mesa-1.target", systemctl)
    assert told == [["systemctl", "enable", "--now", "tablectl@mesa-1.target"]]


def test_what_systemd_says_against_it_is_told() -> None:
    with pytest.raises(NotDone) as no:
        enable("tablectl@mesa-1.target", lambda _: (1, "Failed: no such unit\n"))
    assert no.value.values == {"unit": "tablectl@mesa-1.target", "reason": "Failed: no such unit"}


def test_a_manager_who_cannot_be_made_is_told_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(NotDone) as no:
        first_manager(tmp_path / "missing.toml", owned=False)
    assert no.value.why == "manager-not"
    assert "no such file" in str(no.value.values["reason"])
