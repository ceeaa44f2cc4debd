"""Sealed parts open with their key at their place only; a key is a file of its owner."""

from __future__ import annotations

import pytest

from tablectl.journal.seal import KEY_BYTES, NONCE_BYTES, TAG_BYTES, BadSeal, Vault
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


def test_a_sealed_part_is_as_long_as_its_nonce_its_tag_and_what_is_in_it() -> None:
    """NIST SP 800-38D: a nonce of 96 bits, a tag of 128; files of sealed blocks are read by these lengths."""
    assert (NONCE_BYTES, TAG_BYTES) == (12, 16)
    assert len(Vault(KEY).seal(7, b"As")) == NONCE_BYTES + 2 + TAG_BYTES


@pytest.mark.parametrize("length", [0, 1, 11, 12, 13, 27])
def test_a_sealed_part_that_was_cut_does_not_open(length: int) -> None:
    vault = Vault(KEY)
    with pytest.raises(BadSeal):
        vault.open(7, vault.seal(7, b"As")[:length])


def test_another_key_opens_nothing() -> None:
    with pytest.raises(BadSeal):
        Vault(bytes(KEY_BYTES)).open(7, Vault(KEY).seal(7, b"As"))
