"""What was approved: a survey with the approver's signature, in a file that `sed`, `sha256sum` and `openssl` can check.

The file is JSON in three lines. The second line is the manifest in canonical form, byte for byte what was signed:

    {"manifest":
    {"files":{...},"format":1,"made":"2026-11-21T04:35:58+00:00","version":"0.1.0"}
    ,"public_key":"<64 hex>","signature":"<128 hex>"}
"""

from __future__ import annotations

import hashlib
import json
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from tablectl.ops.software.survey import GROUPS, Files

FORMAT: Final = 1
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SIGNATURE: Final = re.compile(r"[0-9a-f]{128}")


class ManifestUnreadable(Exception):
    """No manifest could be read there. The text says what to do."""


class ManifestRefused(Exception):
    """A manifest that the approver did not sign in this form. The text says what to do."""


class KeyUnusable(Exception):
    """A key file that cannot be used. The text says what to do."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """What was approved. `made` is the time, RFC 3339."""

    version: str
    made: str
    files: Files

    @property
    def identity(self) -> str:
        """The hash of this software; two manifests of the same software have the same."""
        return identity_of(self.version, self.files)


@dataclass(frozen=True, kw_only=True, slots=True)
class Signed:
    """A manifest and who signed it: the raw public key, in hex."""

    manifest: Manifest
    public_key: str


def canonical(content: object) -> bytes:
    """JSON with sorted keys and without blanks, in UTF-8: one way only to write the same content."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def identity_of(version: str, files: Files) -> str:
    """sha256 in hex of the canonical manifest without the time at which it was made."""
    return hashlib.sha256(canonical({"files": files, "format": FORMAT, "version": version})).hexdigest()


def signed_text(manifest: Manifest, key: Ed25519PrivateKey) -> str:
    """The manifest's file."""
    plain = canonical({"files": manifest.files, "format": FORMAT, "made": manifest.made, "version": manifest.version})
    rest = f',"public_key":"{raw_hex(key.public_key())}","signature":"{key.sign(plain).hex()}"}}'
    return f'{{"manifest":\n{plain.decode()}\n{rest}\n'


def read_signed(path: Path, approver: Ed25519PublicKey) -> Signed:
    """The manifest at `path`, signed by the approver. Raises `ManifestUnreadable` and `ManifestRefused`."""
    content = _parsed(path)
    key = raw_hex(approver)
    if content["public_key"] != key:
        raise ManifestRefused(
            f"{path}: manifest signed by another key: found {content['public_key']}, the approver's is {key}; "
            "nobody whom the configuration names approved it"
        )
    try:
        approver.verify(bytes.fromhex(content["signature"]), canonical(content["manifest"]))
    except (InvalidSignature, UnicodeEncodeError):  # half a character cannot have been signed
        raise ManifestRefused(
            f"{path}: signature does not fit: the manifest or its signature was changed after it was signed"
        ) from None
    held = content["manifest"]
    return Signed(
        manifest=Manifest(version=held["version"], made=held["made"], files=held["files"]),
        public_key=key,
    )


def raw_hex(key: Ed25519PublicKey) -> str:
    """The 32 bytes of a public key, in hex."""
    return key.public_bytes_raw().hex()


def load_approver(path: Path) -> Ed25519PublicKey:
    """The approver's public key, PEM. Raises `KeyUnusable`."""
    try:
        key = load_pem_public_key(path.read_bytes())
    except OSError as wrong:
        raise KeyUnusable(
            f"{path}: the approver's public key cannot be read ({wrong.strerror}), so no manifest can be checked; "
            "put it there, readable for the user that the controller runs as"
        ) from None
    except (ValueError, UnsupportedAlgorithm):
        raise _no_key(path, "public", f"openssl pkey -in PRIVATE.pem -pubout -out {path}") from None
    if not isinstance(key, Ed25519PublicKey):
        raise _no_key(path, "public", f"openssl pkey -in PRIVATE.pem -pubout -out {path}")
    return key


def load_signing_key(path: Path) -> Ed25519PrivateKey:
    """The approver's private key, PEM, of a file that only its owner can read. Raises `KeyUnusable`."""
    make = f"openssl genpkey -algorithm ed25519 -out {path}"
    try:
        mode, text = path.stat().st_mode, path.read_bytes()
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            told = f"{path}: others can read it (mode {stat.S_IMODE(mode):04o}), so anybody may have signed with it"
            raise KeyUnusable(f"{told}; run: chmod 0600 {path}")
        key = load_pem_private_key(text, password=None)
    except OSError as wrong:
        raise KeyUnusable(f"{path}: cannot be read ({wrong.strerror}); a new one is made by: {make}") from None
    except TypeError:
        told = f"{path}: is locked with a password, which is not asked for here"
        raise KeyUnusable(f"{told}; open it for the time of signing: openssl pkey -in {path} -out OPEN.pem") from None
    except (ValueError, UnsupportedAlgorithm):
        raise _no_key(path, "private", make) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key(path, "private", make)
    return key


def _no_key(path: Path, kind: str, make: str) -> KeyUnusable:
    return KeyUnusable(f"{path}: is no {kind} Ed25519 key in PEM form; one is made by: {make}")


def _parsed(path: Path) -> dict[str, Any]:
    """The file's content, where its shape is that of a manifest."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise _no_manifest(path, str(wrong.strerror)) from None
    except (ValueError, RecursionError):
        raise _no_manifest(path, "it is not JSON") from None
    if (fault := _shape_fault(content)) is not None:
        raise _no_manifest(path, fault)
    read: dict[str, Any] = content
    return read


def _no_manifest(path: Path, reason: str) -> ManifestUnreadable:
    return ManifestUnreadable(f"{path}: manifest unreadable ({reason}), so nobody can say what was approved")


def _shape_fault(content: object) -> str | None:
    """What is wrong with the shape; None for a manifest of this format."""
    if not isinstance(content, dict) or set(content) != {"manifest", "public_key", "signature"}:
        return "it does not hold manifest, public_key and signature"
    held = content["manifest"]
    if not _is(content["public_key"], _HASH) or not _is(content["signature"], _SIGNATURE):
        return "public_key is not 64, or signature not 128 hex digits"
    if not isinstance(held, dict) or held.get("format") != FORMAT or type(held["format"]) is not int:
        return f"it is of another format than {FORMAT}; make it with this version of tablectl"
    if set(held) != {"files", "format", "made", "version"}:
        return "the manifest does not hold files, format, made and version"
    if not isinstance(held["made"], str) or not isinstance(held["version"], str):
        return "made or version is no text"
    files = held["files"]
    if not isinstance(files, dict) or set(files) != set(GROUPS) or not all(map(_is_group, files.values())):
        return f"files does not hold a hash by file for each of {', '.join(GROUPS)}"
    return None


def _is_group(group: object) -> bool:
    return isinstance(group, dict) and all(_is(value, _HASH) for value in group.values())


def _is(value: object, form: re.Pattern[str]) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None
