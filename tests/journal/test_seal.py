"""Sealed parts open with their key at their place only; a key is a file of its owner."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tablectl.journal.seal import KEY_BYTES, BadKey, BadSeal, Vault, load_key, make_key
from tests.journal.journals import KEY


def test_what_was_sealed_opens_at_its_position() -> None:
    vault = Vault(KEY)
    assert vault.open(7, vault.seal(7, b"As and salt")) == b"As and salt"


def test_the_same_card_never_looks_the_same() -> None:
    vault = Vault(KEY)
    assert len({vault.seal(7, b"As") for _ in range(100)}) == 100


@pytest.mark.parametrize("position", [0, 6, 8, 70, -7])
def test_a_sealed_part_that_was_moved_does_not_open(position: int) -> None:
    vault = Vault(KEY)
    sealed = vault.seal(7, b"As")
    with pytest.raises(BadSeal, match=f"record {position}: the sealed part was changed, or the key is another one"):
        vault.open(position, sealed)


def test_a_sealed_part_does_not_open_with_any_bit_changed() -> None:
    vault = Vault(KEY)
    sealed = vault.seal(7, b"As")
    for index in range(len(sealed)):
        for bit in range(8):
            changed = bytearray(sealed)
            changed[index] ^= 1 << bit
            with pytest.raises(BadSeal):
                vault.open(7, bytes(changed))


@pytest.mark.parametrize("length", [0, 1, 11, 12, 13, 27])
def test_a_sealed_part_that_was_cut_does_not_open(length: int) -> None:
    vault = Vault(KEY)
    with pytest.raises(BadSeal):
        vault.open(7, vault.seal(7, b"As")[:length])


def test_another_key_opens_nothing() -> None:
    with pytest.raises(BadSeal):
        Vault(bytes(KEY_BYTES)).open(7, Vault(KEY).seal(7, b"As"))


def test_a_key_is_made_whole_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "table.key"
    key = make_key(path)
    assert len(key) == KEY_BYTES
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_key(path) == key
    assert list(tmp_path.iterdir()) == [path], "nothing unfinished is left"


def test_two_keys_are_never_the_same(tmp_path: Path) -> None:
    assert make_key(tmp_path / "a") != make_key(tmp_path / "b")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o777])
def test_a_key_that_others_can_reach_is_refused_with_advice(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "table.key"
    make_key(path)
    path.chmod(mode)
    with pytest.raises(BadKey, match=f"others can read it .mode {mode:04o}.; run: chmod 0600 {path}"):
        load_key(path)
    path.chmod(0o400)
    assert len(load_key(path)) == KEY_BYTES


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_key_of_another_length_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "table.key"
    path.touch(0o600)
    path.write_bytes(bytes(length))
    with pytest.raises(BadKey, match=f"{length} bytes instead of 32; restore the key from its backup"):
        load_key(path)


def test_a_key_without_a_folder_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(BadKey, match=r"cannot be made .No such file or directory."):
        make_key(tmp_path / "none" / "table.key")
    with pytest.raises(BadKey, match=r"cannot be read .No such file or directory."):
        load_key(tmp_path / "table.key")
