"""Passkeys of people: how one is made, and how an action is signed with one.

The library `fido2` makes and checks registrations; assertions are checked by `tablectl.journal.passkeys`, the same code
by which an auditor checks them years later. Loaded when the first one is asked for.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from fido2 import cbor
from fido2.server import Fido2Server
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import (
    PublicKeyCredentialDescriptor,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialType,
    PublicKeyCredentialUserEntity,
    UserVerificationRequirement,
)

from tablectl.core.access import AccessKind
from tablectl.journal.challenge import digest_of
from tablectl.journal.passkeys import is_origin
from tablectl.people.audit import Ask
from tablectl.people.passkeys import Passkey, PasskeyTaken
from tablectl.people.people import People, SignedOn
from tablectl.people.service.questions import Assertion, NotYours, PasskeyShown

#: How long somebody may look for his authenticator, in seconds.
_GOOD_S: Final = 120.0
_LABEL_MOST: Final = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class _Begun:
    """A registration that waits for its authenticator."""

    state: object
    at_s: float


class PasskeyDesk:
    """Of one house, for one host name."""

    def __init__(self, people: People, host: str, ask: Ask) -> None:
        self._people = people
        self._host = host
        self._ask = ask
        self._server = Fido2Server(
            PublicKeyCredentialRpEntity(name=f"tablectl {host}", id=host), verify_origin=partial(is_origin, rp=host)
        )
        self._begun: dict[str, _Begun] = {}

    def shown(self, name: str) -> tuple[PasskeyShown, ...]:
        """Those of a person."""
        return tuple(
            PasskeyShown(credential=found.credential, label=found.label, added_us=found.added_us)
            for found in self._people.passkeys.of(name, self._host)
        )

    def begin(self, found: SignedOn) -> dict[str, Any]:
        """What a browser needs to make one; the authenticator has to find out who touches it."""
        name = found.person.name
        user = PublicKeyCredentialUserEntity(name=name, id=name.encode(), display_name=found.account.display)
        options, state = self._server.register_begin(
            user, credentials=self._descriptors(name), user_verification=UserVerificationRequirement.REQUIRED
        )
        self._begun[name] = _Begun(state=state, at_s=time.monotonic())
        return dict(options.public_key)

    def add(self, found: SignedOn, label: str, made: Mapping[str, Any]) -> None:
        """The passkey that the browser made. Raises `NotYours`."""
        name, begun = found.person.name, self._begun.pop(found.person.name, None)
        if begun is None or time.monotonic() - begun.at_s > _GOOD_S:
            raise NotYours("passkey-late")
        try:
            data = self._server.register_complete(begun.state, made).credential_data
        except (ValueError, TypeError, LookupError, AttributeError):
            raise NotYours("passkey-bad") from None
        if data is None:
            raise NotYours("passkey-bad")
        credential, key = websafe_encode(data.credential_id), websafe_encode(cbor.encode(dict(data.public_key)))
        shown = " ".join(label.split())[:_LABEL_MOST]
        passkey = Passkey(
            credential=credential,
            name=name,
            key=key,
            rp=self._host,
            label=shown if shown.isprintable() and shown else "1",
            added_us=self._people.now_us(),
        )
        with self._people.file.transaction():
            try:
                self._people.passkeys.add(passkey)
            except PasskeyTaken:
                raise NotYours("passkey-taken") from None
            self._record(found, f"passkey {digest_of(credential, key)}")

    def remove(self, found: SignedOn, credential: str) -> None:
        """A lost one. Raises `NotYours`."""
        with self._people.file.transaction():
            if not self._people.passkeys.remove(found.person.name, credential):
                raise NotYours("passkey-bad")
            self._record(found, "passkey removed")

    def _record(self, found: SignedOn, what: str) -> None:
        name, role = found.person.name, found.person.role_among()
        self._people.audit_account(AccessKind.SECRET_CHANGED, name, role, name, what)

    async def to_sign(self, name: str, action: str) -> dict[str, Any]:
        """What the browser of this person needs to let him sign an action. Raises `NotYours`, `NoController`."""
        descriptors = self._descriptors(name)
        if not descriptors:
            raise NotYours("second-no-passkey")
        said = await self._ask({"challenge": action})
        if said.get("ok") is not True:
            raise NotYours("passkey-bad")
        options, _ = self._server.authenticate_begin(
            descriptors,
            user_verification=UserVerificationRequirement.REQUIRED,
            challenge=bytes.fromhex(str(said["challenge"])),
        )
        return {"publicKey": dict(options.public_key), "nonce": said["nonce"]}

    async def prove(self, name: str, signed: Assertion, action: str) -> None:
        """This person signed this action, for which the controller gave the nonce: checked and on record there. Raises
        `NotYours`, `NoController`."""
        own = next(
            (found for found in self._people.passkeys.of(name, self._host) if found.credential == signed.credential),
            None,
        )
        if own is None:
            raise NotYours("second-wrong")
        proof = {
            "by": name,
            "action": action,
            "nonce": signed.nonce,
            "rp": self._host,
            "credential": own.credential,
            "key": own.key,
            "client_data": signed.client_data,
            "authenticator_data": signed.authenticator_data,
            "signature": signed.signature,
        }
        said = await self._ask({"prove": proof})
        if said.get("ok") is not True:
            late = said.get("why") == "proof-over"
            raise NotYours("passkey-late" if late else "second-wrong" if said.get("why") else "passkey-later")

    def _descriptors(self, name: str) -> list[PublicKeyCredentialDescriptor]:
        return [
            PublicKeyCredentialDescriptor(type=PublicKeyCredentialType.PUBLIC_KEY, id=websafe_decode(found.credential))
            for found in self._people.passkeys.of(name, self._host)
        ]
