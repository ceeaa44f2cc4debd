"""How far a journal was, as its table signed it: what whoever follows the table remembers, and what leaves the machine.

Each hash holds all that came before, so a journal that has this record, with this hash, has everything that the table
had recorded by then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from tablectl.journal.signing import Witness

_LINE: Final = re.compile(
    r"\btablectl head (?P<seq>[1-9][0-9]{0,18}) (?P<hash>[0-9a-f]{64})"
    r" (?P<signature>[0-9a-f]{128}) (?P<key>[0-9a-f]{64})\b"
)


#: Where quoted-printable breaks a line that is too long for a mail.
_BROKEN: Final = re.compile(r"=\r?\n")


class SignedHead(msgspec.Struct, frozen=True, kw_only=True):
    """A record by its number and hash, the table's signature over them, and the public key that it is good by; all in
    hexadecimal digits."""

    seq: int
    hash: str
    signature: str
    key: str

    @property
    def is_good(self) -> bool:
        """Whether the owner of the key signed it."""
        try:
            witness = Witness(bytes.fromhex(self.key))
            return witness.confirms(self.seq, bytes.fromhex(self.hash), bytes.fromhex(self.signature))
        except ValueError:
            return False

    @property
    def question(self) -> Mapping[str, Any]:
        """Whether the journal has it, as its controller is asked (docs/api.md)."""
        return {"head": {"seq": self.seq, "hash": self.hash, "signature": self.signature}}

    @property
    def line(self) -> str:
        """As it leaves the machine: `tablectl head SEQ HASH SIGNATURE KEY`. Whoever has it can check it with openssl,
        as a record of the journal."""
        return f"tablectl head {self.seq} {self.hash} {self.signature} {self.key}"


def head_of(record: Mapping[str, Any], key: str) -> SignedHead | None:
    """That of a record as a line of the stream has it; None where the table did not sign it."""
    signature = record.get("signature")
    if not isinstance(signature, str):
        return None
    return SignedHead(seq=int(record["seq"]), hash=str(record["hash"]), signature=signature, key=key)


def heads_in(text: str) -> Iterator[SignedHead]:
    """Those that stand in a text, in their order, whatever stands around them: a file of heads, or mails as they came,
    with lines that were broken on their way (RFC 2045, 6.7)."""
    for found in _LINE.finditer(_BROKEN.sub("", text)):
        yield SignedHead(seq=int(found["seq"]), hash=found["hash"], signature=found["signature"], key=found["key"])
