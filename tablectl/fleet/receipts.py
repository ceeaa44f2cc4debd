"""What the pit server answers for records that are durable there: up to which one, signed.

Ed25519 over one line of text, as the table signs its records, so that openssl can check it:
`tablectl receipt TABLE EPOCH SEQ HASH TIME` and a newline. After a table has such a receipt in its journal it cannot
write another past, and the pit server cannot deny what it received.
"""

from __future__ import annotations

import msgspec

from tablectl.fleet.epochs import Epoch
from tablectl.journal.signing import Signer, Witness


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """`seq` and `hash` (hexadecimal digits) of the newest record of the table that is durable at the pit server; 0 and
    the hash before record 1 where there is none. `at`: the server's time (RFC 3339, UTC)."""

    table: str
    epoch: str
    seq: int
    hash: str
    at: str
    #: 128 hexadecimal digits; empty before it is signed
    signature: str = ""

    def text(self) -> bytes:
        """What is signed."""
        return f"tablectl receipt {self.table} {self.epoch} {self.seq} {self.hash} {self.at}\n".encode()


def signed(signer: Signer, *, table: str, epoch: Epoch, seq: int, link: bytes, at: str) -> Receipt:
    """The receipt for all records up to this one."""
    receipt = Receipt(table=table, epoch=str(epoch), seq=seq, hash=link.hex(), at=at)
    return msgspec.structs.replace(receipt, signature=signer.sign_text(receipt.text()).hex())


def is_good(witness: Witness, receipt: Receipt) -> bool:
    """Whether the owner of the key signed it."""
    try:
        signature = bytes.fromhex(receipt.signature)
    except ValueError:
        return False
    return witness.confirms_text(receipt.text(), signature)
