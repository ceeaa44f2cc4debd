"""A manifest is what the approver signed, bit by bit; whatever else lies there is refused, with the reason."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from tablectl.ops.software.manifest import (
    KeyUnusable,
    Manifest,
    ManifestRefused,
    ManifestUnreadable,
    load_approver,
    load_signing_key,
    raw_hex,
    read_signed,
    signed_text,
)
from tablectl.ops.software.survey import GROUPS
from tests.software.machine import APPROVER, MADE, OTHER_KEY, private_key_file

FILES = {group: {f"{group}.file": hashlib.sha256(group.encode()).hexdigest()} for group in GROUPS}
MANIFEST = Manifest(version="0.1.0", made=MADE, files=FILES)
TEXT = signed_text(MANIFEST, APPROVER)


def read(folder: Path, text: str) -> Manifest:
    path = folder / "approved.json"
    path.write_text(text, encoding="utf-8")
    return read_signed(path, APPROVER.public_key()).manifest


def test_what_was_signed_is_read_again(tmp_path: Path) -> None:
    assert read(tmp_path, TEXT) == MANIFEST


def test_how_the_file_is_laid_out_does_not_matter_to_the_signature(tmp_path: Path) -> None:
    assert read(tmp_path, json.dumps(json.loads(TEXT), indent=4)) == MANIFEST


def test_the_second_line_is_what_was_signed_and_without_its_time_what_the_identity_is_the_hash_of() -> None:
    line = TEXT.splitlines()[1].encode()
    APPROVER.public_key().verify(bytes.fromhex(json.loads(TEXT)["signature"]), line)
    assert line.count(f'"made":"{MADE}",'.encode()) == 1
    assert hashlib.sha256(line.replace(f'"made":"{MADE}",'.encode(), b"")).hexdigest() == MANIFEST.identity


def test_the_identity_does_not_depend_on_when_it_was_made() -> None:
    later = Manifest(version="0.1.0", made="2027-01-01T00:00:00+00:00", files=FILES)
    assert later.identity == MANIFEST.identity
    assert Manifest(version="0.1.1", made=MADE, files=FILES).identity != MANIFEST.identity


# --- refused ----------------------------------------------------------------------------------------------------------


def test_a_signature_does_not_fit_with_any_bit_flipped(tmp_path: Path) -> None:
    content = json.loads(TEXT)
    good = bytes.fromhex(content["signature"])
    for bit in range(8 * len(good)):
        flipped = bytearray(good)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(ManifestRefused, match=r"approved\.json: signature does not fit"):
            read(tmp_path, json.dumps({**content, "signature": flipped.hex()}))


def altered_hash(held: dict[str, Any]) -> None:
    held["files"]["pay-tables"]["pay-tables.file"] = 64 * "0"


def altered_file(held: dict[str, Any]) -> None:
    held["files"]["package"]["more.py"] = 64 * "0"


def less(held: dict[str, Any]) -> None:
    held["files"]["package"].clear()


def another_time(held: dict[str, Any]) -> None:
    held["made"] = "2026-11-21T04:35:59+00:00"


def another_version(held: dict[str, Any]) -> None:
    held["version"] = "0.1.1"


def half_a_character(held: dict[str, Any]) -> None:
    held["version"] = "\ud800"


@pytest.mark.parametrize("alter", [altered_hash, altered_file, less, another_time, another_version, half_a_character])
def test_an_altered_manifest_is_refused(tmp_path: Path, alter: Callable[[dict[str, Any]], None]) -> None:
    content = json.loads(TEXT)
    alter(content["manifest"])
    with pytest.raises(ManifestRefused, match="signature does not fit"):
        read(tmp_path, json.dumps(content))


def test_a_manifest_signed_by_another_key_is_refused_whichever_key_it_names(tmp_path: Path) -> None:
    with pytest.raises(
        ManifestRefused, match=f"another key: found {raw_hex(OTHER_KEY.public_key())}, the approver's is"
    ):
        read(tmp_path, signed_text(MANIFEST, OTHER_KEY))
    forged = {**json.loads(signed_text(MANIFEST, OTHER_KEY)), "public_key": raw_hex(APPROVER.public_key())}
    with pytest.raises(ManifestRefused, match="signature does not fit"):
        read(tmp_path, json.dumps(forged))


# --- unreadable -------------------------------------------------------------------------------------------------------


def with_manifest(**changes: object) -> str:
    content = json.loads(TEXT)
    return json.dumps({**content, "manifest": {**content["manifest"], **changes}})


NO_MANIFEST = {
    "nothing": ("", "it is not JSON"),
    "cut": (TEXT[:200], "it is not JSON"),
    "deep": (100_000 * "[", "it is not JSON"),
    "a_list": ("[]", "it does not hold manifest"),
    "no_signature": (json.dumps({"manifest": {}, "public_key": ""}), "it does not hold manifest"),
    "short_signature": (json.dumps({**json.loads(TEXT), "signature": "00"}), "128 hex digits"),
    "signature_as_a_number": (json.dumps({**json.loads(TEXT), "signature": 0}), "128 hex digits"),
    "key_in_capitals": (json.dumps({**json.loads(TEXT), "public_key": 64 * "A"}), "64, or signature"),
    "another_format": (with_manifest(format=2), "another format than 1"),
    "format_as_a_switch": (with_manifest(format=True), "another format than 1"),
    "more_in_it": (with_manifest(note="x"), "files, format, made and version"),
    "time_as_a_number": (with_manifest(made=0), "is no text"),
    "a_group_less": (with_manifest(files={"package": {}}), "a hash by file for each of package, pay-tables"),
    "no_hash": (with_manifest(files={**FILES, "package": {"a": "b"}}), "a hash by file"),
    "files_as_a_list": (with_manifest(files={**FILES, "package": ["a"]}), "a hash by file"),
}


@pytest.mark.parametrize(("text", "told"), NO_MANIFEST.values(), ids=NO_MANIFEST)
def test_what_is_no_manifest_is_told_with_what_is_wrong_with_it(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ManifestUnreadable) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'approved.json'}: manifest unreadable (")
    assert told in str(caught.value)


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff")
    with pytest.raises(ManifestUnreadable, match="it is not JSON"):
        read_signed(tmp_path / "a", APPROVER.public_key())


# --- keys -------------------------------------------------------------------------------------------------------------


def test_a_private_key_of_its_owner_signs(tmp_path: Path) -> None:
    key = load_signing_key(private_key_file(tmp_path / "key.pem"))
    assert raw_hex(key.public_key()) == raw_hex(APPROVER.public_key())


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644, 0o610, 0o601])
def test_a_private_key_that_others_can_reach_is_refused_with_the_line_to_run(tmp_path: Path, mode: int) -> None:
    path = private_key_file(tmp_path / "key.pem")
    path.chmod(mode)
    with pytest.raises(KeyUnusable) as caught:
        load_signing_key(path)
    assert f"others can read it (mode {mode:04o})" in str(caught.value)
    assert str(caught.value).endswith(f"run: chmod 0600 {path}")


def test_a_private_key_that_is_not_there_is_told_with_how_one_is_made(tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match=r"No such file or directory.*openssl genpkey -algorithm ed25519 -out"):
        load_signing_key(tmp_path / "none.pem")


def test_a_private_key_behind_a_password_is_told_with_how_it_is_opened(tmp_path: Path) -> None:
    path = private_key_file(tmp_path / "key.pem")
    path.write_bytes(APPROVER.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")))
    with pytest.raises(KeyUnusable, match=r"is locked with a password.*openssl pkey -in"):
        load_signing_key(path)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = generate_private_key(SECP256R1())
    path = private_key_file(tmp_path / "key.pem")
    path.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(KeyUnusable, match="is no private Ed25519 key in PEM form"):
        load_signing_key(path)
    path.write_bytes(other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(KeyUnusable, match="is no public Ed25519 key in PEM form; one is made by: openssl pkey"):
        load_approver(path)


@pytest.mark.parametrize("text", [b"", b"no key\n", TEXT.encode()])
def test_what_is_no_key_is_refused(tmp_path: Path, text: bytes) -> None:
    path = private_key_file(tmp_path / "key.pem")
    path.write_bytes(text)
    with pytest.raises(KeyUnusable, match="is no private Ed25519 key"):
        load_signing_key(path)
    with pytest.raises(KeyUnusable, match="is no public Ed25519 key"):
        load_approver(path)
