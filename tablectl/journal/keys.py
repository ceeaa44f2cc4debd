"""The two secrets of a table, and how they are kept.

The sealing key (32 random bytes) opens sealed cards. The signing key (Ed25519) signs what the journal says. They are
two files because an audit may need the first, and nobody but the table ever needs the second. A file is readable for
its owner only (mode 0600), or it is a systemd credential (`credential:NAME`), which systemd guards. A file says by
itself when it was made for a demonstration: whoever has such a key has it from a place that nobody guarded.

Sealing key, one line of text: `tablectl sealing key HEX`, or `tablectl DEMO sealing key, not for play HEX`.
Signing key: PKCS #8 in PEM (RFC 8410), as `openssl genpkey -algorithm ed25519` makes it; a demo key has a line before.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from tablectl.core.events.stream import KeysNamed
from tablectl.journal.public_keys import BadKey, public_pem
from tablectl.journal.readers import Readers
from tablectl.journal.seal import KEY_BYTES, Vault
from tablectl.journal.signing import Signer
from tablectl.journal.whole_file import remove_left_over, write_whole

_REAL: Final = "tablectl sealing key"
_DEMO: Final = "tablectl DEMO sealing key, not for play"
_SEALING: Final = re.compile(rf"({_REAL}|{_DEMO}) ([0-9a-f]{{{2 * KEY_BYTES}}})\s*")
_DEMO_SIGNING: Final = b"tablectl DEMO signing key, not for play\n"
#: Where systemd puts the credentials of a service (systemd.exec(5), `LoadCredential=`).
CREDENTIALS_FOLDER: Final = "CREDENTIALS_DIRECTORY"


@dataclass(frozen=True, slots=True)
class Keys:
    """What one table seals and signs with."""

    vault: Vault
    signer: Signer
    is_demo: bool

    def public(self) -> KeysNamed:
        """What everybody may know of them; stands in the record of every start."""
        return KeysNamed(signing=self.signer.public.hex(), sealing=self.vault.fingerprint, demo=self.is_demo)


def make_keys(sealing: Path, signing: Path, *, demo: bool) -> Keys:
    """New ones in new files, each whole or not at all; one that is there already is used. Raises `BadKey`."""
    if not sealing.exists():
        title = _DEMO if demo else _REAL
        _write(sealing, f"{title} {secrets.token_hex(KEY_BYTES)}\n".encode())
    make_signing_key(signing, demo=demo)
    return load_keys(sealing, signing)


def make_signing_key(path: Path, *, demo: bool = False) -> None:
    """A new one in a new file, whole or not at all; one that is there already stays. Raises `BadKey`."""
    if not path.exists():
        private = Ed25519PrivateKey.generate()
        pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        _write(path, (_DEMO_SIGNING if demo else b"") + pem)


def load_keys(sealing: Path, signing: Path) -> Keys:
    """Those that are there. Raises `BadKey`."""
    vault, is_demo = load_sealing(sealing)
    signer, is_demo_too = load_signer(signing)
    return Keys(vault, signer, is_demo or is_demo_too)


def load_signer(path: Path, *, passphrase: Callable[[], str] | None = None) -> tuple[Signer, bool]:
    """A signing key alone, and whether it is a demo's. `passphrase` is asked where the key is encrypted; without it,
    such a key is none. Raises `BadKey`."""
    text = _secret(path, "signing")
    password = passphrase().encode() if passphrase is not None and b"ENCRYPTED" in text else None
    try:
        private = load_pem_private_key(text, password=password)
    except (ValueError, TypeError):
        private = None
    if not isinstance(private, Ed25519PrivateKey):
        what = "no Ed25519 private key in PEM; restore the key from its backup"
        raise BadKey(f"{path}: {what if password is None else 'this passphrase does not open it'}")
    return Signer(private), text.startswith(_DEMO_SIGNING)


def load_sealing(path: Path) -> tuple[Vault, bool]:
    """The sealing key alone, and whether it is a demo's: for a replay. Raises `BadKey`."""
    found = _SEALING.fullmatch(_secret(path, "sealing").decode("ascii", "replace"))
    if found is None:
        raise BadKey(f"{path}: no sealing key of tablectl; restore the key from its backup")
    return Vault(bytes.fromhex(found[2])), found[1] == _DEMO


def publish(keys: Keys, path: Path, readers: Readers = Readers.OWNER) -> None:
    """Put the public key into a file, for whoever wants to check the journal. Raises `OSError`.

    A group of readers can read it whatever the umask is; without one it has the mode that the umask gives.
    """
    pem = public_pem(keys.signer.public)
    if not path.exists() or path.read_bytes() != pem:
        path.write_bytes(pem)
    if readers is Readers.GROUP:
        readers.give(path, readers.file_mode)


def _secret(path: Path, what: str) -> bytes:
    try:
        mode, text = path.stat().st_mode, path.read_bytes()
    except OSError as wrong:
        told = f"{path}: the {what} key cannot be read ({wrong.strerror})"
        raise BadKey(f"{told}; bring the journal's own key back from its copy, readable for the controller") from None
    is_credential = os.environ.get(CREDENTIALS_FOLDER) == str(path.parent)
    if mode & (stat.S_IRWXG | stat.S_IRWXO) and not is_credential:
        raise BadKey(f"{path}: others can read it (mode {stat.S_IMODE(mode):04o}); run: chmod 0600 {path}")
    return text


def _write(path: Path, text: bytes) -> None:
    try:
        remove_left_over(path)  # half a key, or one that nobody used: its maker was killed
        write_whole(path, text, mode=0o600)
    except OSError as wrong:
        raise BadKey(f"{path}: cannot be made ({wrong.strerror}); give the folder to the controller's user") from None
