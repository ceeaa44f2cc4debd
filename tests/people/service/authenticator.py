"""An authenticator of bytes: it makes and uses passkeys as a security key and a browser do together.

ES256, no attestation; W3C Web Authentication Level 3, sections 6.1 (authenticator data), 6.5 (attestation) and 5.8.1
(client data). The keys are made here, with another library than the one that checks them.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256

from tablectl.people.service.questions import Assertion

ORIGIN: Final = "http://localhost:8420"
#: User present, user verified, attested credential data (6.1).
_PRESENT, _VERIFIED, _ATTESTED = 0x01, 0x04, 0x40


def coded(data: bytes) -> str:
    """base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass(kw_only=True)
class Authenticator:
    """One passkey. `is_verified`: it found out who touches it."""

    host: str = "localhost"
    origin: str = ORIGIN
    is_verified: bool = True
    private: EllipticCurvePrivateKey = field(default_factory=lambda: generate_private_key(SECP256R1()))
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    def made(self, options: dict[str, Any]) -> dict[str, Any]:
        """What a browser answers to `navigator.credentials.create` (RegistrationResponseJSON)."""
        data = (
            self._data(_ATTESTED) + bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + self._key()
        )
        attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59" + len(data).to_bytes(2, "big") + data
        return {
            "id": coded(self.credential),
            "rawId": coded(self.credential),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": coded(self._client("webauthn.create", str(options["challenge"]))),
                "attestationObject": coded(attestation),
                "transports": ["usb"],
            },
        }

    def signed(self, options: dict[str, Any], nonce: str) -> Assertion:
        """What comes of `navigator.credentials.get`."""
        client, data = self._client("webauthn.get", str(options["challenge"])), self._data(0)
        signature = self.private.sign(data + hashlib.sha256(client).digest(), ECDSA(SHA256()))
        return Assertion(
            nonce=nonce,
            credential=coded(self.credential),
            client_data=coded(client),
            authenticator_data=coded(data),
            signature=coded(signature),
        )

    def _data(self, flags: int) -> bytes:
        flags |= _PRESENT | (_VERIFIED if self.is_verified else 0)
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + (7).to_bytes(4, "big")

    def _key(self) -> bytes:
        """COSE_Key: kty EC2, alg ES256, crv P-256, x, y (RFC 9053, section 7.1.1)."""
        numbers = self.private.public_key().public_numbers()
        x, y = (number.to_bytes(32, "big") for number in (numbers.x, numbers.y))
        return b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + x + b"\x22\x58\x20" + y

    def _client(self, kind: str, challenge: str) -> bytes:
        said = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()
