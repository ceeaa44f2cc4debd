"""A table that does not know its pit server yet gets its certificate for a one-time code.

The key is made here and never leaves. TLS hides what is said and proves nothing; that both ends know the code does
(`codes`). Nothing is written before the server has proved it.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec

from tablectl.config.sections import UplinkSection
from tablectl.config.table_file import Config
from tablectl.fleet import codes
from tablectl.fleet.certificates import (
    KEY_MODE,
    NoIdentity,
    key_digest,
    key_pem,
    new_key,
    read_key,
    request_of,
    shown_in,
    unchecked_context,
    write_key,
)
from tablectl.fleet.enrolment import Enrol, Enrolled
from tablectl.fleet.signed_times import new_nonce
from tablectl.fleet.uplink.transport import Https, UnknownServer
from tablectl.journal.public_keys import public_pem
from tablectl.journal.whole_file import write_whole


class InTheWay(Exception):
    """Files are there that would be written over. The text says which, and what to do."""


def name_of(config: Config, settings: UplinkSection) -> str:
    """How the pit server calls this table, or is to call it."""
    return settings.name or config.file.stem


def in_the_way(settings: UplinkSection) -> None:
    """Before a code is asked for. Raises `InTheWay`."""
    if settings.certificate.exists():
        raise InTheWay(f"{settings.certificate}: this table has a certificate; `--replace` gets another one")


def enrol(settings: UplinkSection, *, name: str, code: str, journal_key: bytes, replaces: bool) -> Enrolled:
    """Get the certificate of the table of this name, and put it with the casino's authority and the server's key where
    the configuration says. `replaces`: what is there already, the key too. Raises `BadCode`, `InTheWay`,
    `UnknownServer`, `PitAway`, `PitRefuses`, `NoIdentity`, `OSError`."""
    key = new_key() if replaces or not settings.key.exists() else read_key(settings.key)
    secret = codes.secret_of(code, name)
    asked = Enrol(name=name, request=request_of(key, name).decode(), key=journal_key.hex(), nonce=new_nonce())
    asked = msgspec.structs.replace(asked, proof=codes.proof(secret, asked.text()))
    with closing(Https(settings.url or "", unchecked_context())) as https:
        answer = https.enrol(asked)
    if not codes.is_proven(secret, answer.text(asked), answer.proof):
        raise UnknownServer("what answers there does not know the code: it is not the pit server that showed it")
    _is_for(answer, key)
    _write(settings, key, answer, replaces=replaces)
    return answer


def _is_for(answer: Enrolled, key: ec.EllipticCurvePrivateKey) -> None:
    """Whether the certificate is of the authority that came with it, for our key. Raises `UnknownServer`."""
    try:
        certificate = x509.load_pem_x509_certificate(answer.certificate.encode())
        certificate.verify_directly_issued_by(x509.load_pem_x509_certificate(answer.authority.encode()))
        is_ours = shown_in(certificate).key == key_digest(key.public_key())
    except (ValueError, TypeError, InvalidSignature, NoIdentity):
        is_ours = False
    if not is_ours:
        raise UnknownServer("what the pit server sent is no certificate for this table; have its version looked at")


def _write(settings: UplinkSection, key: ec.EllipticCurvePrivateKey, answer: Enrolled, *, replaces: bool) -> None:
    texts = {
        settings.authority: answer.authority,
        settings.pit_key: public_pem(bytes.fromhex(answer.pit_key)).decode(),
        settings.certificate: answer.certificate,
    }
    if not replaces:
        others = [str(path) for path, text in texts.items() if path.exists() and path.read_text("utf-8") != text]
        if others:
            raise InTheWay(
                f"{', '.join(others)}: of another pit server; with another code, `--replace` writes over what is there"
            )
    _write_key(settings.key, key, replaces=replaces)
    for path, text in texts.items():
        write_whole(path, text.encode())


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey, *, replaces: bool) -> None:
    if replaces:
        write_whole(path, key_pem(key), mode=KEY_MODE)
    elif not path.exists():
        write_key(path, key)
